#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/evaluation/interference.h"
#include "oracle/validator/evaluation/obligation.h"
#include "oracle/validator/flow/accumulation.h"
#include "oracle/validator/specification/staged_reductions.h"

// Reductions in any order (thesis 7.3 to 7.5). In a scope in which an array is accumulated into, its contents are not
// known by their values but by R, the steps that were reduced into each cell: { cell -> (x, k) }, with the indices x of
// the cell in the specification. A reduction heap ⟨h, ⟨O, R⟩⟩ of the thesis is a Δh without the array, and R. O is the
// operator of the one update that a scope accumulates.
//
//   RED-S-OPASSIGN  whatever value v the cell holds, the write leaves v ⊙ e(x, k)
//                   or, if it reduces a set of steps, v ⊙ e(x, k₀) ⊙ e(x, k₁) ⊙ …; no step is in the set twice
//   update-ok       two statements do not reduce one step into one cell (P-SEQ)
//   iupdate-ok      two iterations do not, either (P-SEQLOOP)
//   summarize       at the end of the scope (P-ACCUMULATE), all steps of the update that write x have been reduced into
//                   the cell, no others and for no other x, and before the scope it held the value before the update
//
// If these hold, the cell holds the value after the update, in whatever order the steps were reduced. Iterations of a
// parallel loop, and lanes, must accumulate into different cells (RED-S-PARLOOP; U-OPASSIGN counts an accumulation as a
// read and a write), except that iterations may share a cell if each accumulates in an atomic block inside the loop: the
// blocks run one after the other, in some order.
//
// Beyond the thesis, the reduction may be in the specification as an update, the value before it is arbitrary, and an
// accumulation may be written as an assignment that reads its cell.
namespace haruspex::validator {

// A scope of a program that accumulates one update, or a part of it.
struct Accumulation {
    std::string array;  // its name in the program
    AccumulationScope scope;
    StagedReduction reduction;
    Steps steps;
};

class Accumulations {
public:
    void add(Accumulation accumulation);
    bool is_empty() const { return all_.empty(); }
    // The scope that a write accumulates in; null if there is none.
    const Accumulation* of(const sched::Write& write) const;
    // The scope in which a value-let reads the array for a write (AccumulationScope::lets); null if there is none.
    const Accumulation* of(const sched::LetValue& let) const;
    // The scopes that begin before, or end after, the statement at this position of a block.
    std::vector<const Accumulation*> beginning(const sched::Block& block, std::size_t position) const;
    std::vector<const Accumulation*> ending(const sched::Block& block, std::size_t position) const;
    const std::vector<std::unique_ptr<const Accumulation>>& all() const { return all_; }

private:
    std::vector<std::unique_ptr<const Accumulation>> all_;
    std::map<const sched::Write*, const Accumulation*> by_write_;
    std::map<const sched::LetValue*, const Accumulation*> by_let_;
};

// R of a statement: { cell -> A.s@(x, k) }, any number of steps for each cell.
using Reduced = heap::Delta;

// The steps (x, k) that a write in a scope reduces:
//   A.s(x, k)                      this one
//   A(x)                           this one, if k is the reduced index of the write
//   ⊙ lanes l < n of (A.s(x, k))   one for each lane
// The names that a prophecy binds are over at its end: they are not those of the write.
struct ReducedSteps {
    std::vector<isl::pw_aff> indices;
    // Without a variable if there is one step. The scope is that of the write, where the lane is a parameter without a
    // name.
    Iterations lanes;
    std::int64_t count = 1;
};
ReducedSteps reduced_steps(const sched::Write& write, const Accumulation& accumulation, const Scope& scope);

// Whether `write` accumulates steps of the reduction, according to its prophecy.
bool is_step_of(const sched::Write& write, const StagedReduction& reduction);
// Whether the prophecy of `write` names several steps.
bool has_several_steps(const sched::Write& write);

// The heaps of one scope that follow from its R.
class Summarised {
public:
    Summarised(const Accumulation& accumulation, heap::Templates& templates, isl::ctx ctx);

    heap::Template partial() const { return partial_; }
    heap::Template step() const { return step_; }
    heap::Template operand() const { return operand_; }  // only if the reduction has operands
    heap::Template after() const { return after_; }

    // { cell -> A.s(x, m) }: what the scope leaves if its obligations hold.
    heap::Heap left(const heap::Heap& reduced) const;
    // { cell -> the value before the update }
    heap::Heap before(const heap::Heap& reduced) const;
    // The environments in which steps are reduced into some cell for two x, or not all steps are that write x, or others
    // are.
    isl::set incomplete(const heap::Heap& reduced) const;

private:
    heap::Template partial_, step_, operand_, after_, before_;
    // { A.s@[x, k] -> … }
    isl::union_map to_after_, to_before_, to_cell_, to_all_;
    isl::union_set steps_;
};

// update-ok and iupdate-ok: the environments in which one step is reduced into one cell twice.
isl::set reduced_by_both(const heap::Heap& a, const heap::Heap& b);
isl::set reduced_by_two_iterations(const heap::Heap& reduced, const Iterations& loop);
// The environments in which two iterations, or two lanes, accumulate into one cell.
isl::set shared_by_two_iterations(const heap::Heap& a, const heap::Heap& b, const Iterations& loop);

}  // namespace haruspex::validator
