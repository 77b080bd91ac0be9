#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "oracle/interp/sare_interpreter.h"
#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"

// Terms in one environment and on inputs that are drawn: what differs there needs no attempt at a proof.
namespace haruspex::validator {

class Sampling {
public:
    // Real numbers that are close count as equal: they are computed with floats.
    Sampling(const Specification& specification, bool exact_reals)
        : specification_(specification), exact_reals_(exact_reals) {}

    // Whether the implementation's term is seen not to refine the specification's in one of the environments. False
    // says nothing: no environment is near, one of the terms is not known there or takes long, or they happen to agree.
    bool differ(const Term& specification, const Term& implementation, const isl::set& environments);

private:
    class Place;
    // Of the specification, at some sizes and on some inputs.
    struct Run {
        interp::InputFunction inputs;
        interp::SareInterpreter interpreter;
    };

    std::optional<isl::point> near(const isl::set& environments);

    const Specification& specification_;
    bool exact_reals_;
    std::vector<std::pair<isl::set, std::optional<isl::point>>> near_;  // what was asked for last
    std::map<Sizes, std::vector<Run>> runs_;                            // by the parameters; for each kind of inputs
};

}  // namespace haruspex::validator
