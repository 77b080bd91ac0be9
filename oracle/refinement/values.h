#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generators/value/range.h"
#include "oracle/smt/terms.h"

// Values as terms over input cells and unknowns, without integer variables.
namespace haruspex::refinement {

using smt::Term;

class TooManyTerms : public std::runtime_error {
public:
    TooManyTerms() : runtime_error("too many values") {}
};

struct InputCell {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> coordinates;
    auto operator<=>(const InputCell&) const = default;
};

// A pool of terms that are simplified when they are made. Simplification preserves the value, Undef and Uninit
// included: an operator is folded if its operands are literals, or if their ranges determine the result; operations
// that compilers write in several ways get one form (oracle/rewrite); operands of commutative operators are ordered; a
// select with a known condition becomes the chosen arm, if the other one cannot be Undef.
class Values {
public:
    using Term = smt::Term;

    // Throws TooManyTerms beyond `most_terms`. With exact reals, an operation that rounds is not folded.
    // `folds_exactly`: literals are folded only where nothing is rounded, as they are with exact reals.
    explicit Values(std::size_t most_terms, bool exact_reals = false, bool folds_exactly = false)
        : most_terms_(most_terms), exact_reals_(exact_reals), folds_exactly_(exact_reals || folds_exactly) {}

    bool has_exact_reals() const { return exact_reals_; }

    Term literal(const value::Value& v) { return known(terms_.literal(v)); }
    Term input(const InputCell& cell, value::Type type);
    // Returns a new atom at each call, for an unknown value that is not an input. smt takes every atom to be defined;
    // here is_never_undef is false for an atom made with may_be_undef.
    Term unknown(value::Type type, smt::Definedness definedness = smt::Definedness::always_defined);
    Term apply(value::UnaryOp op, Term a);
    Term apply(value::BinaryOp op, Term a, Term b);
    Term select(Term condition, Term if_true, Term if_false);
    Term cast(value::Type to, Term a);

    const smt::Terms& terms() const { return terms_; }
    value::Type type(Term t) const { return terms_.type(t); }
    // The term's root, if it is of that kind. The pointer holds until a term is made.
    const value::Value* literal_of(Term t) const;
    std::optional<smt::Unary> as_unary(Term t) const { return as<smt::Unary>(t); }
    std::optional<smt::Binary> as_binary(Term t) const { return as<smt::Binary>(t); }
    std::optional<smt::Cast> as_cast(Term t) const { return as<smt::Cast>(t); }
    std::optional<smt::Select> as_select(Term t) const { return as<smt::Select>(t); }
    bool mentions_uninit(Term t) const { return facts_[t.value].mentions_uninit; }
    bool mentions(Term t, Term unknown) const;
    // Whether it contains a float.
    bool has_floats(Term t) const { return facts_[t.value].has_floats; }
    // All subterms of the roots, each once, operands before their users; nullopt if there are more than `most`.
    std::optional<std::vector<Term>> below(const std::vector<Term>& roots, std::size_t most) const;
    // Whether the term is never Undef, for all inputs; it may be Uninit.
    bool is_never_undef(Term t) const { return facts_[t.value].is_never_undef; }
    bool is_always_defined(Term t) const { return is_never_undef(t) && !mentions_uninit(t); }
    // Whether the operator at its root is known never to wrap or be Undef, whatever its defined operands are.
    bool is_exact(Term t) const { return facts_[t.value].is_exact; }
    // Whether some part of the term is known wherever the term is defined (where_defined.h): the value of an operator,
    // or the chosen arm of a select.
    bool has_known_part(Term t) const { return facts_[t.value].has_known_part; }
    // A range that contains all values that an integer or a bool may have where it is defined; nullopt for a float.
    std::optional<value::Range> range(Term t) const;
    // Whether all of that range are values of the integer type.
    bool fits(Term t, value::Type integers) const;
    // The input cell that an atom stands for.
    const InputCell& cell_of(const smt::Atom& atom) const { return *cells_[atom.number]; }

private:
    struct Facts {
        bool mentions_uninit = false;
        bool has_floats = false;
        bool is_never_undef = false;
        bool is_exact = false;
        bool has_known_part = false;
        bool is_bounded = false;  // to [low, high], more closely than by its type
        std::int64_t low = 0, high = 0;
    };
    template <typename Kind>
    std::optional<Kind> as(Term t) const {
        const auto* found = std::get_if<Kind>(&terms_[t]);
        return found == nullptr ? std::nullopt : std::optional(*found);
    }
    Term known(Term t);
    Term cast_of_result(value::Type to, Term a);
    Facts facts_of(Term t) const;
    // The range of an operator's result, given those of its operands; nullopt if an operand has none, or if the result
    // may be Undef.
    std::optional<value::Range> result_range(const smt::Node& node) const;

    std::size_t most_terms_;
    bool exact_reals_, folds_exactly_;
    smt::Terms terms_;
    std::vector<Facts> facts_;
    std::map<std::pair<Term, value::Type>, Term> casts_;  // requested casts that are stored in another form
    int depth_of_casts_ = 0;
    std::map<InputCell, std::uint32_t> numbers_;
    std::vector<const InputCell*> cells_;  // by number
    std::int64_t unknowns_ = 0;
};

// Copies terms without integer variables from another pool. Each cell or atom becomes an unknown, the same one in all
// of them.
std::vector<Term> copied(const smt::Terms& from, const std::vector<Term>& roots, Values& to);

}  // namespace haruspex::refinement
