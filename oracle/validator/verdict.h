#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/smt/solvers.h"
#include "oracle/validator/counterexamples/search.h"
#include "oracle/validator/discharge/ladder.h"
#include "oracle/validator/evaluation/derivation.h"
#include "oracle/verdict/validation.h"

// What the validator says of a program, and how it came to say it.
namespace haruspex::validator {

using verdict::name;
using verdict::Outcome;

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
    // The error that the interpreters show although every obligation holds: a fault of the validator. The program then
    // does not count as proved.
    std::optional<std::string> contradiction;
    // A reduction of signed integers runs in another order, in which its sums may overflow.
    bool is_kept_by_overflow = false;
    smt::CrossChecks cross_checks;          // of the solvers, in all rounds
    std::vector<Step> steps;                // set with Options::explain
    std::map<Rung, std::uint64_t> by_rung;  // obligations that hold, by the rung that showed them
    std::uint64_t operations = 0;           // spent, in isl's elementary operations
    std::uint64_t queries = 0, rlimit = 0;
    int rounds = 1;  // of evaluation, until all garbage writes were known
};

}  // namespace haruspex::validator
