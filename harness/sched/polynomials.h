#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/normal_form.h"

// Arithmetic of normal forms. Results are exact for all integers that the atoms stand for (0 and 1 for conditions).
// nullopt: a coefficient leaves 64 bits, or the result has too many terms.
namespace haruspex::sched {

// Whether more than one of its atoms is a number. A product with conditions, which are 0 or 1, is a selection.
bool is_product(const Monomial& monomial, const Atoms& atoms);

class Polynomials {
public:
    // Borrows the atoms.
    explicit Polynomials(Atoms& atoms) : atoms_(&atoms) {}

    static Polynomial constant(std::int64_t n);
    static std::optional<std::int64_t> as_constant(const Polynomial& p);
    // a + factor * b.
    static std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b, std::int64_t factor = 1);

    Polynomial atom(const std::string& head, std::vector<Polynomial> operands = {}, bool is_condition = false) const;

    std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) const;
    std::optional<Polynomial> minimum(const Polynomial& a, const Polynomial& b) const;
    std::optional<Polynomial> maximum(const Polynomial& a, const Polynomial& b) const;
    // The divisor is positive.
    std::optional<Polynomial> quotient(const Polynomial& a, std::int64_t divisor) const;
    std::optional<Polynomial> remainder(const Polynomial& a, std::int64_t divisor) const;
    // [p <= 0] and [p = 0].
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
