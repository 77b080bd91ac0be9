#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <functional>
#include <string>

#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"
#include "tests/oracle/validator/random_terms.h"

// Tests a prover of refinement on random pairs of terms, by evaluation at small sizes: wherever the specification's
// term is defined, the implementation's must be defined and equal.
namespace haruspex::validator {

// Returns the environments in which the implementation's term is shown to refine the specification's.
using Prover = std::function<isl::set(const Specification& specification, const Term& mine, const Term& theirs,
                                      const isl::set& environments)>;

struct Counts {
    std::size_t pairs = 0;
    std::size_t proved = 0, partly = 0;  // in all environments, in some
    std::size_t compared = 0;            // defined values of the specification in proved environments
    std::size_t proved_otherwise = 0;    // of these: pairs that are written differently
};

// Compares `pairs_of_each` pairs of expressions over each of `systems` systems; CHECKs every proof.
Counts compare(std::uint64_t systems, std::uint64_t pairs_of_each, Arithmetic arithmetic, const Prover& prover);

std::string text_of(const Counts& counts);

}  // namespace haruspex::validator
