#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/refinement/values.h"

// Terms as sums of products.
namespace haruspex::refinement {

// A coefficient for each product of terms (sorted; none for the constant), of real numbers in parts of a unit. What
// adds up to nothing stays in it.
struct Polynomial {
    std::map<std::vector<Term>, std::int64_t> coefficients;
};

// Nothing where a coefficient leaves 64 bits.
std::optional<Polynomial> minus(const Polynomial& a, const Polynomial& b);

// What is taken for a sum or product of its operands:
enum class Ring : std::uint8_t {
    modular,   // what wraps around: modulo a power of two. Of other types, as `integers`
    integers,  // what does not overflow, in the integers
};

// Of two terms of which the first is given to be defined: then no sum or product of i32 and i64 in it overflows, and
// what that says of the ranges of its parts holds in the second one as well.
class Polynomials {
public:
    Polynomials(const Values& values, bool exact_reals) : values_(values), exact_reals_(exact_reals) {}

    // Nothing when it has too many parts, or numbers that are too large.
    std::optional<Polynomial> of_defined(Term t, Ring ring, bool with_products);
    // Of a term whose value at its root is claimed to be that of one that is defined: if it is, that fits its type.
    std::optional<Polynomial> of_claimed(Term t, Ring ring, bool with_products);
    std::optional<Polynomial> of(Term t, Ring ring, bool with_products);

    // Whether it is a sum, difference or product of numbers that may be rearranged at all.
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
    // Ranges of the parts of a sum that is defined.
    void narrow(Term root);
    Bounds bounds(Term t, int depth);
    std::optional<Bounds> exact_result(Term t, int depth);

    const Values& values_;
    bool exact_reals_;
    std::map<Term, Bounds> narrowed_;
    std::map<Term, Bounds> bounds_;  // of those made of them
};

}  // namespace haruspex::refinement
