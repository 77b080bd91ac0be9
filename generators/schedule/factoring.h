#pragma once

#include <cstddef>
#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"

// Algorithms in which an update is cut in two. From
//
//   update f(t) = f(t) ⊕ e over R where p
//
// with the recurrence variables of R written over those of two other domains, the preserved u in U and v in V, it makes
//
//   g(x, u) = the neutral element of ⊕
//   update g(t, u) = g(t, u) ⊕ e over V where p and the point of U × V lies in R
//   update f(x) = f(x) ⊕ g(x, u) over U where the conjuncts of that condition that do not mention V
//
// which is equivalent if ⊕ is associative and commutative.
namespace haruspex::schedule {

// One update cut in two.
struct Factoring {
    sare::Function before;
    std::size_t update = 0;               // of `before` and `merged`
    sare::Function intermediate, merged;  // g, and f with the other update
    sare::Substitution substitution;      // the variables of R over u, as g names them, and v
};

// The algorithm with g before f and with `merged` in the place of `before`, for each factoring in turn; it must contain
// `before` (ENSURE).
sare::Algorithm factored(sare::Algorithm algorithm, const std::vector<Factoring>& factorings);

}  // namespace haruspex::schedule
