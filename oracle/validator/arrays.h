#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/scope.h"

// The arrays of a program as Γ has them: which cells they have, and where the coordinates of their tensors lie.
namespace haruspex::validator {

// Whether they are those of linear memory (syntax.h).
bool has_strides(const std::vector<sched::Dimension>& dimensions);

// An array of these dimensions. Its cells are the indices in bounds; of linear memory what the offsets from the minima
// reach (syntax.h). Rows of linear memory are known by strides that leave no row in another one. Throws Unsupported for
// strides that are no numbers.
ArrayInScope array_of(const std::string& unique_name, value::Type type, const std::vector<sched::Dimension>& dimensions,
                      const Scope& scope);
// The same of an allocation, of which nobody outside knows how its cells are named: an extent that is a product of
// numbers makes rows as well.
ArrayInScope allocation_of(const std::string& unique_name, value::Type type,
                           const std::vector<sched::Dimension>& dimensions, const Scope& scope);

// { [i, …] -> cell } of the coordinates of a tensor of that rank: of all, in linear memory of those that lie in it.
// That none is read beyond an array's bounds is a matter of its own: with them, whatever is read would have their
// pieces.
isl::map cells_of_coordinates(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                              std::size_t rank, const Scope& scope);
// The cell of some coordinates, in the array or not; none where they leave memory whose rows overlap. An array has a
// cell even for a scalar, its first one.
heap::Location cell_at(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                       const std::vector<isl::pw_aff>& coordinates, const Scope& scope);

// That an array was freed is a write to a cell of its own: its name, and the array of such a name.
std::string freed(const std::string& unique_name);
std::optional<std::string> freed_array(const std::string& name);

}  // namespace haruspex::validator
