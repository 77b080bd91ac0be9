#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"

// Normal forms of indices and conditions: polynomials over atoms. Expressions that differ only by the arithmetic of
// polynomials, by lets and by names have one form. Equal forms mean equal values; the converse does not hold.
//
//   atom        a variable, a value, or one of the operations below on normal forms
//   a condition is 1 where it holds and 0 elsewhere: "and" is a product, "not c" is 1 - c, a select of a and b by c is
//               b + c*(a - b), and a comparison the atom [p <= 0] or [p = 0], where p's coefficients have no common
//               factor and the last one is positive
//   minima      min(p, q, …) is p + g*min(0, (q-p)/g, …), where p is the least in an order that does not change when
//               something is added to all, and g the common factor; minima within minima are joined; max(a, b) is
//               -min(-a, -b)
//   quotients   by a constant d > 0: multiples of d leave it, common factors are cancelled, quotients of quotients are
//               joined, and it is taken of the parts of a minimum or a maximum; a % d is a - d*(a/d)
//   a value     an operation on the normal forms of its operands; arithmetic and comparisons of i32 and i64 are those
//   of
//               indices, which is right wherever they are defined
//
// What would become too large, or leave 64 bits, stays an operation on the normal forms of its operands.
//
// Reads of memory are not put in order: two reads of one cell have one form, whatever was written in between.
namespace haruspex::sched {

// The number of an atom in its table.
using Atom = std::size_t;
// A product of atoms, in ascending order.
using Monomial = std::vector<Atom>;
// Coefficients that are not zero.
using Polynomial = std::map<Monomial, std::int64_t>;

// Numbers what polynomials are made of, so that normal forms stay small however deep lets nest. Forms are comparable
// when they share a table.
class Atoms {
public:
    struct Meaning {
        std::string head;
        std::vector<Polynomial> operands;
        bool is_condition = false;
        auto operator<=>(const Meaning&) const = default;
    };
    Atom of(Meaning meaning);
    const Meaning& meaning(Atom atom) const { return numbers_.at(atom)->first; }
    std::size_t size() const { return numbers_.size(); }

private:
    std::map<Meaning, Atom> atoms_;
    std::vector<std::map<Meaning, Atom>::const_iterator> numbers_;
};

class NormalForms {
public:
    // Borrows the atoms.
    explicit NormalForms(Atoms& atoms) : atoms_(&atoms) {}

    // Names that are defined after enter() are forgotten by the matching leave().
    void enter() { scopes_.emplace_back(); }
    void leave() { scopes_.pop_back(); }
    // A let, whose definition takes its place.
    void define(const std::string& name, const Expr& value);
    // A value-let: what it is at a lane, when it has lanes.
    void define(const std::string& name, const std::optional<Lanes>& lanes, const Expr& value);
    // Another name, an array's too, by the text that is to represent it.
    void represent(const std::string& name, const std::string& text);

    // Of an index or a condition.
    Polynomial of(const Expr& expr);
    // What stands for an array: its name, unless another text represents it.
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
