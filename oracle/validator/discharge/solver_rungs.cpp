#include "oracle/validator/discharge/solver_rungs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/ensure.h"
#include "oracle/smt/cvc5.h"
#include "oracle/smt/gates.h"

namespace haruspex::validator {
namespace {

constexpr std::uint64_t cheap_rlimit = 200'000;  // of a query with uninterpreted operations

// How a question becomes a query (translation.h).
enum class Encoding : std::uint8_t { opaque, numbers, with_indices };

// The floats of a query's operations: as the ladder chooses them, or functions of which nothing is known.
enum class FloatsAs : std::uint8_t { chosen, functions };

struct Step {
    Rung rung;
    Encoding encoding;
    FloatsAs floats = FloatsAs::chosen;
};

// In the order of the attempts. Without indices first: with them, easy equations about bit-vectors are beyond a solver.
// An equation of integers may need no more of floats than that the same operations give the same results.
constexpr Step steps[] = {
    {Rung::uninterpreted, Encoding::opaque},    {Rung::arithmetic, Encoding::numbers, FloatsAs::functions},
    {Rung::arithmetic, Encoding::numbers},      {Rung::uninterpreted, Encoding::with_indices},
    {Rung::arithmetic, Encoding::with_indices},
};

// The translations of a question, each made when it is first asked for.
class Translations {
public:
    Translations(const Question& question, const Specification& specification)
        : question_(question), specification_(specification) {}

    const Translation& operator()(Encoding encoding) {
        const auto known = made_.find(encoding);
        return known != made_.end() ? known->second : made_.emplace(encoding, made(encoding)).first->second;
    }

private:
    Translation made(Encoding encoding) const {
        switch (encoding) {
            case Encoding::opaque: return without_indices(question_, specification_, Embedded::opaque);
            case Encoding::numbers: return without_indices(question_, specification_, Embedded::numbers);
            case Encoding::with_indices: return with_indices(question_, specification_);
        }
        raise_internal_error(__FILE__, __LINE__, "no such encoding");
    }

    const Question& question_;
    const Specification& specification_;
    std::map<Encoding, Translation> made_;
};

bool has_floats(const Translation& asked) {
    return std::ranges::any_of(smt::reachable(asked.terms, {asked.specification, asked.implementation}),
                               [&](smt::Term t) { return value::is_float(asked.terms.type(t)); });
}

}  // namespace

std::optional<SolverRungs::Unshown> SolverRungs::climb(const Question& question, Discharge& discharge) const {
    Translations translations(question, specification_);
    smt::Outcome last;
    for (const Step& step : steps) {
        if (step.rung > ladder_.highest) { continue; }
        const Translation& asked = translations(step.encoding);
        const bool are_functions = step.floats == FloatsAs::functions;
        if (are_functions && !has_floats(asked)) { continue; }
        // Of values known up to rounding nothing is asked as if they were IEEE's.
        const bool are_real = ladder_.floats == Floats::real && has_floats(asked);
        last = ask(asked, step.rung,
                   are_functions ? smt::Floats::uninterpreted
                   : are_real    ? smt::Floats::real
                                 : smt::Floats::ieee,
                   discharge);
        if (last.holds()) {
            discharge.rung = std::max(discharge.rung, step.rung);
            return std::nullopt;
        }
    }
    if (ladder_.highest < Rung::uninterpreted) { return Unshown{"not equal without a solver", {}}; }
    if (ladder_.highest < Rung::arithmetic) { return Unshown{"not equal without arithmetic", {}}; }
    if (const smt::Model* model = last.counterexample()) { return Unshown{"not equal", *model}; }
    return Unshown{std::get<smt::Unknown>(last.answer).reason, {}};
}

smt::Outcome SolverRungs::ask(const Translation& asked, Rung rung, smt::Floats floats, Discharge& discharge) const {
    const bool has_arithmetic = rung == Rung::arithmetic;
    smt::Query query;
    query.domain = asked.domain;
    query.specification = asked.specification;
    query.implementation = asked.implementation;
    query.abstraction = has_arithmetic ? smt::Abstraction::arithmetic : smt::Abstraction::uninterpreted;
    query.floats = floats;
    query.equality = equality_;
    if (const std::uint64_t gates = smt::gates(asked.terms, query); gates > ladder_.most_gates) {
        return {smt::Unknown{"a query of " + std::to_string(gates) + " gates is not put"}};
    }
    const std::uint64_t rlimit = has_arithmetic ? ladder_.smt_rlimit : std::min(cheap_rlimit, ladder_.smt_rlimit);
    smt::Outcome outcome = smt::refines(asked.terms, query, rlimit);
    ++discharge.queries;
    discharge.rlimit += outcome.rlimit_spent;
    if (!ladder_.keep_queries && !ladder_.check_with_cvc5) { return outcome; }
    const auto text = smt::to_smtlib(asked.terms, query);
    if (!text) { return outcome; }
    if (ladder_.keep_queries) { discharge.smt.push_back(*text); }
    if (ladder_.check_with_cvc5 && !outcome.is_unknown()) { ask_cvc5(*text, outcome, discharge); }
    return outcome;
}

void SolverRungs::ask_cvc5(const std::string& text, const smt::Outcome& outcome, Discharge& discharge) const {
    const auto second = smt::check_with_cvc5(text);
    if (!second) {
        discharge.unchecked.push_back(second.error().message);
    } else if (second->answer == smt::Satisfiability::unknown) {
        discharge.unchecked.push_back("cvc5: " + second->reason);
    } else if ((second->answer == smt::Satisfiability::unsat) != outcome.holds()) {
        discharge.disagreements.push_back(std::string("z3 says ") + (outcome.holds() ? "unsat" : "sat") +
                                          ", cvc5 the opposite");
    }
}

}  // namespace haruspex::validator
