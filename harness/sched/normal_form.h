#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/polynomials.h"
#include "harness/sched/syntax.h"

// Normal forms of indices and conditions: polynomials over atoms. Expressions that differ only by polynomial
// arithmetic, by lets or by names have the same form. Equal forms mean equal values; the converse does not hold.
//
//   atom        a variable, a value, or one of the operations below on normal forms
//   condition   1 where it holds, else 0: "and" is a product, "not c" is 1 - c, a select of a and b by c is
//               b + c*(a - b); a comparison is the atom [p <= 0] or [p = 0], where p's coefficients have no common
//               factor and its last coefficient is positive
//   minimum     min(p, q, …) is p + g*min(0, (q-p)/g, …), where g is the common factor of the differences. Operands are
//               sorted by an order that stays the same if one term is added to all of them, and p is the first. Nested
//               minima are joined; max(a, b) is -min(-a, -b)
//   quotient    by a constant d > 0: multiples of d are taken out, common factors cancelled, nested quotients joined; a
//               quotient of a minimum or maximum is distributed over its parts; a % d is a - d*(a/d)
//   value       an operation on the normal forms of its operands; arithmetic and comparisons of i32 and i64 are those
//               of indices, which gives the same result wherever they are defined
//
// If the result of an operation would become too large, or leave 64 bits, the operation becomes an atom instead.
//
// Reads of memory are not ordered: two reads of one cell have the same form, even if the cell is written in between.
namespace haruspex::sched {

class NormalForms {
public:
    // Borrows the atoms.
    explicit NormalForms(Atoms& atoms) : atoms_(&atoms) {}

    // Begin and end a scope: leave() forgets the names that were defined after the matching enter().
    void enter() { scopes_.emplace_back(); }
    void leave() { scopes_.pop_back(); }
    // Defines an affine let: the name stands for `value`.
    void define(const std::string& name, const Expr& value);
    // Defines a value-let. With lanes, `value` is its value at a lane.
    void define(const std::string& name, const std::optional<Lanes>& lanes, const Expr& value);
    // Makes `text` the form of a name that is not a let, such as an array's. Two names with the same text have the same
    // form.
    void represent(const std::string& name, const std::string& text);

    // Returns the normal form of an index, a condition or a value.
    Polynomial of(const Expr& expr);
    // Returns the form of an array: that of its name, or of the text that stands for the name.
    Polynomial of_array(const std::string& name);

private:
    friend class NormalFormBuilder;
    const Polynomial* find(const std::string& name) const;
    Polynomial over_lanes(const std::string& head, const Lanes& lanes, const Expr& body);

    Atoms* atoms_;
    std::vector<std::map<std::string, Polynomial>> scopes_{1};
    std::size_t lanes_ = 0;  // how many binders of lanes are around the expression
};

}  // namespace haruspex::sched
