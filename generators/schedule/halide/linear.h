#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/sare/syntax.h"

// Indices as linear forms, on which the models of Halide's simplifier work.
namespace haruspex::schedule::halide {

struct LinearForm {
    std::map<std::string, std::int64_t> coefficients;  // none is zero
    std::int64_t constant = 0;
    bool operator==(const LinearForm&) const = default;
};

// nullopt if the index is not linear: it divides, takes a minimum, selects, …
std::optional<LinearForm> linear_form(const sare::Index& index);
// Returns the value of a linear index without variables; nullopt for any other index.
std::optional<std::int64_t> constant_value(const sare::Index& index);
// Returns an index of the same value: if it is linear, with one term for each variable and the constant last.
sare::Index tidy(const sare::Index& index);

}  // namespace haruspex::schedule::halide
