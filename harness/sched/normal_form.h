#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "harness/sched/syntax.h"

// Normal forms of indices and conditions: expressions that differ only by the arithmetic of polynomials, by lets and by
// names have one text. Equal texts mean equal values; the converse does not hold.
//
//   index       a polynomial over atoms: variables, and quotients, remainders, minima, maxima and selects of normal
//               forms. min(a, b) is a + min(0, b - a), where a is the one whose text comes first; likewise max. A
//               constant divisor's multiples leave a quotient or a remainder.
//   condition   comparisons of a difference with zero, joined by connectives
//   value       an atom: an operation on the normal forms of its operands
//
// Reads of memory are not put in order: two reads of one cell have one text, whatever was written in between.
namespace haruspex::sched {

// A product of atoms, in ascending order.
using Monomial = std::vector<std::string>;
// Coefficients that are not zero.
using Polynomial = std::map<Monomial, std::int64_t>;
std::string to_string(const Polynomial& polynomial);

// Gives what polynomials are made of short names, one for each text, so that normal forms stay small however deep lets
// nest. Texts are comparable between the normal forms that share one.
class Atoms {
public:
    std::string name(const std::string& text) {
        return "a" + std::to_string(names_.try_emplace(text, names_.size()).first->second);
    }

private:
    std::map<std::string, std::size_t> names_;
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
    // Another name, by the text that is to represent it.
    void represent(const std::string& name, const std::string& text);

    // Of an index or a condition.
    std::string of(const Expr& expr);

private:
    using Form = std::variant<Polynomial, std::string>;
    friend class NormalFormBuilder;
    const Form* find(const std::string& name) const;

    Atoms* atoms_;
    std::vector<std::map<std::string, Form>> scopes_{1};
};

}  // namespace haruspex::sched
