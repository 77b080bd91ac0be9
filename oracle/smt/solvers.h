#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/smt/cvc5.h"
#include "oracle/smt/query.h"

// Z3 and cvc5 behind one interface.
namespace haruspex::smt {

enum class Solver : std::uint8_t {
    z3,
    cvc5,  // answers rest on cvc5 alone; no model is read from it
    both,  // Z3 answers, and cvc5 is asked each query that Z3 decided
};
inline constexpr std::array all_solvers{Solver::z3, Solver::cvc5, Solver::both};
std::string_view name(Solver solver);  // "z3", …

struct Solvers {
    Solver solver = Solver::z3;
    // With z3: one query in `cross_check`, chosen by a hash of its text, is treated as with `both`. 0: none.
    std::uint64_t cross_check = 0;
    Cvc5 cvc5 = {};
};

// A query that one solver calls satisfiable and the other one unsatisfiable: one of the two is wrong, or our text is.
struct Contradiction {
    std::string query;  // SMT-LIB text
    Satisfiability z3 = Satisfiability::unknown, cvc5 = Satisfiability::unknown;
    bool operator==(const Contradiction&) const = default;
};
std::string_view name(Satisfiability answer);  // "sat", …
// "z3 says unsat, cvc5 says sat"
std::string to_string(const Contradiction& contradiction);
// The query, headed by a comment with the two answers.
std::string file_of(const Contradiction& contradiction);

// The answers of the second solver, to queries that Z3 decided.
struct CrossChecks {
    std::uint64_t agreed = 0;
    std::uint64_t undecided = 0;   // the second solver's budget was spent
    std::uint64_t unanswered = 0;  // the program is missing, died or rejected the query
    std::vector<Contradiction> contradictions;
    std::string reason;  // of the first query that is undecided or unanswered

    std::uint64_t checked() const { return agreed + undecided + unanswered + contradictions.size(); }
    void add(const CrossChecks& more);
    bool operator==(const CrossChecks&) const = default;
};
// "7 by cvc5: 5 agreed, 1 undecided (REASON), 1 CONTRADICTED"; counts of zero are left out.
std::string to_string(const CrossChecks& checks);

// Asks the chosen solvers, and keeps what they say of each other.
class SolverSession {
public:
    explicit SolverSession(Solvers solvers = {}) : solvers_(std::move(solvers)) {}

    // As refines() in query.h, which answers for z3. Two answers that contradict each other are Unknown: they prove
    // nothing. If cvc5 answers alone, Fails has no model, its budget is Cvc5::rlimit, and a query that it does not decide
    // counts as having spent `rlimit`.
    Outcome refines(const Terms& terms, const Query& query, std::uint64_t rlimit);

    const CrossChecks& cross_checks() const { return checks_; }

private:
    Outcome ask_cvc5(const Terms& terms, const Query& query, std::uint64_t rlimit) const;
    // Whether cvc5 contradicts Z3's answer to the query; counts what it says.
    bool is_contradicted(const std::string& text, bool holds);
    bool is_in_share(const std::string& text) const;

    Solvers solvers_;
    CrossChecks checks_;
};

// An Error if cvc5 would be asked and cannot be run.
[[nodiscard]] Result<void> are_there(const Solvers& solvers);

}  // namespace haruspex::smt
