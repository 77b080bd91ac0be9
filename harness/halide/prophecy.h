#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/halide/version.h"

// Prophecies in Halide's statements (thesis 5.6, 6.1): each Provide says which element of the specification it believes
// it computes. The value v of component c of stage n of function f becomes
//
//   prophecy:c:f.n(v, coordinate…, recurrence variable…)        a pure extern call
//
// which travels through all later passes and is transformed with the code. The recurrence variables of an update are
// those of its definition, in Halide's order: with the coordinates they are the indices of the stage tensor f.n
// (staging.h).
namespace haruspex::halide {

struct Prophecy {
    std::string tensor;  // the stage tensor: "f" for a function without updates, else "f.n"
    int component = 0;
};

// Annotates a statement as schedule_functions makes it. Stages of which a recurrence variable is not in scope stay as
// they are (rfactor takes variables away from an update).
Halide::Internal::Stmt foretell(const Halide::Internal::Stmt& statement,
                                const std::map<std::string, Halide::Internal::Function>& environment);

// What a call foretells, if it is such a call. Its first argument is the value, the others are the indices.
std::optional<Prophecy> prophecy_of(const Halide::Internal::Call& call);

}  // namespace haruspex::halide
