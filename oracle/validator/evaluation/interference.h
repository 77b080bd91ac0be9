#pragma once

#include <isl/cpp.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/evaluation/derivation.h"
#include "oracle/validator/evaluation/determinacy.h"
#include "oracle/validator/evaluation/expression.h"
#include "oracle/validator/evaluation/obligation.h"

// Obligations on iterations of a par loop, and on lanes, because they may run in any order or at once (S-ParLoop in
// thesis Fig. 5.4, Lemmas 5.4.1 and 5.4.2).
//
// Iterations of a par loop, or lanes, that write one cell must leave the same value in it, whatever the specification
// says about it. Where the prophesied value may be Undef, they do if they compute it in the same way (determinacy.h).
//
// This is stronger than ww-covered, whose conflicts-ok compares the prophesied values of two iterations: where these
// are Undef, a write that refines them may leave any value. As in the thesis, the first test is whether the union of
// what all iterations leave is single-valued; the second considers two iterations and a cell that both write.
namespace haruspex::validator {

// The iterations of a loop's body over the loop's variable, or of an assignment over its lanes.
struct Iterations {
    Scope scope;           // inside the body or the assignment
    std::string variable;  // the isl parameter; empty for an assignment without lanes
    isl::set running;      // the environments in which an iteration runs
};

class Interference {
public:
    // The arguments must outlive it.
    Interference(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors, Obligations& obligations)
        : ctx_(ctx), templates_(templates), tensors_(tensors), obligations_(obligations) {}

    // Must be called first, with the program's parameters, and whether floats are numbers.
    void enter(std::set<std::string> parameters, bool are_numbers);
    // Must be called for each write before any obligation is computed.
    void add_write(const heap::Value& prophesied, const Deferred<Equation>& equation) {
        determinacy_->add_write(prophesied, equation);
    }

    // rw-safe(x, ι, dom(Δh), R): no other iteration reads a cell that an iteration writes, or accesses an array that it
    // frees.
    void oblige_race_freedom(const sched::Stmt& stmt, const Iterations& loop, const Summary& body);
    // ww-covered: if two iterations (or lanes) write one cell, they leave the same value in it. For garbage this is
    // never shown.
    void oblige_agreement(Kind kind, const sched::Stmt& stmt, const Iterations& loop, const heap::Delta& delta);

    // Whether two iterations, or lanes, may write one cell, among those given to oblige_agreement.
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
