#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/algorithm.h"

// The facts that Halide derives when a function is defined. The legality of the function's schedule depends on them.
namespace haruspex::schedule::halide {

struct TensorAccess {
    std::string tensor;
    std::vector<sare::Index> indices;
    int component = 0;
    // Whether the indices mention no variable that a reduction binds.
    bool over_stage_variables = true;
};

// A model of Halide's prove_associativity (Associativity.cpp). An operation that is associative here is associative for
// Halide, too, and really is so over integers.
struct Associativity {
    bool associative = false;
    bool commutative = false;
    // Whether every component combines its old value with something. rfactor of any other update would overwrite cells
    // that the update does not write.
    bool accumulates = false;
};

struct StageFacts {
    std::vector<TensorAccess> accesses;        // all reads, including those of inputs and of the function itself
    std::map<std::string, bool> rvar_is_pure;  // ParallelRVar.cpp: no iteration touches a cell that another one writes
    // Whether the stage's values neither read the function nor depend on recurrence variables, so that any order of the
    // iterations writes the same (is_const_assignment in Halide).
    bool is_const_assignment = false;
    Associativity operation;
    std::vector<std::string> pure_variables;  // those that are pure indices of the update's target, in order
};

struct Facts {
    sare::Function function;
    std::vector<StageFacts> stages;  // the pure definition, then the updates
    std::set<std::string> reads;     // the functions and inputs that the function reads, itself excluded
    bool has_float = false;
};

std::shared_ptr<const Facts> find_facts(const sare::Function& function);

// Appends all accesses of an expression.
void collect_accesses(const sare::Expr& expr, std::vector<TensorAccess>& accesses);

}  // namespace haruspex::schedule::halide
