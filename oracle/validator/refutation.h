#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/counterexamples/search.h"
#include "oracle/validator/discharge/budgets.h"
#include "oracle/validator/options.h"
#include "oracle/validator/round.h"

namespace haruspex::validator {

// A counterexample, and the obligation that it violates.
struct Refutation {
    std::size_t judgement = 0;  // its position
    Counterexample counterexample;
};

// Runs the program to refute it.
class Refuter {
public:
    // Borrows all arguments. `sums_fit`: a value that is Undef, as after an overflow, refutes nothing, unless inputs are
    // small numbers.
    Refuter(const sare::Sare& sare, const sched::Program& program, const Options& options, bool sums_fit,
            Budgets& budgets);

    // Sizes in the context at which the specification has no value, and the reason (Search::without_value_in).
    std::optional<std::string> without_value_in(const isl::set& context);
    // Runs a few small sizes. Most wrong programs are wrong there. Then only one failing obligation is needed for a
    // refutation, and the others are not judged.
    void probe(const isl::set& context);
    // The counterexample of `probe`, if it found one.
    const std::optional<Counterexample>& probed() const { return probed_; }

    // Searches where obligations are not shown, unless they were searched before. With `uses_models`, what a solver
    // found is tried first. If this finds nothing, returns the counterexample of `probe`, if there is one and some
    // obligation is not shown.
    std::optional<Refutation> refute(std::vector<Failure>& failures, bool uses_models);
    // The sizes of a few runs: "at N = 1; N = 3".
    std::string tried_sizes() const { return search_.tried_sizes(); }

private:
    std::optional<Refutation> probed_in(const std::vector<Failure>& failures) const;
    bool is_usable(const std::optional<smt::Model>& model) const;

    const Options& options_;
    Budgets& budgets_;
    bool needs_short_inputs_;  // a difference on others may come of rounding
    Search search_;
    std::optional<Counterexample> probed_;
};

}  // namespace haruspex::validator
