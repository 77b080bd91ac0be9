#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/algorithm.h"

// What Halide finds out about a function when it is defined, and what its schedule's legality rests on.
namespace haruspex::schedule::halide {

struct TensorAccess {
    std::string tensor;
    std::vector<sare::Index> indices;
    int component = 0;
    // Every variable of the indices is a variable or recurrence variable of the stage (not bound by a reduction).
    bool over_stage_variables = true;
};

// Halide's prove_associativity (Associativity.cpp), as far as it is modelled: what is associative here is associative
// for Halide too, and truly so over integers.
struct Associativity {
    bool associative = false;
    bool commutative = false;
    // Every component combines its old value; rfactor of another update would lose cells that were not written.
    bool accumulates = false;
};

struct StageFacts {
    std::vector<TensorAccess> accesses;        // all reads, of inputs and of the function itself too
    std::map<std::string, bool> rvar_is_pure;  // ParallelRVar.cpp: no value of the rvar touches what another one writes
    // Neither reads the function nor depends on recurrence variables: any order writes the same (is_const_assignment).
    bool is_const_assignment = false;
    Associativity operation;
    std::vector<std::string> pure_variables;  // which the update's target names at their own position, in order
};

struct Facts {
    sare::Function function;
    std::vector<StageFacts> stages;  // the pure definition, then the updates
    std::set<std::string> reads;     // functions and inputs, itself excluded
    bool has_float = false;
};

std::shared_ptr<const Facts> find_facts(const sare::Function& function);

// All accesses of an expression, appended.
void collect_accesses(const sare::Expr& expr, std::vector<TensorAccess>& accesses);

}  // namespace haruspex::schedule::halide
