#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>

// Indices and conditions in one environment: a point in a space of parameters alone.
namespace haruspex::affine {

// One of the environments; nothing when there is none.
std::optional<isl::point> some_environment(const isl::set& environments);
// The value of an index. Nothing where it has none, speaks of a parameter that the environment does not have, or is no
// integer.
std::optional<std::int64_t> value_in(const isl::pw_aff& index, const isl::point& environment);
// Whether the environment, which has all parameters of the condition, is one of those of the condition.
bool is_one_of(const isl::point& environment, const isl::set& condition);

}  // namespace haruspex::affine
