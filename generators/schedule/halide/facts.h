#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/algorithm.h"

// The facts that Halide derives when a function is defined; the legality of its schedule depends on them.
namespace haruspex::schedule::halide {

struct TensorAccess {
    std::string tensor;
    std::vector<sare::Index> indices;
    int component = 0;
    // Whether every variable of the indices is a variable or recurrence variable of the stage (not bound by a
    // reduction).
    bool over_stage_variables = true;
};

// Halide's prove_associativity (Associativity.cpp), as far as it is modelled: an operation that is associative here is
// associative for Halide too, and truly so over integers.
struct Associativity {
    bool associative = false;
    bool commutative = false;
    // Whether every component combines its old value; rfactor of another update would lose cells that were not written.
    bool accumulates = false;
};

struct StageFacts {
    std::vector<TensorAccess> accesses;        // all reads, including those of inputs and of the function itself
    std::map<std::string, bool> rvar_is_pure;  // ParallelRVar.cpp: values of the rvar touch no cell that another writes
    // Whether the stage neither reads the function nor depends on recurrence variables: any order writes the same
    // (is_const_assignment).
    bool is_const_assignment = false;
    Associativity operation;
    std::vector<std::string> pure_variables;  // named by the update's target at their own position, in order
};

struct Facts {
    sare::Function function;
    std::vector<StageFacts> stages;  // the pure definition, then the updates
    std::set<std::string> reads;     // functions and inputs, itself excluded
    bool has_float = false;
};

std::shared_ptr<const Facts> find_facts(const sare::Function& function);

// Appends all accesses of an expression.
void collect_accesses(const sare::Expr& expr, std::vector<TensorAccess>& accesses);

}  // namespace haruspex::schedule::halide
