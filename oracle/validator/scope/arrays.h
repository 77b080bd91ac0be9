#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/scope/scope.h"

// The arrays of a program in Γ: their cells, and the cells that belong to the coordinates of their tensors.
namespace haruspex::validator {

// Whether the dimensions have strides: those of linear memory (sched/syntax.h).
bool has_strides(const std::vector<sched::Dimension>& dimensions);

// Makes an array of these dimensions. Its cells are the indices in bounds; in linear memory, the linear indices of all
// coordinates in bounds (sched/syntax.h). Linear memory is divided into rows (ArrayInScope::strides) if its strides are
// such that no two rows overlap. Throws Unsupported for strides that are not numbers.
ArrayInScope array_of(const std::string& unique_name, value::Type type, const std::vector<sched::Dimension>& dimensions,
                      const Scope& scope);
// The same for an allocation. Its cells may be renamed, because nothing outside the program refers to them. So it also
// gets rows if it has one extent that is a product of numbers.
ArrayInScope allocation_of(const std::string& unique_name, value::Type type,
                           const std::vector<sched::Dimension>& dimensions, const Scope& scope);

// { [i, …] -> cell } for the coordinates of a tensor of this rank: for all coordinates, or for those in bounds if the
// array is linear memory. In the first case bounds are a separate obligation: if they restricted the map, every value
// read would fall into their pieces. Throws Unsupported if strides let two coordinates share a cell.
isl::map cells_of_coordinates(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                              std::size_t rank, const Scope& scope);
// The cell of these coordinates, in bounds or not. Linear memory whose rows overlap has no cell for coordinates out of
// bounds. The cell of a scalar is the array's first one.
heap::Location cell_at(const ArrayInScope& array, const std::vector<sched::Dimension>& dimensions,
                       const std::vector<isl::pw_aff>& coordinates, const Scope& scope);

// Freeing an array is a write to a cell of its own. `freed` returns the name of this cell, `freed_array` the array to
// which such a name belongs.
std::string freed(const std::string& unique_name);
std::optional<std::string> freed_array(const std::string& name);

}  // namespace haruspex::validator
