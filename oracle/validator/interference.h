#pragma once

#include <isl/cpp.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/derivation.h"
#include "oracle/validator/expression.h"
#include "oracle/validator/obligation.h"

// What has to be shown of iterations of a par loop, and of lanes, because they may run in any order or at once
// (S-ParLoop in thesis Fig. 5.4, Lemmas 5.4.1 and 5.4.2).
//
// ww-covered asks, as in the thesis, first whether what all iterations leave is single-valued, and then about two
// iterations and a cell that both write. There its conflicts-ok compares two expressions; here both refine the other:
// where a specification is Undef, what is foretold of one iteration says nothing, and to refine it is not to agree with
// it. Cells of an output need no more than their own element asks of them at the end, which may be Undef: what one
// iteration leaves there beside it has to be Undef only where that is.
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

    // The array of an output, and what a cell of it holds in the end.
    void declare_output(const std::string& unique_name, heap::Template cell);

    // rw-safe(x, ι, dom(Δh), R): what an iteration writes no other one reads; nor accesses what it frees.
    void oblige_race_freedom(const sched::Stmt& stmt, const Iterations& loop, const Summary& body);
    // ww-covered: where two iterations (or lanes) write a cell, they write the same value. Of garbage that is not
    // known, nor where what is foretold may be Undef and then says nothing; but the cells of an output leave it open
    // what they hold where they, or the steps that lead to them, are Undef.
    void oblige_agreement(Kind kind, const sched::Stmt& stmt, const Iterations& loop, const heap::Delta& delta);

    // Whether two iterations, or lanes, of which agreement was asked may write one cell.
    bool shares_cells() const;

private:
    heap::Heap own_cells(const std::string& array, heap::Template t) const;
    heap::Heap told(const heap::Heap& heap, const std::function<bool(heap::Template)>& tells,
                    const std::function<heap::Heap(heap::Template)>& known) const;

    isl::ctx ctx_;
    heap::Templates& templates_;
    const TensorSignatures& tensors_;
    Obligations& obligations_;
    std::map<std::string, heap::Template> outputs_;  // by unique names of their arrays
    std::vector<Deferred<bool>> shared_;
};

}  // namespace haruspex::validator
