#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// Algorithms as rfactor leaves them. Of
//
//   update f(t) = f(t) ⊕ e over R where p
//
// with the recurrence variables of R written over those of two other domains, the preserved u in U and v in V, it makes
//
//   g(x, u) = the neutral element of ⊕
//   update g(t, u) = g(t, u) ⊕ e over V where p and what U × V has beyond R is left out
//   update f(x) = f(x) ⊕ g(x, u) over U where the conjuncts of that condition that do not mention V
//
// which is the same wherever ⊕ is associative and commutative.
namespace haruspex::schedule::halide {

// One update that was cut in two. Variables of the loops of a split are named after both: k_ko.
struct Factoring {
    sare::Function before;
    std::size_t update = 0;               // of `before` and `merged`
    sare::Function intermediate, merged;  // g, and f with the other update
    sare::Substitution substitution;      // the variables of R over u, as g names them, and v
};

// Of a schedule's rfactor directives, in their order. An Error when the schedule names what does not exist, or breaks
// what rfactor asks (Rule::factored_update): then there is no such algorithm.
[[nodiscard]] Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm, const Schedule& schedule,
                                                        Vocabulary vocabulary);

// The algorithm with g before f and `merged` in the place of `before`, for one after the other (ENSURE that it has
// that).
sare::Algorithm factored(sare::Algorithm algorithm, const std::vector<Factoring>& factorings);

}  // namespace haruspex::schedule::halide
