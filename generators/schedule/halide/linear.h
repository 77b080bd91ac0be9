#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/sare/syntax.h"

// Indices as linear forms, if they have one: the models of Halide's simplifier work on these.
namespace haruspex::schedule::halide {

struct LinearForm {
    std::map<std::string, std::int64_t> coefficients;  // none is zero
    std::int64_t constant = 0;
    bool operator==(const LinearForm&) const = default;
};

// nullopt if the index divides, takes a minimum, selects, …
std::optional<LinearForm> linear_form(const sare::Index& index);
// The value of an index that has no variables.
std::optional<std::int64_t> constant_value(const sare::Index& index);

}  // namespace haruspex::schedule::halide
