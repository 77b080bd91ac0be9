#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/halide/version.h"

// Prophecies in Halide's statements (thesis 5.6, 6.1): each Provide names the element of the specification that it
// claims to compute. The value v of component c of stage n of function f becomes
//
//   prophecy:c:n:f(v, coordinate…, recurrence variable…)        a pure extern call
//
// The call passes through all later passes and is transformed with the code. The recurrence variables of an update are
// those of its definition, in Halide's order: together with the coordinates they are the indices of the stage tensor
// f.n (staging.h).
//
// The call is around the value rather than beside the store. Of 994 random cases that Halide 14 lowers, the program
// with prophecies has the structure and the indices of the plain one in 975 (98.1%) this way. With the prophecy in a
// statement of its own before each Provide, an impure call that is evaluated, it has them in 863 (86.8%): predicated
// vector stores become loops with branches, since vectorize_loops does not predicate the call, and loops are
// partitioned otherwise or kept though empty. A pure call in such a statement, like an unused let, changes nothing, but
// simplify drops it: in 147 of 147 cases no prophecy was left. All but one of the cases that fail around the value also
// fail beside the store.
namespace haruspex::halide {

struct Prophecy {
    std::string function;      // in Halide's names
    std::optional<int> stage;  // for a function with updates
    int component = 0;
};

// Annotates a statement as schedule_functions makes it. An update that runs in another order than the specification's
// (reduction_order.h) gets no prophecies, since its intermediate stores hold other partial results. After rfactor, the
// specification is the one that rfactor leaves (generators/schedule/halide/factoring.h).
Halide::Internal::Stmt add_prophecies(const Halide::Internal::Stmt& statement,
                                      const std::map<std::string, Halide::Internal::Function>& environment);

// split_tuples looks for the components of a tuple that an update reads, but not in the arguments of calls: a call
// around the value would change its result. Before this pass the prophecies therefore become unused lets, and after it
// calls again:
//
//   prophecy(v, index…)   =   let prophecy#n = prophecy(0, index…) in v
Halide::Internal::Stmt hide_as_lets(const Halide::Internal::Stmt& statement);
Halide::Internal::Stmt show_as_calls(const Halide::Internal::Stmt& statement);

// Returns the prophecy if the call is one. Its first argument is the value, the others are the indices.
std::optional<Prophecy> prophecy_of(const Halide::Internal::Call& call);

}  // namespace haruspex::halide
