#pragma once

#include <optional>

#include "oracle/smt/solvers.h"
#include "oracle/validator/discharge/ladder.h"
#include "oracle/validator/discharge/sampling.h"
#include "oracle/validator/evaluation/obligation.h"
#include "oracle/validator/specification/specification.h"

// Discharges an obligation: climbs the ladder.
namespace haruspex::validator {

// Returns the rung (alignment or rewriting) that shows the outline of the obligation's equation, if one does; the
// equation then holds. With a sampling, here and below, no proof is attempted where terms are seen to differ.
std::optional<Rung> shows_outline(const Obligation& obligation, const Specification& specification,
                                  const heap::Templates& templates, const Ladder& ladder, smt::SolverSession& solvers,
                                  Sampling* sampling = nullptr);

Discharge discharge(const Obligation& obligation, const Specification& specification, const heap::Templates& templates,
                    const Ladder& ladder, smt::SolverSession& solvers, Sampling* sampling = nullptr);

}  // namespace haruspex::validator
