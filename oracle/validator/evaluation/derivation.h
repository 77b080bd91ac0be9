#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/evaluation/expression.h"
#include "oracle/validator/evaluation/obligation.h"

// The derivation of a symbolic evaluation, for people: each line of the program with the notes of its rules, as in
// thesis Fig. 5.5. A note begins with => where a rule enters a statement and changes Γ or h, and with <= where the rule
// returns with C, Δh and R. Conditions that Γ implies are left out. So are arrays of a heap that the following code
// does not read.
namespace haruspex::validator {

// The effects of a statement: Δh, dom(Δh) and R, each computed on request. Arrays that are accumulated into (reduction.h)
// are not in Δh but in `reduced`, with the steps that are reduced into each cell.
struct Summary {
    heap::Delta delta;
    heap::Accesses writes, reads;
    heap::Delta reduced = {};
    // The cells that are accumulated into by atomic blocks. These are in `writes` and `reads` only if an accumulation that
    // is not atomic, or anything else, accesses them as well.
    heap::Accesses updated = {};

    heap::Accesses all_reads() const { return heap::united({reads, updated}); }
    heap::Accesses all_writes() const { return heap::united({writes, updated}); }
};

// A line of the program and the notes below it; a note may have several lines.
struct Step {
    int level = 0;
    std::string line;
    std::vector<std::string> notes;
};

class Derivation {
public:
    // If `steps` is null, nothing is written and nothing computed.
    Derivation(const heap::Templates& templates, std::vector<Step>* steps) : templates_(templates), steps_(steps) {}

    // Notes Γ and h₀, the heap of the inputs, relative to which all other heaps are printed. Prints only the part of h₀
    // within the inputs' bounds.
    void start(const Scope& scope, const heap::Heap& initial, const Lazy<heap::Heap>& within_bounds);
    void statement(int level, const sched::Stmt& stmt);

    void let(const sched::Let& let);
    void let_value(const std::vector<Read>& reads, const Lazy<heap::Value>& value, const Scope& scope,
                   const heap::Memory& memory);
    void allocation(const ArrayInScope& array, const Scope& scope);
    void enter_assign(const sched::Assign& assign, const std::string& lane, const Scope& outer, const Scope& inner);
    // Notes ⟦·⟧_h for each cell that is read.
    void operands(const std::vector<Read>& reads, const Scope& scope, const heap::Memory& memory);
    // Notes C of S-Assign: decompose(t) = ⟦e⟧_h
    void equation(const Deferred<Equation>& deferred, const Scope& scope);
    // `arrays`: the arrays that the loop's body may access.
    void enter_loop(const sched::Stmt& stmt, const std::string& variable, const isl::set& iterations,
                    const Scope& outer, const Scope& inner, const heap::Memory& memory,
                    const std::set<std::string>& arrays);
    void enter_branch(int level, const sched::Expr& condition, bool holds);
    // Notes Δh and R of a statement.
    void leave(int level, const sched::Stmt& stmt, const Summary& summary, const Scope& scope);
    // Notes rw-safe and ww-covered for the iterations of a parallel loop.
    void race_freedom(const std::string& variable, const Summary& body, const Scope& inner);

private:
    void note(const std::string& head);
    void fact(const std::string& label, const std::string& text);
    void heap(const std::string& label, const heap::Heap& heap, const Scope& scope);

    const heap::Templates& templates_;
    std::vector<Step>* steps_;
    heap::Heap initial_;
};

}  // namespace haruspex::validator
