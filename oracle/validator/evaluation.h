#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/derivation.h"
#include "oracle/validator/expression.h"
#include "oracle/validator/garbage.h"
#include "oracle/validator/interference.h"
#include "oracle/validator/obligation.h"

// Prophetic evaluation (thesis Fig. 5.3) summarises what each statement writes by the prophecies alone. Symbolic
// evaluation (Fig. 5.4) walks through the program again, with the heap in which each statement runs, and yields what
// has to be shown. The heap of a loop's iteration is what the iterations before it prophesied, so that no invariant has
// to be found (Lemma 5.4.3: both evaluations agree on Δh).
//
// Beyond the thesis:
//   - A cell in no relation of the heap is Uninit. It may be read; a value that depends on it is another matter.
//   - Garbage (9.9): where a write's value is known to depend on memory not written, it writes Uninit, whatever is
//     prophesied, and nothing has to be shown of it; a value of which nothing is known where it may be Undef, which is
//     worse: an arm of a select that is not chosen may be Uninit.
//   - A write without a prophecy writes a value of which nothing is known.
//   - `free a` is a write to a cell of its own; an access to `a` in an environment where the heap has it is in error.
//   - Lanes of an assignment read the heap before it; their locations differ, or what they write is the same.
//   - A value-let is evaluated in the heap where it stands.
namespace haruspex::validator {

class Evaluation {
public:
    // Everything that is given outlives the evaluation. `are_numbers`: floats are no NaN, and zeros of either sign are
    // one. `steps` is filled when it is given.
    Evaluation(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors, const Garbage& garbage,
               bool are_numbers = false, std::vector<Step>* steps = nullptr);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    // Γ and the heap at the program's start: the parameters and assumptions, the arrays, the inputs' cells. Parameters
    // with a size are that number.
    void enter(const sched::Program& program, const isl::set& assumptions, const Sizes& sizes = {});
    // Fig. 5.3 on the whole program: what it leaves.
    heap::Delta prophetic(const sched::Block& body);
    // Fig. 5.4, after it, once; in the order of the text.
    std::vector<Obligation> symbolic(const sched::Block& body);
    // Whether two iterations of a par loop, or two lanes, may write one cell. After symbolic evaluation.
    bool shares_cells() const;
    const Scope& scope() const { return scope_; }
    // Where a coordinate of an array's tensor lies in it.
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
    heap::Locations locations(const Reads& reads) const;

    void oblige_reads(const sched::Stmt& stmt, const Reads& reads, const Scope& scope, const heap::Memory& memory);
    void oblige_access(Kind bounds, const sched::Stmt& stmt, const ArrayInScope& array,
                       const heap::Locations& locations, const isl::set& environments, const Scope& scope,
                       const heap::Memory& memory);

    isl::ctx ctx_;
    heap::Templates& templates_;
    Expressions expressions_;
    const Garbage& garbage_;
    Obligations obligations_;
    Interference interference_;
    bool are_numbers_;
    Derivation derivation_;

    Scope scope_;
    heap::Heap initial_;
    std::vector<Lazy<isl::set>> inputs_;               // their cells
    std::map<const sched::Stmt*, Summary> summaries_;  // of statements other than declarations
    std::map<const sched::Stmt*, Summary> bodies_;     // of loops: of one iteration
};

}  // namespace haruspex::validator
