#pragma once

#include <cstdint>
#include <string>

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/policy.h"
#include "generators/schedule/halide/vocabulary.h"

namespace haruspex::schedule::halide {

// A schedule that is being drawn. The references must outlive it.
struct Drawing {
    Choices& choices;
    const Policy& policy;
    const sare::Algorithm& algorithm;
    Vocabulary vocabulary;
    Admission admission;
    Schedule schedule = {};

    Drawing(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm, Vocabulary vocabulary)
        : choices(choices),
          policy(policy),
          algorithm(algorithm),
          vocabulary(vocabulary),
          admission(algorithm, vocabulary) {}

    // Adds the directive if it is admitted and the tensor's extents then still fit.
    bool propose(const StageRef& stage, Action action);
    // Whether the schedule breaks no rule as it is.
    bool is_complete() const;

    struct Saved {
        Admission admission;
        Schedule schedule;
    };
    Saved saved() const { return {admission, schedule}; }
    void restore(const Saved& before);

    // Null for an intermediate of rfactor.
    const sare::Function* function_of(const std::string& tensor) const;
    std::int64_t draw_factor() const { return draw_factor(policy.factor); }
    std::int64_t draw_factor(const Weights<6>& weights) const;
};

}  // namespace haruspex::schedule::halide
