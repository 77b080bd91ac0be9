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

// Values as terms with no index left in them: over the cells of inputs, and over unknowns.
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

// Terms that are simplified while they are made, without a change of what they are, Undef and Uninit included:
// operators are folded where their operands are literals or their ranges tell the result, what compilers write in
// several ways is written in one (canonical.h), operands of commutative operators are put in order, and a select whose
// condition is known is the arm that it chooses, if the other one cannot be Undef.
class Values {
public:
    // Throws TooManyTerms when there are more. With exact reals nothing is folded that rounds.
    explicit Values(std::size_t most_terms, bool exact_reals = false)
        : most_terms_(most_terms), exact_reals_(exact_reals) {}

    bool has_exact_reals() const { return exact_reals_; }

    Term literal(const value::Value& v) { return known(terms_.literal(v)); }
    Term input(const InputCell& cell, value::Type type);
    // Another one at each call; no input. An atom also where it may be Undef: that it is defined is not known of it
    // then.
    Term unknown(value::Type type, smt::Definedness definedness = smt::Definedness::always_defined);
    Term apply(value::UnaryOp op, Term a);
    Term apply(value::BinaryOp op, Term a, Term b);
    Term select(Term condition, Term if_true, Term if_false);
    Term cast(value::Type to, Term a);

    const smt::Terms& terms() const { return terms_; }
    value::Type type(Term t) const { return terms_.type(t); }
    const value::Value* literal_of(Term t) const;
    bool mentions_uninit(Term t) const { return facts_[t.value].mentions_uninit; }
    bool mentions(Term t, Term unknown) const;
    // Whether it, or something that it is made of, is a float.
    bool has_floats(Term t) const { return facts_[t.value].has_floats; }
    // The terms that these consist of, each once, operands before what is made of them; nothing when there are more.
    std::optional<std::vector<Term>> below(const std::vector<Term>& roots, std::size_t most) const;
    // Whether it is defined whatever the inputs are, if it is not Uninit.
    bool is_never_undef(Term t) const { return facts_[t.value].is_never_undef; }
    bool is_always_defined(Term t) const { return is_never_undef(t) && !mentions_uninit(t); }
    // Whether it is seen that the operator at its root neither wraps nor is Undef, whatever its defined operands are.
    bool is_exact(Term t) const { return facts_[t.value].is_exact; }
    // Whether something in it is known where it is defined (where_defined.h): the value of an operator, or which arm of
    // a select is chosen.
    bool has_known_part(Term t) const { return facts_[t.value].has_known_part; }
    // Of an integer or a bool: all values that it may have where it is defined.
    std::optional<value::Range> range(Term t) const;
    // Whether all of them are values of an integer type.
    bool fits(Term t, value::Type integers) const;
    // The input's cell that an atom stands for.
    const InputCell& cell_of(const smt::Atom& atom) const { return *cells_[atom.number]; }

private:
    struct Facts {
        bool mentions_uninit = false;
        bool has_floats = false;
        bool is_never_undef = false;
        bool is_exact = false;
        bool has_known_part = false;
        bool is_bounded = false;  // closer than by its type
        std::int64_t low = 0, high = 0;
    };
    Term known(Term t);
    Term cast_of_result(value::Type to, Term a);
    bool is_exact_float(const smt::Cast& cast) const;
    std::optional<Term> folded_logic(value::BinaryOp op, Term a, Term b) const;
    std::optional<Term> folded_by_range(value::BinaryOp op, Term a, Term b);
    Facts facts_of(Term t) const;
    // What the operator makes of its operands' ranges; nothing where one of them has none, or it may be Undef.
    std::optional<value::Range> result_range(const smt::Node& node) const;

    std::size_t most_terms_;
    bool exact_reals_;
    smt::Terms terms_;
    std::vector<Facts> facts_;
    std::map<std::pair<Term, value::Type>, Term> casts_;  // that are not written as they are asked for
    int depth_of_casts_ = 0;
    std::map<InputCell, std::uint32_t> numbers_;
    std::vector<const InputCell*> cells_;  // by number
    std::int64_t unknowns_ = 0;
};

// Terms of another pool, in which no integer variable occurs; each cell is an unknown, the same in all of them.
std::vector<Term> copied(const smt::Terms& from, const std::vector<Term>& roots, Values& to);

}  // namespace haruspex::refinement
