#include "oracle/smt/solvers.h"

#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/fnv1a.h"

namespace haruspex::smt {

std::string_view name(Solver solver) {
    switch (solver) {
        case Solver::z3: return "z3";
        case Solver::cvc5: return "cvc5";
        case Solver::both: return "both";
    }
    raise_internal_error(__FILE__, __LINE__, "no such solver");
}

std::string_view name(Satisfiability answer) {
    switch (answer) {
        case Satisfiability::sat: return "sat";
        case Satisfiability::unsat: return "unsat";
        case Satisfiability::unknown: return "unknown";
    }
    raise_internal_error(__FILE__, __LINE__, "no such answer");
}

std::string to_string(const Contradiction& contradiction) {
    return "z3 says " + std::string(name(contradiction.z3)) + ", cvc5 says " + std::string(name(contradiction.cvc5));
}

std::string file_of(const Contradiction& contradiction) {
    return "; " + to_string(contradiction) + "\n" + contradiction.query;
}

void CrossChecks::add(const CrossChecks& more) {
    agreed += more.agreed;
    undecided += more.undecided;
    unanswered += more.unanswered;
    contradictions.insert(contradictions.end(), more.contradictions.begin(), more.contradictions.end());
    if (reason.empty()) { reason = more.reason; }
}

std::string to_string(const CrossChecks& checks) {
    std::string text = std::to_string(checks.checked()) + " by cvc5";
    const char* separator = ": ";
    const auto add = [&](std::uint64_t count, const char* words) {
        if (count == 0) { return; }
        text += separator + std::to_string(count) + words;
        separator = ", ";
    };
    add(checks.agreed, " agreed");
    add(checks.undecided, " undecided");
    add(checks.unanswered, " unanswered");
    add(checks.contradictions.size(), " CONTRADICTED");
    return text + (checks.reason.empty() ? "" : " (" + checks.reason.substr(0, checks.reason.find('\n')) + ")");
}

Outcome SolverSession::refines(const Terms& terms, const Query& query, std::uint64_t rlimit) {
    if (solvers_.solver == Solver::cvc5) { return ask_cvc5(terms, query, rlimit); }
    Outcome outcome = smt::refines(terms, query, rlimit);
    const bool may_be_checked = solvers_.solver == Solver::both || solvers_.cross_check > 0;
    if (!may_be_checked || outcome.is_unknown()) { return outcome; }
    const auto text = to_smtlib(terms, query);
    ENSURE(text.has_value(), "a query that was decided can be written");
    if (is_in_share(*text) && is_contradicted(*text, outcome.holds())) {
        outcome.answer = Unknown{to_string(checks_.contradictions.back())};
    }
    return outcome;
}

bool SolverSession::is_in_share(const std::string& text) const {
    return solvers_.solver == Solver::both || fnv1a(text) % solvers_.cross_check == 0;
}

bool SolverSession::is_contradicted(const std::string& text, bool holds) {
    const auto second = check_with_cvc5(text, solvers_.cvc5);
    const auto because = [&](const std::string& reason) {
        if (checks_.reason.empty()) { checks_.reason = reason; }
        return false;
    };
    if (!second) {
        ++checks_.unanswered;
        return because(second.error().message);
    }
    const Satisfiability first = holds ? Satisfiability::unsat : Satisfiability::sat;
    if (second->answer == Satisfiability::unknown) {
        ++checks_.undecided;
        return because("cvc5: " + second->reason);
    }
    if (second->answer == first) {
        ++checks_.agreed;
        return false;
    }
    checks_.contradictions.push_back({text, first, second->answer});
    return true;
}

Outcome SolverSession::ask_cvc5(const Terms& terms, const Query& query, std::uint64_t rlimit) const {
    const auto text = to_smtlib(terms, query);
    if (!text) { return {Unknown{text.error().message}, 0}; }
    const auto said = check_with_cvc5(*text, solvers_.cvc5);
    if (!said) { return {Unknown{said.error().message}, rlimit}; }
    switch (said->answer) {
        case Satisfiability::unsat: return {Holds{}, 0};
        case Satisfiability::sat: return {Fails{}, 0};
        case Satisfiability::unknown: return {Unknown{"cvc5: " + said->reason}, rlimit};
    }
    raise_internal_error(__FILE__, __LINE__, "no such answer");
}

Result<void> are_there(const Solvers& solvers) {
    if (solvers.solver == Solver::z3 && solvers.cross_check == 0) { return {}; }
    const auto trial = check_with_cvc5("(set-logic ALL)\n(check-sat)\n", solvers.cvc5);
    return trial ? Result<void>() : fail(trial.error());
}

}  // namespace haruspex::smt
