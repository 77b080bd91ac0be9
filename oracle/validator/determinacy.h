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
#include "oracle/validator/expression.h"
#include "oracle/validator/obligation.h"

// Whether all memory that is prophesied to hold one value of the specification holds the same, also where that value is
// Undef. There refinement says nothing, and two writes may leave what they like; they leave the same if they come of
// the same computation. Operators are functions: the same operands give the same, Undef or not.
//
// What is prophesied is determinate
//   - if it is never Undef, for then it is what the write leaves (S-Assign);
//   - a cell: if all writes that with_prophecies it have, for each of its elements, the same right-hand side over
//   determinate
//     cells, copies of itself apart. It may be one of them itself: by induction over the execution, write by write, as
//     in thesis 5.5.4;
//   - any other expression: if all writes that with_prophecies it have itself as right-hand side. Who reads it reads
//   the
//     expression, so that as long as one has not, nothing is determinate that may be Undef.
namespace haruspex::validator {

// Whether no value of the template is ever Undef, whatever its holes are. A cell of which the specification says
// nothing counts as one that is not: alignment and unfolding take it for a value that is arbitrary, but always the
// same.
bool is_never_undef(heap::Template t, const heap::Templates& templates, const TensorSignatures& tensors);

// The same with the operands of commutative operators in one order. `are_numbers`: floats are no NaN, and zeros of
// either sign are one.
heap::Heap with_operands_in_order(const heap::Heap& heap, heap::Templates& templates, bool are_numbers);

class Determinacy {
public:
    // What is given outlives it. `parameters`: the program's; no loop's variable has the name of one.
    Determinacy(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors,
                std::set<std::string> parameters, bool are_numbers)
        : ctx_(ctx),
          templates_(templates),
          tensors_(tensors),
          parameters_(std::move(parameters)),
          are_numbers_(are_numbers) {}

    // What a write prophesies, and with what it computes, where it is no garbage. Of all writes, before anything is
    // asked.
    void add_write(const heap::Value& prophesied, const Deferred<Equation>& equation);

    // Whether the elements of the template are determinate. Evaluates right-hand sides when it has to.
    bool holds(heap::Template t);

private:
    struct Write {
        std::set<heap::Template> prophesied;
        Lazy<Equation> equation;
    };
    // What all writes make of a template's elements, and of which templates.
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
