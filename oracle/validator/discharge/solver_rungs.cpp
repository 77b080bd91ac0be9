#include "oracle/validator/discharge/solver_rungs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/smt/gates.h"

namespace haruspex::validator {
namespace {

constexpr std::uint64_t cheap_rlimit = 200'000;  // of a query with uninterpreted operations

// How a question becomes a query (translation.h).
enum class Encoding : std::uint8_t { opaque, numbers, with_indices };

// The floats of a query's operations: as the ladder chooses them, or functions of which nothing is known.
enum class FloatsAs : std::uint8_t { chosen, functions };

struct Attempt {
    Rung rung;
    Encoding encoding;
    FloatsAs floats = FloatsAs::chosen;
    smt::Sums sums = smt::Sums::ordered;
};

// Without indices first: with them, easy equations about bit-vectors are beyond a solver. Floats that are abstract become
// less so: functions, functions that are exact on special values, sums of multisets.
constexpr Attempt attempts[] = {
    {Rung::uninterpreted, Encoding::opaque},
    // An equation of integers may need no more of floats than that the same operations give the same results.
    {Rung::arithmetic, Encoding::numbers, FloatsAs::functions},
    {Rung::arithmetic, Encoding::numbers, FloatsAs::chosen},
    {Rung::arithmetic, Encoding::numbers, FloatsAs::chosen, smt::Sums::hashed},
    {Rung::uninterpreted, Encoding::with_indices},
    {Rung::arithmetic, Encoding::with_indices},
    {Rung::arithmetic, Encoding::with_indices, FloatsAs::chosen, smt::Sums::hashed},
};

Translation translated(const Question& question, const Specification& specification, Encoding encoding) {
    if (encoding == Encoding::with_indices) { return with_indices(question, specification); }
    return without_indices(question, specification,
                           encoding == Encoding::opaque ? Embedded::opaque : Embedded::numbers);
}

bool has_floats(const Translation& asked) {
    return std::ranges::any_of(smt::reachable(asked.terms, {asked.specification, asked.implementation}),
                               [&](smt::Term t) { return value::is_float(asked.terms.type(t)); });
}

smt::Outcome ask(const Translation& asked, const Ladder& ladder, const Attempt& attempt, smt::Floats floats,
                 smt::Equality equality, smt::SolverSession& solvers, Discharge& discharge) {
    const bool has_arithmetic = attempt.rung == Rung::arithmetic;
    smt::Query query;
    query.domain = asked.domain;
    query.specification = asked.specification;
    query.implementation = asked.implementation;
    query.abstraction = has_arithmetic ? smt::Abstraction::arithmetic : smt::Abstraction::uninterpreted;
    query.floats = floats;
    query.equality = equality;
    query.sums = attempt.sums;
    if (const std::uint64_t gates = smt::gates(asked.terms, query); gates > ladder.most_gates) {
        return {smt::Unknown{"a query of " + std::to_string(gates) + " gates is not put"}};
    }
    const std::uint64_t rlimit = has_arithmetic ? ladder.smt_rlimit : std::min(cheap_rlimit, ladder.smt_rlimit);
    smt::Outcome outcome = solvers.refines(asked.terms, query, rlimit);
    ++discharge.queries;
    discharge.rlimit += outcome.rlimit_spent;
    if (ladder.keep_queries) {
        if (auto text = smt::to_smtlib(asked.terms, query)) { discharge.smt.push_back(std::move(*text)); }
    }
    return outcome;
}

}  // namespace

std::optional<Unshown> ask_solver(const Question& question, const Specification& specification, const Ladder& ladder,
                                  smt::Equality equality, smt::SolverSession& solvers, Discharge& discharge) {
    std::map<Encoding, Translation> translations;  // each made when it is first asked for
    smt::Outcome last;
    for (const Attempt& attempt : attempts) {
        if (attempt.rung > ladder.highest) { continue; }
        if (!translations.contains(attempt.encoding)) {
            translations.emplace(attempt.encoding, translated(question, specification, attempt.encoding));
        }
        const Translation& asked = translations.at(attempt.encoding);
        auto floats = smt::Floats::ieee;
        if (attempt.floats == FloatsAs::functions) {
            if (!has_floats(asked)) { continue; }
            floats = smt::Floats::uninterpreted;
        } else if (ladder.floats == Floats::real && has_floats(asked)) {
            // Of values known up to rounding nothing is asked as if they were IEEE's.
            floats = smt::Floats::real;
        } else if (ladder.floats == Floats::abstract) {
            floats = smt::Floats::abstract;
        }
        const bool regroups = attempt.sums != smt::Sums::ordered;
        if (regroups && !(ladder.floats == Floats::abstract && ladder.regroups_sums && has_floats(asked))) { continue; }
        last = ask(asked, ladder, attempt, floats, equality, solvers, discharge);
        if (last.holds()) {
            discharge.rung = std::max(discharge.rung, attempt.rung);
            discharge.regroups_sums |= regroups;
            return std::nullopt;
        }
    }
    if (ladder.highest < Rung::uninterpreted) { return Unshown{"not equal without a solver", {}}; }
    if (ladder.highest < Rung::arithmetic) { return Unshown{"not equal without arithmetic", {}}; }
    if (const auto* fails = std::get_if<smt::Fails>(&last.answer)) { return Unshown{"not equal", fails->model}; }
    return Unshown{std::get<smt::Unknown>(last.answer).reason, {}};
}

}  // namespace haruspex::validator
