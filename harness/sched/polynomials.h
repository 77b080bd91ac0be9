#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// Normal forms (normal_form.h) and their arithmetic. Results are exact for all integers that the atoms stand for (0 and
// 1 for conditions). nullopt: a coefficient leaves 64 bits, or the result has too many terms.
namespace haruspex::sched {

// The number of an atom in a table of atoms.
using Atom = std::size_t;
// A product of atoms, in ascending order.
using Monomial = std::vector<Atom>;
// The coefficients of monomials; none is zero.
using Polynomial = std::map<Monomial, std::int64_t>;

// A table that numbers atoms, so that normal forms stay small however deeply lets nest. Only forms with the same table
// can be compared.
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

// Whether the monomial has more than one atom that is not a condition. A product with conditions, which are 0 or 1,
// only selects.
bool is_product(const Monomial& monomial, const Atoms& atoms);

class Polynomials {
public:
    // Borrows the atoms.
    explicit Polynomials(Atoms& atoms) : atoms_(&atoms) {}

    static Polynomial constant(std::int64_t n);
    static std::optional<std::int64_t> as_constant(const Polynomial& p);
    // Returns a + factor * b.
    static std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b, std::int64_t factor = 1);

    Polynomial atom(const std::string& head, std::vector<Polynomial> operands = {}, bool is_condition = false) const;

    std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) const;
    std::optional<Polynomial> minimum(const Polynomial& a, const Polynomial& b) const;
    std::optional<Polynomial> maximum(const Polynomial& a, const Polynomial& b) const;
    // `divisor` is positive.
    std::optional<Polynomial> quotient(const Polynomial& a, std::int64_t divisor) const;
    std::optional<Polynomial> remainder(const Polynomial& a, std::int64_t divisor) const;
    // Return the conditions [p <= 0] and [p = 0].
    std::optional<Polynomial> at_most_zero(const Polynomial& p) const;
    std::optional<Polynomial> is_zero(const Polynomial& p) const;

private:
    struct Choice;
    std::optional<Choice> choice_in(const Polynomial& p) const;
    std::optional<bool> join_minima(std::vector<Polynomial>& parts) const;
    std::optional<Polynomial> minimum(std::vector<Polynomial> parts) const;

    Atoms* atoms_;
};

}  // namespace haruspex::sched
