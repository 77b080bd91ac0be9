#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/refinement/values.h"

// Terms as sums of products.
namespace haruspex::refinement {

// Maps each product of terms (sorted; empty for the constant) to its coefficient. A coefficient of real numbers is
// stored as a multiple of 2^-20. Zero coefficients are kept.
struct Polynomial {
    std::map<std::vector<Term>, std::int64_t> coefficients;
};

// a - b; nullopt if a coefficient leaves 64 bits.
std::optional<Polynomial> minus(const Polynomial& a, const Polynomial& b);

// The ring in which sums and products are computed, which determines the operators that may be expanded.
enum class Ring : std::uint8_t {
    modular,   // operators that wrap around, modulo a power of two; for other types, as `integers`
    integers,  // operators that do not overflow, in the integers
};

// Expands two terms. The first is assumed to be defined, so that no sum or product of i32 or i64 in it overflows. This
// bounds the values of its parts, also where they occur in the second term.
class Polynomials {
public:
    Polynomials(const Values& values, bool exact_reals) : values_(values), exact_reals_(exact_reals) {}

    // Expands the first term. `with_products`: multiply out products, not only those with a literal. nullopt, here and
    // below, if there are too many summands, or if numbers are too large.
    std::optional<Polynomial> of_defined(Term t, Ring ring, bool with_products);
    // Expands a term whose value is claimed to equal a defined one: if it does, the result at its root fits its type.
    std::optional<Polynomial> of_claimed(Term t, Ring ring, bool with_products);
    // Expands a term of which nothing is assumed.
    std::optional<Polynomial> of(Term t, Ring ring, bool with_products);

    // Whether the term is a sum, difference or product of numbers that may be rearranged, or a cast that keeps the
    // number.
    bool is_arithmetic(Term t) const;

private:
    enum class Known : std::uint8_t { nothing, defined, root };
    struct Bounds {
        value::Int128 low = 0, high = 0;
    };
    std::optional<Polynomial> expand(Term root, Ring ring, bool with_products, Known known);
    bool may_expand(Term t, Ring ring, bool is_known_to_fit);
    std::optional<std::int64_t> coefficient(Term t, Ring ring) const;
    std::optional<Term> same_number(Term t) const;
    // Narrows the ranges of the parts of a sum or product that is defined.
    void narrow(Term root);
    Bounds bounds(Term t, int depth);
    std::optional<Bounds> exact_result(Term t, int depth);

    const Values& values_;
    bool exact_reals_;
    std::map<Term, Bounds> narrowed_;
    std::map<Term, Bounds> bounds_;  // of sums and products of such terms
};

}  // namespace haruspex::refinement
