#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/halide/version.h"

// Prophecies in Halide's statements (thesis 5.6, 6.1): each Provide names the cell of the specification that it claims
// to compute. The value v of component c of stage n of function f becomes
//
//   prophecy:c:n:f(v, coordinate…, recurrence variable…)        a pure extern call
//
// The call passes through all later passes and is transformed with the code. The recurrence variables of an update are
// those of its definition, in Halide's order. Together with the coordinates they are the indices of the stage tensor
// f.n (staging.h).
//
// The call is around the value rather than in a statement of its own before the Provide. Around the value, the program
// with prophecies has the structure and the indices of the plain program in 975 (98.1%) of 994 random cases that Halide
// 14 lowers. With an impure call in a statement of its own, it has them in 863 (86.8%): predicated vector stores become
// loops with branches, since vectorize_loops does not predicate the call, and loops are partitioned otherwise or kept
// although they are empty. A pure call in a statement of its own, like an unused let, changes nothing; but simplify
// drops it, and in 147 of 147 cases no prophecy is left. All but one of the cases that fail with the call around the
// value also fail with the impure call.
//
// An atomic update is vectorised by its form, f(x) = f(x) op e, and any other value is stored lane by lane. There the call
// is around e:
//
//   f(x) op prophecy:c:n:f(e, coordinate…, recurrence variable…)
//
// When the loop over recurrence variables has become lanes, this is inside a VectorReduce, and the store reduces one step
// for each lane.
namespace haruspex::halide {

struct Prophecy {
    std::string function;      // Halide's name of it
    std::optional<int> stage;  // if the function has updates
    int component = 0;
};

// Adds prophecies to a statement as schedule_functions makes it. If an update runs in another order than the
// specification's (reduction_order.h), its intermediate stores hold other partial results. Its prophecies then name the
// step that a store reduces, if the update computes the same in every order; otherwise it gets none. With
// rfactor, the specification is the factored algorithm (generators/schedule/halide/factoring.h).
Halide::Internal::Stmt add_prophecies(const Halide::Internal::Stmt& statement,
                                      const std::map<std::string, Halide::Internal::Function>& environment);

// split_tuples looks for the components of a tuple that an update reads, but not in the arguments of calls, so that a
// call around the value would change what the pass does. So prophecies become unused lets before this pass, and calls
// again after it:
//
//   prophecy(v, index…)   =   let prophecy#n = prophecy(0, index…) in v
Halide::Internal::Stmt hide_as_lets(const Halide::Internal::Stmt& statement);
Halide::Internal::Stmt show_as_calls(const Halide::Internal::Stmt& statement);

// Returns the prophecy if the call is one. Its first argument is the value, the others are the indices.
std::optional<Prophecy> prophecy_of(const Halide::Internal::Call& call);

}  // namespace haruspex::halide
