#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/smt/query.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::validator {

// Sizes and inputs at which the interpreters show that the program is wrong.
struct Counterexample {
    Sizes sizes;
    Inputs inputs;
    bool is_undef = false;  // see Trial
    std::string message;
    std::optional<interp::TroubleKind> trouble = std::nullopt;
};

// Runs a program once: `replay`, or Options::original, which runs the program from which this one was converted.
using Runner = std::function<Trial(const Sizes&, const Inputs&)>;

// Searches for sizes and inputs at which the interpreters show that a program is wrong.
class Search {
public:
    // `brief`: only a few runs, for cases in which nothing indicates a counterexample.
    enum class Effort : std::uint8_t { brief, thorough };

    // Borrows the specification. `fixed`: the parameters whose sizes are given. `styles`: of the inputs that are drawn;
    // only `small` for a proof about real numbers, since it says nothing about floats that round.
    Search(const sare::Sare& sare, const sched::Program& program, Sizes fixed, Runner run,
           std::vector<Inputs::Style> styles);

    // Tries the sizes and inputs of a model; without a model, some of the sizes at which these environments exist,
    // small ones first, with inputs of these styles. Sizes that were
    // tried thoroughly in vain are not tried again.
    std::optional<Counterexample> in(const isl::set& environments, const std::optional<smt::Model>& model,
                                     Effort effort = Effort::thorough);
    // The sizes of a few runs: "at N = 1; N = 3".
    std::string tried_sizes() const;
    // Looks for small sizes of these environments at which the specification has no value, or none that is found in a
    // million steps; returns the sizes and the reason. nullopt if there are none, or if all sizes are given.
    std::optional<std::string> without_value_in(const isl::set& environments) const;

private:
    std::optional<Counterexample> at(Sizes sizes, const Inputs& inputs);

    const sare::Sare& sare_;
    Sizes fixed_;
    Runner run_;
    std::vector<Inputs::Style> styles_;
    std::set<std::string> names_;  // parameters without a size
    std::set<Sizes> tried_;        // sizes tried thoroughly, in vain
    std::set<Sizes> runs_;         // sizes at which the program ran
    bool is_endless_ = false;      // whether the specification has no value at some sizes
};

}  // namespace haruspex::validator
