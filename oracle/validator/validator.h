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
#include "oracle/validator/discharge.h"
#include "oracle/validator/evaluation.h"
#include "oracle/validator/replay.h"
#include "oracle/verdict/validation.h"

// Whether a SCHED program with prophecies implements a SARE, for all sizes that the SARE's assumptions allow (or for
// some of them only: Options) and all inputs (thesis chapter 5). Prophecies are not trusted: a wrong one may lose a
// proof, and never makes one.
namespace haruspex::validator {

using verdict::name;
using verdict::Outcome;

struct Options {
    Ladder ladder;
    // Parameters that have one value only, of the specification's and of the program's own (strides of buffers). The
    // verdict is about these values, and about all that the other parameters may have.
    Sizes sizes;
    // Budgets in isl's elementary operations: of all there is to do; of it, of the evaluation; and of each obligation,
    // with what is evaluated for it. The search for counterexamples has an obligation's in all. After `most_exhausted`
    // obligations that cost more the program is given up: it is not going to be validated.
    std::uint64_t operations = 500'000'000;
    std::uint64_t evaluation_operations = 50'000'000;
    std::uint64_t obligation_operations = 5'000'000;
    int most_exhausted = 4;
    std::uint64_t most_steps = 2'000'000;  // of the interpreter, for each run of a counterexample
    // How another program does, of which this one was made: then a counterexample is one to that program. Where it is
    // in no trouble, a fault is one of the making.
    std::function<Trial(const Sizes&, const Inputs&)> original;
    // Ends where an access is not shown to lie within its dimensions, with the rest not looked at.
    bool ends_at_bounds = false;
    bool explain = false;
    // Runs a few small sizes before anything is proved: most wrong programs are wrong there. What is validated does not
    // hang on it.
    bool probes = true;
    // Called whenever a part of the work begins ("evaluation", …): for whoever times it.
    std::function<void(std::string_view part)> on_part;

    void begin(std::string_view part) const {
        if (on_part) { on_part(part); }
    }
};

// Sizes and inputs at which the interpreters show that the program is wrong.
struct Counterexample {
    Sizes sizes;
    Inputs inputs;
    bool is_undef = false;  // see Trial
    std::string message;
    std::optional<interp::TroubleKind> trouble = std::nullopt;
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
    std::optional<Rung> rung;  // that shows it
    std::string reason;        // why it is not shown
    std::string environments;  // where, in isl's notation
    std::vector<std::string> smt;

    bool holds() const { return state == State::holds; }
};
std::string_view name(Judgement::State state);  // "holds", …

// What is said of a program, and how it came about.
struct Verdict : verdict::Validation {
    Verdict() = default;
    explicit Verdict(verdict::Validation said) : Validation(std::move(said)) {}

    // Keeps how it came about.
    void say(verdict::Validation said) { static_cast<Validation&>(*this) = std::move(said); }

    bool is_exhausted = false;                     // a budget was spent before all was known
    std::vector<Judgement> judgements;             // of all obligations, in the order of the text
    std::optional<std::size_t> deciding;           // the judgement that decided against the program
    std::optional<Counterexample> counterexample;  // of a refuted program: always confirmed
    // What the interpreters say of a program of which every obligation holds: a fault of ours, and no proof.
    std::optional<std::string> contradiction;
    std::vector<std::string> disagreements;  // of Z3 and cvc5
    std::vector<std::string> unchecked;      // why cvc5 has no opinion of a query that Z3 decided
    std::vector<Step> steps;                 // with Options::explain
    std::map<Rung, std::uint64_t> by_rung;   // obligations that hold, by what showed them
    std::uint64_t operations = 0;            // isl's
    std::uint64_t queries = 0, rlimit = 0;
    int rounds = 1;  // of evaluation, until the garbage writes were known
};

// The claim is refinement: where the specification is Undef, nothing is said of what the program leaves but that there
// is something, and that iterations and lanes do not race for it (interference.h). Nothing is said of sizes at which an
// output's box has a negative extent. Indices are integers without bounds; up to which sizes a machine's are the same
// is another question (pipeline/index_fit.h).
//
// Both are well-formed, the program well-typed by the extended rules, and it fits the specification (ENSURE, as far as
// it can be told). The same
// arguments give the same verdict with the same versions of isl and Z3.
Verdict validate(const sare::Sare& sare, const sched::Program& program, const Options& options = {});

// For people: the verdict, what was obliged and what decided it; with the derivation when there are steps.
std::string explain(const Verdict& verdict);

}  // namespace haruspex::validator
