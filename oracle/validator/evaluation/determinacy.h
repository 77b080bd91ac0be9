#pragma once

#include <isl/cpp.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/lazy.h"
#include "oracle/heap/heap.h"
#include "oracle/heap/template.h"
#include "oracle/validator/evaluation/expression.h"
#include "oracle/validator/evaluation/obligation.h"

// Determinacy: whether all cells of memory that are prophesied to hold one value of the specification hold the same
// value, even where the specification's is Undef. Refinement claims nothing there, so two writes may leave any values;
// but they leave the same one if they compute it in the same way. Operators are functions: the same operands give the
// same result, Undef or not.
//
// A prophesied expression is determinate
//   - if it is never Undef, since then it is the value that the write leaves (S-Assign);
//   - if it is a cell, and for each element (the cell at given indices) all writes that prophesy it have the same
//     right-hand side over determinate cells, not counting writes that copy the element itself. The cell may be one of
//     these cells: by induction over the execution, write by write, as in thesis 5.5.4;
//   - if it is any other expression whose cells are determinate, and all writes that prophesy it have the expression
//     itself as right-hand side. Statements that read this memory are taken to read the expression. So if any such
//     expression does not meet this condition, nothing that may be Undef counts as determinate.
namespace haruspex::validator {

// Whether the template is never Undef, whatever its holes are. A cell that the specification does not define counts as
// never Undef: alignment and unfolding treat it as a value that is arbitrary, but always the same.
bool is_never_undef(heap::Template t, const heap::Templates& templates, const TensorSignatures& tensors);

// Returns the heap with the operands of commutative operators in a fixed order. `are_numbers`: no float is NaN, and
// zeros of either sign are equal.
heap::Heap with_operands_in_order(const heap::Heap& heap, heap::Templates& templates, bool are_numbers);

class Determinacy {
public:
    // The arguments must outlive it. `parameters`: the program's parameters; no loop variable has the name of one.
    Determinacy(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors,
                std::set<std::string> parameters, bool are_numbers)
        : ctx_(ctx),
          templates_(templates),
          tensors_(tensors),
          parameters_(std::move(parameters)),
          are_numbers_(are_numbers) {}

    // Adds a write: its prophesied value, and its equation in the environments in which it is not garbage. All writes
    // are added before the first query.
    void add_write(const heap::Value& prophesied, const Deferred<Equation>& equation);

    // Whether the elements of the template are determinate. Evaluates right-hand sides if necessary.
    bool holds(heap::Template t);

private:
    struct Write {
        std::set<heap::Template> prophesied;
        Lazy<Equation> equation;
    };
    // Whether all writes compute a template's elements in one way, and the templates of the cells that they use.
    struct Computation {
        bool is_one = false;
        std::set<heap::Template> of;
    };

    bool are_inlined_ones_exact();
    heap::Heap made(const Write& write, heap::Template t) const;
    bool is_cell(heap::Template t) const;
    bool is_exact(heap::Template t) const;
    const Computation& computation(heap::Template t);
    bool collect_cells(heap::Template t, std::set<heap::Template>& cells) const;

    isl::ctx ctx_;
    heap::Templates& templates_;
    const TensorSignatures& tensors_;
    std::set<std::string> parameters_;
    bool are_numbers_;
    std::vector<Write> writes_;
    std::map<heap::Template, Computation> computations_;
    std::optional<bool> are_exact_;
};

}  // namespace haruspex::validator
