#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/evaluation/derivation.h"
#include "oracle/validator/evaluation/expression.h"
#include "oracle/validator/evaluation/garbage.h"
#include "oracle/validator/evaluation/interference.h"
#include "oracle/validator/evaluation/obligation.h"
#include "oracle/validator/evaluation/reduction.h"

// Prophetic evaluation (thesis Fig. 5.3) summarises what each statement writes from the prophecies alone. Symbolic
// evaluation (Fig. 5.4) walks the program again, with the heap in which each statement runs, and yields the
// obligations. The heap of a loop iteration is what the iterations before it prophesied, so no invariant has to be
// found (Lemma 5.4.3: both evaluations agree on Δh).
//
// Beyond the thesis:
//   - A cell in no relation of the heap is Uninit. It may be read, but no equation holds of a value that depends on it.
//   - Garbage (9.9): where the value of a write is known to depend on memory not written, the write leaves Uninit,
//     whatever it prophesies, and nothing has to be shown about it. Where the value may also be Undef, it leaves
//     Unknown, since Uninit would claim too much (garbage.h).
//   - A write without a prophecy writes Unknown.
//   - `free a` is a write to a cell of its own. An access to `a` is an error in environments where the heap has this
//     cell.
//   - All lanes of an assignment read the heap before it. They write different locations, or leave the same value.
//   - A value-let is evaluated in the heap in which it stands.
//   - In the scopes of reductions (7.5), an array is known by the steps that were reduced into its cells (reduction.h).
namespace haruspex::validator {

class Evaluation {
public:
    // The arguments must outlive the evaluation. `are_numbers`: no float is NaN, and zeros of either sign are equal. No
    // write in `accumulations` is garbage, and `tensors` has the tensors of their reductions. The derivation is added to
    // `steps` unless that is null.
    Evaluation(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors, const Garbage& garbage,
               const Accumulations& accumulations, bool are_numbers = false, std::vector<Step>* steps = nullptr);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    // Sets up Γ and the heap at the program's start: the parameters and assumptions, the arrays, the inputs' cells. A
    // parameter with a size is that number.
    void enter(const sched::Program& program, const isl::set& assumptions, const Sizes& sizes = {});
    // Applies Fig. 5.3 to the whole program; returns its Δh.
    heap::Delta prophetic(const sched::Block& body);
    // Applies Fig. 5.4, once, after `prophetic`; returns the obligations in the order of the text.
    std::vector<Obligation> symbolic(const sched::Block& body);
    // Whether two iterations of a par loop, or two lanes, may write one cell. To be called after symbolic evaluation.
    bool shares_cells() const;
    const Scope& scope() const { return scope_; }
    // The location in an array that belongs to these coordinates of its tensor.
    heap::Location location(const sched::Array& array, const std::vector<isl::pw_aff>& coordinates) const;

private:
    Summary block(const sched::Block& block, std::size_t first, Scope scope);
    Summary statement(const sched::Stmt& stmt, const Scope& scope);
    Summary summarise(const sched::Stmt& stmt, const sched::Assign& assign, const Scope& scope);
    Summary summarise(const sched::Stmt& stmt, const sched::For& loop, const Scope& scope);
    Summary summarise(const sched::Stmt& stmt, const sched::If& branch, const Scope& scope);

    void walk(const sched::Block& block, Scope scope, heap::Memory memory, int level);
    void walk(const sched::Stmt& stmt, const Scope& scope, const heap::Memory& memory, int level);
    void walk_assign(const sched::Stmt& stmt, const sched::Assign& assign, const Scope& scope,
                     const heap::Memory& memory, int level);
    void walk_assert(const sched::Stmt& stmt, const sched::Assert& assertion, const Scope& scope,
                     const heap::Memory& memory);
    void walk_loop(const sched::Stmt& stmt, const sched::For& loop, const Scope& scope, const heap::Memory& memory,
                   int level);

    static heap::Delta before_iteration(const Summary& body, const Iterations& loop, const isl::set& earlier);

    Iterations enter(const sched::For& loop, const Scope& scope) const;
    Iterations enter(const sched::Assign& assign, const Scope& scope) const;
    void allocate(const sched::Allocate& allocate, Scope& scope) const;
    heap::Heap input(const sched::Array& array, const ArrayInScope& here) const;
    heap::Heap write(const sched::Write& write, const Scope& scope) const;
    heap::Heap reduced(const sched::Write& write, const Accumulation& accumulation, const Scope& scope) const;
    heap::Heap reduced_by_lane(const sched::Write& write, const Accumulation& accumulation, const ReducedSteps& steps,
                               const Scope& scope) const;
    struct Reduction {
        heap::Value partial, reduced;  // what the cell holds before a write, and after it
    };
    Reduction reduction(const Accumulation& accumulation, const ReducedSteps& steps) const;
    heap::Delta unknown_cells(const Accumulation& accumulation, const Scope& scope) const;
    const Summarised& summarised(const Accumulation& accumulation);
    void walk_accumulation(const sched::Stmt& stmt, const sched::Write& write, const Accumulation& accumulation,
                           const Scope& inner, const heap::Memory& memory);
    Scope with_lets(const sched::Write& write, const Accumulation& accumulation, const Scope& scope,
                    const heap::Memory& within) const;
    void oblige_distinct_cells(const sched::Stmt& stmt, const sched::Assign& assign, const Iterations& lanes);
    void oblige_distinct_steps(const sched::Stmt& stmt, const Iterations& loop, const Summary& body, bool is_parallel);
    void oblige_summary(const sched::Stmt& stmt, const Accumulation& accumulation, const Scope& scope,
                        const heap::Memory& before);
    heap::Locations locations(const Reads& reads) const;

    void oblige_reads(const sched::Stmt& stmt, const Reads& reads, const Scope& scope, const heap::Memory& memory);
    void oblige_access(Kind bounds, const sched::Stmt& stmt, const ArrayInScope& array,
                       const heap::Locations& locations, const isl::set& environments, const Scope& scope,
                       const heap::Memory& memory);

    isl::ctx ctx_;
    heap::Templates& templates_;
    Expressions expressions_;
    const Garbage& garbage_;
    const Accumulations& accumulations_;
    Obligations obligations_;
    Interference interference_;
    bool are_numbers_;
    Derivation derivation_;

    Scope scope_;
    heap::Heap initial_;
    std::vector<Lazy<isl::set>> inputs_;               // their cells
    std::map<const sched::Stmt*, Summary> summaries_;  // of all statements other than declarations
    std::map<const sched::Stmt*, Summary> bodies_;     // of one iteration of each loop
    // Of each scope of a reduction: its heaps, R at its end, and Δh there.
    std::map<const Accumulation*, Summarised> summarised_;
    std::map<const Accumulation*, heap::Delta> reduced_, left_;
    bool is_atomic_ = false;  // during prophetic evaluation: inside an atomic block of the innermost parallel loop
};

}  // namespace haruspex::validator
