#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/scope/scope.h"

// The arrays of a program in Γ: their cells, and the cells in which coordinates of their tensors lie.
namespace haruspex::validator {

// Whether the dimensions are those of linear memory (syntax.h).
bool has_strides(const std::vector<sched::Dimension>& dimensions);

// An array of these dimensions. Its cells are the indices in bounds; in linear memory, the indices that offsets from
// the minima reach (syntax.h). Linear memory has rows if its strides leave no row inside another one. Throws
// Unsupported for strides that are not numbers.
ArrayInScope array_of(const std::string& unique_name, value::Type type, const std::vector<sched::Dimension>& dimensions,
                      const Scope& scope);
// The same for an allocation. Nothing outside the program depends on how its cells are named, so an extent that is a
// product of numbers makes rows as well.
ArrayInScope allocation_of(const std::string& unique_name, value::Type type,
                           const std::vector<sched::Dimension>& dimensions, const Scope& scope);

// { [i, …] -> cell } for the coordinates of a tensor of this rank: for all; in linear memory, for those that lie in it.
// The map is not restricted to the array's bounds, which are obliged separately: otherwise every value that is read
// would have the pieces of the bounds.
isl::map cells_of_coordinates(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                              std::size_t rank, const Scope& scope);
// The cell of these coordinates, in the array or not. Memory whose rows overlap has no cell for coordinates out of
// bounds. The cell of a scalar is the array's first one.
heap::Location cell_at(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                       const std::vector<isl::pw_aff>& coordinates, const Scope& scope);

// Freeing an array is a write to a cell of its own. `freed` returns the name of that cell, `freed_array` the array for
// such a name.
std::string freed(const std::string& unique_name);
std::optional<std::string> freed_array(const std::string& name);

}  // namespace haruspex::validator
