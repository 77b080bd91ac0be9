#pragma once

#include <cstddef>
#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"

// Algorithms in which an update is cut in two. The update
//
//   update f(t) = f(t) ⊕ e over R where p
//
// is cut by writing the recurrence variables of R as indices over two other domains: u in U, which is preserved, and v
// in V. It becomes
//
//   g(x, u) = the neutral element of ⊕
//   update g(t, u) = g(t, u) ⊕ e over V where c
//   update f(x) = f(x) ⊕ g(x, u) over U where d
//
// c says that p holds and that (u, v) stands for a point of R. d is the conjunction of those conjuncts of c that do not
// mention v. The result is equivalent if ⊕ is associative and commutative.
namespace haruspex::schedule {

// One update cut in two.
struct Factoring {
    sare::Function before;
    std::size_t update = 0;               // number of the update in `before` and in `merged`, from 0
    sare::Function intermediate, merged;  // g, and f with the new update
    sare::Substitution substitution;      // the variables of R as indices over v and u, with g's names for them
};

// Makes each factoring in turn: puts `merged` in the place of `before`, which the algorithm must contain (ENSURE), and
// g before it.
sare::Algorithm factored(sare::Algorithm algorithm, const std::vector<Factoring>& factorings);

}  // namespace haruspex::schedule
