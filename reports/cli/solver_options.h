#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "oracle/smt/solvers.h"

// The options of commands that ask a solver, and what they print where two solvers contradict each other.
namespace haruspex::cli {

struct SolverArguments {
    std::optional<std::string> solver, cvc5;  // absent unless given
    std::optional<std::uint64_t> cross_check;
};

// Adds --solver and --cvc5.
void add_solver_options(CLI::App& command, SolverArguments& arguments);
// Adds --cross-check, for a campaign.
void add_cross_check_option(CLI::App& command, SolverArguments& arguments);

// Takes what is not given from `usual`.
smt::Solvers solvers_of(const SolverArguments& arguments, smt::Solvers usual = {});

// An Error if cvc5 is asked for by --solver and cannot be run.
[[nodiscard]] Result<void> can_be_asked(const smt::Solvers& solvers);

// Returns each query on which the solvers contradict each other, under a heading; nothing if there is none.
std::string contradictions_in(const smt::CrossChecks& checks);

}  // namespace haruspex::cli
