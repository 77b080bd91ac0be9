#pragma once

#include <optional>
#include <string>

#include "oracle/smt/query.h"
#include "oracle/smt/solvers.h"
#include "oracle/validator/discharge/ladder.h"
#include "oracle/validator/discharge/translation.h"

// The rungs of the ladder that ask a solver.
namespace haruspex::validator {

// Why no query answers a question with yes.
struct Unshown {
    std::string reason;
    std::optional<smt::Model> model;  // under which it fails
};

// Tries these rungs up to the ladder's highest; nullopt if one answers the question with yes. Adds the work, and the
// rung, to the discharge.
std::optional<Unshown> ask_solver(const Question& question, const Specification& specification, const Ladder& ladder,
                                  smt::Equality equality, smt::SolverSession& solvers, Discharge& discharge);

}  // namespace haruspex::validator
