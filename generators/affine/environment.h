#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>

// Evaluates indices and conditions in one environment, a point in a space of parameters alone.
namespace haruspex::affine {

// Returns one of the environments; nullopt if there is none.
std::optional<isl::point> some_environment(const isl::set& environments);
// Returns the value of the index; nullopt if the index has no value, mentions a parameter that the environment lacks,
// or its value is not an integer.
std::optional<std::int64_t> value_in(const isl::pw_aff& index, const isl::point& environment);
// Whether the environment satisfies the condition. The environment must have all parameters of the condition.
bool is_one_of(const isl::point& environment, const isl::set& condition);

}  // namespace haruspex::affine
