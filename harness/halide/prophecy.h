#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/halide/version.h"

// Prophecies in Halide's statements (thesis 5.6, 6.1): each Provide says which element of the specification it believes
// it computes. The value v of component c of stage n of function f becomes
//
//   prophecy:c:n:f(v, coordinate…, recurrence variable…)        a pure extern call
//
// which travels through all later passes and is transformed with the code. The recurrence variables of an update are
// those of its definition, in Halide's order: with the coordinates they are the indices of the stage tensor f.n
// (staging.h).
//
// Around the value rather than beside the store: of 994 random cases that Halide 14 lowers, the program with prophecies
// has the structure and the indices of the plain one in 975 (98.1%) this way; with the prophecy in a statement of its
// own before each Provide, an impure call that is evaluated, in 863 (86.8%). There predicated vector stores become
// loops with branches, since vectorize_loops does not predicate the call, and loops are partitioned otherwise or kept
// though empty. A pure call in such a statement, like a let that nobody uses, changes nothing, but simplify drops it:
// in 147 cases of 147 no prophecy was left. All but one of the cases that fail around the value fail beside the store
// too.
namespace haruspex::halide {

struct Prophecy {
    std::string function;      // in Halide's words
    std::optional<int> stage;  // of a function with updates
    int component = 0;
};

// Annotates a statement as schedule_functions makes it. Nothing is prophesied of an update that runs in another order
// than the specification's (reduction_order.h), for what it stores on the way is another partial result. After rfactor
// the specification is what that leaves (generators/schedule/halide/factoring.h).
Halide::Internal::Stmt add_prophecies(const Halide::Internal::Stmt& statement,
                                      const std::map<std::string, Halide::Internal::Function>& environment);

// split_tuples asks which components of a tuple an update reads, and does not look into the arguments of calls: a call
// around the value would change what it does. So before it the prophecies become lets that nobody uses, and calls again
// behind it:
//
//   prophecy(v, index…)   =   let prophecy#n = prophecy(0, index…) in v
Halide::Internal::Stmt hide_as_lets(const Halide::Internal::Stmt& statement);
Halide::Internal::Stmt show_as_calls(const Halide::Internal::Stmt& statement);

// What a call prophesies, if it is such a call. Its first argument is the value, the others are the indices.
std::optional<Prophecy> prophecy_of(const Halide::Internal::Call& call);

}  // namespace haruspex::halide
