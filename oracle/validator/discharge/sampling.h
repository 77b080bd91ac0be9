#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "oracle/interp/sare_interpreter.h"
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"

// Evaluates terms in one environment and on random inputs: terms that differ there need no attempt at a proof.
namespace haruspex::validator {

class Sampling {
public:
    // With `exact_reals`, floats that are close count as equal, because real numbers are computed with floats.
    Sampling(const Specification& specification, bool exact_reals)
        : specification_(specification), exact_reals_(exact_reals) {}

    // Whether a sample shows that the implementation's term does not refine the specification's in one of these
    // environments. False proves nothing: perhaps all environments have large numbers, a term's value is not known or
    // takes long to compute, or the two values happen to agree.
    bool differ(const Term& specification, const Term& implementation, const isl::set& environments);

private:
    class Place;
    // A run of the specification, at some sizes and on some inputs.
    struct Run {
        interp::InputFunction inputs;
        interp::SareInterpreter interpreter;
    };

    std::optional<isl::point> near(const isl::set& environments);

    const Specification& specification_;
    bool exact_reals_;
    std::vector<std::pair<isl::set, std::optional<isl::point>>> near_;  // the latest requests, with their results
    std::map<Sizes, std::vector<Run>> runs_;                            // by sizes; one for each seed of inputs
};

}  // namespace haruspex::validator
