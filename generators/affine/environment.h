#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>

// Indices and conditions in one environment: a point in a space of parameters alone.
namespace haruspex::affine {

// Returns one of the environments; nullopt if there is none.
std::optional<isl::point> some_environment(const isl::set& environments);
// The value of an index; nullopt if it has none, mentions a parameter that the environment lacks, or is not an integer.
std::optional<std::int64_t> value_in(const isl::pw_aff& index, const isl::point& environment);
// Whether the environment satisfies the condition; it must have all parameters of the condition.
bool is_one_of(const isl::point& environment, const isl::set& condition);

}  // namespace haruspex::affine
