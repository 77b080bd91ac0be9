#pragma once

#include <isl/cpp.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/derivation.h"
#include "oracle/validator/determinacy.h"
#include "oracle/validator/expression.h"
#include "oracle/validator/obligation.h"

// What has to be shown of iterations of a par loop, and of lanes, because they may run in any order or at once
// (S-ParLoop in thesis Fig. 5.4, Lemmas 5.4.1 and 5.4.2).
//
// Iterations of a parallel loop, and lanes, that write one cell leave the same value in it, whatever the specification
// says of it. Where that may be Undef, two of them leave the same if they come of the same computation.
//
// This strengthens ww-covered, whose conflicts-ok compares what is prophesied of two iterations: where that is Undef, a
// write that refines it may leave anything (determinacy.h has when it is the same). As in the thesis it is asked first
// whether what all iterations leave is single-valued, and then about two of them and a cell that both write.
namespace haruspex::validator {

// What runs for each value of a variable: a loop's body, an assignment for its lanes.
struct Iterations {
    Scope scope;           // inside
    std::string variable;  // the isl parameter; of an assignment without lanes there is none
    isl::set running;      // the environments in which it runs
};

class Interference {
public:
    // What is given outlives it.
    Interference(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors, Obligations& obligations)
        : ctx_(ctx), templates_(templates), tensors_(tensors), obligations_(obligations) {}

    // Before anything else: the program's parameters, and whether floats are numbers. And each write, before what is
    // obliged is computed.
    void enter(std::set<std::string> parameters, bool are_numbers);
    void add_write(const heap::Value& prophesied, const Deferred<Equation>& equation) {
        determinacy_->add_write(prophesied, equation);
    }

    // rw-safe(x, ι, dom(Δh), R): what an iteration writes no other one reads; nor accesses what it frees.
    void oblige_race_freedom(const sched::Stmt& stmt, const Iterations& loop, const Summary& body);
    // ww-covered: where two iterations (or lanes) write a cell, they leave the same value. Of garbage that is not
    // known.
    void oblige_agreement(Kind kind, const sched::Stmt& stmt, const Iterations& loop, const heap::Delta& delta);

    // Whether two iterations, or lanes, of which agreement was asked may write one cell.
    bool shares_cells() const;

private:
    heap::Heap told(const heap::Heap& heap, const std::function<bool(heap::Template)>& tells) const;

    isl::ctx ctx_;
    heap::Templates& templates_;
    const TensorSignatures& tensors_;
    Obligations& obligations_;
    bool are_numbers_ = false;
    std::shared_ptr<Determinacy> determinacy_;
    std::vector<Deferred<bool>> shared_;
};

}  // namespace haruspex::validator
