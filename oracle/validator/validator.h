#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/counterexamples/search.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/evaluation/evaluation.h"
#include "oracle/verdict/validation.h"

// Translation validation: whether a SCHED program with prophecies implements a SARE, for all sizes that the SARE's
// assumptions allow (or for some of them only: Options) and all inputs (thesis chapter 5). Prophecies are not trusted:
// a wrong one may lose a proof, and never makes one.
namespace haruspex::validator {

using verdict::name;
using verdict::Outcome;

struct Options {
    Ladder ladder;
    // Parameters with a fixed value, of the specification or of the program alone (strides of buffers). The verdict
    // covers these values, and all values of the other parameters.
    Sizes sizes;
    // Budgets, in isl's elementary operations: `operations` for the whole run, `evaluation_operations` of these for the
    // evaluation of each round, `obligation_operations` for each obligation including its deferred evaluation, and once
    // more for the whole search for counterexamples. After `most_exhausted` obligations exceed theirs, the proof is
    // given up.
    std::uint64_t operations = 500'000'000;
    std::uint64_t evaluation_operations = 50'000'000;
    std::uint64_t obligation_operations = 5'000'000;
    int most_exhausted = 4;
    std::uint64_t most_steps = 2'000'000;  // interpreter steps for each run of a counterexample
    // Runs the program from which this one was made, if there is one: a counterexample is then one to that program. If
    // that program is not wrong at some sizes and inputs, a fault of this one lies in how it was made.
    Runner original;
    // Stops when an access is not shown to lie within its array's dimensions; the remaining obligations are not looked
    // at.
    bool ends_at_bounds = false;
    bool explain = false;
    // Runs a few small sizes before the proof, because most wrong programs are wrong there. No proof depends on this.
    bool probes = true;
    // Called when a part of the work begins ("evaluation", …); for timing.
    std::function<void(std::string_view part)> on_part;

    void begin(std::string_view part) const {
        if (on_part) { on_part(part); }
    }
};

struct Judgement {
    enum class State : std::uint8_t {
        holds,
        not_shown,
        not_looked_at,  // a counterexample, an empty budget or an access out of bounds came first
    };
    Kind kind = Kind::value;
    std::string statement, rule;
    State state = State::not_looked_at;
    std::optional<Rung> rung;  // that shows the obligation
    std::string reason;        // why it is not shown
    std::string environments;  // where, in isl's notation
    std::vector<std::string> smt;

    bool holds() const { return state == State::holds; }
};
std::string_view name(Judgement::State state);  // "holds", …

// The outcome for a program, and the details of how it was reached.
struct Verdict : verdict::Validation {
    Verdict() = default;
    explicit Verdict(verdict::Validation said) : Validation(std::move(said)) {}

    // Replaces the outcome; keeps the details.
    void say(verdict::Validation said) { static_cast<Validation&>(*this) = std::move(said); }

    bool is_exhausted = false;                     // a budget was spent before everything was decided
    std::vector<Judgement> judgements;             // one for each obligation, in the order of the text
    std::optional<std::size_t> deciding;           // the judgement that decided against the program
    std::optional<Counterexample> counterexample;  // set for a refuted program; always confirmed
    // The error that the interpreters show although every obligation holds: a fault of the validator, and no proof.
    std::optional<std::string> contradiction;
    std::vector<std::string> disagreements;  // between Z3 and cvc5
    std::vector<std::string> unchecked;      // why cvc5 did not decide a query that Z3 decided
    std::vector<Step> steps;                 // set with Options::explain
    std::map<Rung, std::uint64_t> by_rung;   // obligations that hold, by the rung that showed them
    std::uint64_t operations = 0;            // spent, in isl's elementary operations
    std::uint64_t queries = 0, rlimit = 0;
    int rounds = 1;  // of evaluation, until all garbage writes were known
};

// The claim is refinement. Where the specification is Undef, the program may leave any value, but it must leave one,
// and iterations and lanes must not race for it (interference.h). Nothing is claimed for sizes at which an output's box
// has a negative extent. Indices are integers without bounds; up to which sizes a machine's integers agree with them is
// a separate question (pipeline/index_fit.h).
//
// Preconditions (ENSURE, as far as they can be checked): the specification and the program are well-formed, the program
// is well-typed by the extended rules, and it fits the specification. The same arguments give the same verdict with the
// same versions of isl and Z3.
Verdict validate(const sare::Sare& sare, const sched::Program& program, const Options& options = {});

// Prints the verdict for people: its obligations, what decided each of them, and the derivation if the verdict has
// steps.
std::string explain(const Verdict& verdict);

}  // namespace haruspex::validator
