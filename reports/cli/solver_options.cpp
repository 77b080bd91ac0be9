#include "reports/cli/solver_options.h"

#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"
#include "reports/cli/options.h"

namespace haruspex::cli {

void add_solver_options(CLI::App& command, SolverArguments& arguments) {
    std::vector<std::string> names;
    for (const smt::Solver one : smt::all_solvers) { names.emplace_back(name(one)); }
    command
        .add_option("--solver", arguments.solver,
                    "The solver of the validator's queries: z3; cvc5, on which alone the proofs then rest, and which "
                    "gives no counterexamples; or both: z3, and cvc5 is asked every query that z3 decides. z3 unless "
                    "given")
        ->check(CLI::IsMember(names))
        ->type_name("SOLVER");
    command.add_option("--cvc5", arguments.cvc5, "The program cvc5, a path or a name in PATH; cvc5 unless given")
        ->type_name("PROGRAM");
}

void add_cross_check_option(CLI::App& command, SolverArguments& arguments) {
    command
        .add_option("--cross-check", arguments.cross_check,
                    "With z3: put one in N of the validator's queries, chosen by a hash, to cvc5 as well; 0 for none. "
                    "4 unless given")
        ->check(whole_number())
        ->type_name("N");
}

smt::Solvers solvers_of(const SolverArguments& arguments, smt::Solvers usual) {
    if (arguments.solver) {
        const auto found = enumerator_named(smt::all_solvers, *arguments.solver);
        ENSURE(found.has_value(), "the command line allows names of solvers only");
        usual.solver = *found;
    }
    if (arguments.cvc5) { usual.cvc5.program = *arguments.cvc5; }
    if (arguments.cross_check) { usual.cross_check = *arguments.cross_check; }
    return usual;
}

Result<void> can_be_asked(const smt::Solvers& solvers) {
    if (solvers.solver == smt::Solver::z3) { return {}; }
    const auto there = smt::are_there(solvers);
    return there ? there : fail("--solver " + std::string(name(solvers.solver)) + ": " + there.error().message);
}

std::string contradictions_in(const smt::CrossChecks& checks) {
    std::string text;
    for (const smt::Contradiction& contradiction : checks.contradictions) {
        text += "\nSOLVERS DISAGREE\n" + file_of(contradiction);
    }
    return text;
}

}  // namespace haruspex::cli
