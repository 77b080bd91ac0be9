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
//               factor and the last one is positive
//   minimum     min(p, q, …) is p + g*min(0, (q-p)/g, …), where g is the common factor, and p is the least in an order
//               that does not change when a term is added to all parts; nested minima are joined; max(a, b) is
//               -min(-a, -b)
//   quotient    by a constant d > 0: multiples of d are taken out, common factors cancelled, nested quotients joined; a
//               quotient of a minimum or maximum is distributed over its parts; a % d is a - d*(a/d)
//   value       an operation on the normal forms of its operands; arithmetic and comparisons of i32 and i64 are those
//               of indices, which is right wherever they are defined
//
// A result that would become too large, or leave 64 bits, stays an operation on the normal forms of its operands.
//
// Reads of memory are not ordered: two reads of one cell have one form, even if it is written in between.
namespace haruspex::sched {

class NormalForms {
public:
    // Borrows the atoms.
    explicit NormalForms(Atoms& atoms) : atoms_(&atoms) {}

    // The matching leave() forgets the names that are defined after enter().
    void enter() { scopes_.emplace_back(); }
    void leave() { scopes_.pop_back(); }
    // Defines a let: the name stands for its definition.
    void define(const std::string& name, const Expr& value);
    // Defines a value-let; with lanes, `value` is its value at a lane.
    void define(const std::string& name, const std::optional<Lanes>& lanes, const Expr& value);
    // Represents any other name, such as an array's, by the given text.
    void represent(const std::string& name, const std::string& text);

    // Returns the normal form of an index or a condition.
    Polynomial of(const Expr& expr);
    // Returns the form of an array: its name, unless another text represents it.
    Polynomial of_array(const std::string& name);

private:
    friend class NormalFormBuilder;
    const Polynomial* find(const std::string& name) const;
    Polynomial over_lanes(const std::string& head, const Lanes& lanes, const Expr& body);

    Atoms* atoms_;
    std::vector<std::map<std::string, Polynomial>> scopes_{1};
    std::size_t lanes_ = 0;  // binders of lanes around the expression
};

}  // namespace haruspex::sched
