#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "generators/schedule/schedule.h"
#include "generators/value/range.h"

// A test case: everything that determines the compiler's task and the expected result.
namespace haruspex::cases {

// The values that the cells of one input may hold.
struct InputDomain {
    value::Range range;
    // For floats only: NaN, infinities, signed zeros and denormals are mixed in. Requires Case::strict_float.
    bool special_values = false;
    bool operator==(const InputDomain&) const = default;
};

// How the outputs are compared.
enum class Comparison : std::uint8_t {
    exact,        // every defined cell is compared: by value::same_result if strict_float, else by value::same_number
    not_compared  // results need not be exact: only crashes, errors and nondeterminism are judged
};

struct Case {
    std::string compiler;  // the name of the compiler under test, whose language the schedule is written in
    sare::Sare sare;       // staged if the compiler takes algorithms (sare/staging.h)
    schedule::Schedule schedule;
    Sizes sizes;  // one for each parameter
    std::uint64_t input_seed = 0;
    std::map<std::string, InputDomain> inputs;  // one for each input
    bool strict_float = false;
    Comparison comparison = Comparison::exact;
    std::string target;  // the compiler's target string
    bool operator==(const Case&) const = default;
};

// Returns the same case at other sizes, one for each parameter.
Case at_sizes(Case c, const Sizes& sizes);

// Returns the value of an input's cell: a pure function of the seed, the input's name, its domain and the indices.
// Inputs are therefore total functions, and any box of them can be materialised. The hash is published in inputs.cpp
// and simple enough to be repeated in a stand-alone reproducer.
value::Value input_value(std::uint64_t seed, const std::string& input, const InputDomain& domain,
                         const std::vector<std::int64_t>& indices);
// Returns the initial hash of an input, which all its cells share.
std::uint64_t input_start(std::uint64_t seed, const std::string& input);

}  // namespace haruspex::cases
