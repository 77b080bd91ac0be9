#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <functional>
#include <string>

#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"
#include "tests/oracle/validator/random_terms.h"

// Whoever says that a term refines another one, of random pairs: evaluated at small sizes, wherever the specification's
// is defined, the implementation's has to be, and they have to be the same.
namespace haruspex::validator {

// Those of the environments in which it is shown that the implementation's term refines the specification's.
using Prover = std::function<isl::set(const Specification& specification, const Term& mine, const Term& theirs,
                                      const isl::set& environments)>;

struct Counts {
    std::size_t pairs = 0;
    std::size_t proved = 0, partly = 0;  // in all environments, in some
    std::size_t compared = 0;            // defined values of the specification, where there is a proof
    std::size_t proved_otherwise = 0;    // the two are written differently
};

// So many pairs of expressions over each of so many systems; CHECKs what is shown.
Counts compare(std::uint64_t systems, std::uint64_t pairs_of_each, Arithmetic arithmetic, const Prover& prover);

std::string text_of(const Counts& counts);

}  // namespace haruspex::validator
