#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "oracle/rewrite/table.h"
#include "oracle/smt/terms.h"

// Terms that are made as they are asked for, so that a rule is seen alone, and the comparison of both its sides.
namespace haruspex::rewrite {

using smt::Term;

inline constexpr std::array integer_types{Type::u8, Type::u16, Type::u32, Type::u64,
                                          Type::i8, Type::i16, Type::i32, Type::i64};
inline constexpr std::array float_types{Type::f32, Type::f64};

class Plain {
public:
    using Term = smt::Term;

    // A value in any state, and one that is always defined.
    Term leaf(Type type, std::uint32_t number = 0) { return terms_.atom(type, number); }
    Term defined(Type type, std::uint32_t number = 0) { return terms_.atom(type, first_defined + number); }
    Term number(Type type, std::int64_t n) { return literal(Value::integer(type, n)); }
    Term real(Type type, double d) { return literal(value::cast(type, Value::f64(d))); }
    Term truth(bool b) { return literal(Value::boolean(b)); }
    Term undef(Type type) { return terms_.undef(type); }
    Term uninit(Type type) { return terms_.uninit(type); }

    Term literal(const Value& v) { return terms_.literal(v); }
    Term apply(UnaryOp op, Term a) { return terms_.apply(op, a); }
    Term apply(BinaryOp op, Term a, Term b) { return terms_.apply(op, a, b); }
    Term cast(Type to, Term a) { return terms_.cast(to, a); }
    Term select(Term condition, Term if_true, Term if_false) { return terms_.select(condition, if_true, if_false); }

    Type type(Term t) const { return terms_.type(t); }
    const Value* literal_of(Term t) const;
    std::optional<smt::Unary> as_unary(Term t) const { return as<smt::Unary>(t); }
    std::optional<smt::Binary> as_binary(Term t) const { return as<smt::Binary>(t); }
    std::optional<smt::Cast> as_cast(Term t) const { return as<smt::Cast>(t); }
    std::optional<smt::Select> as_select(Term t) const { return as<smt::Select>(t); }
    std::optional<value::Range> range(Term t) const;
    bool is_exact(Term t) const;
    bool is_never_undef(Term t) const;
    bool is_always_defined(Term t) const { return is_never_undef(t) && !mentions_uninit(t); }

    std::string text(Term t) const { return *smt::to_string(terms_, t); }

    // Values of the leaves for which the two terms differ, and what they are then; "" if there are none among the corners
    // of the leaves' types, or among about `most` combinations of them.
    std::string difference(Term a, Term b, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

    // Check that the rule makes `after` of the operation, and that it is the same as before.
    void becomes(UnaryRule<Plain> rule, UnaryOp op, Term a, Term after);
    void becomes(BinaryRule<Plain> rule, BinaryOp op, Term a, Term b, Term after);
    void becomes(CastRule<Plain> rule, Type to, Term a, Term after);
    void becomes(SelectRule<Plain> rule, Term condition, Term if_true, Term if_false, Term after);
    // Check that the rule does not match.
    void stays(UnaryRule<Plain> rule, UnaryOp op, Term a);
    void stays(BinaryRule<Plain> rule, BinaryOp op, Term a, Term b);
    void stays(CastRule<Plain> rule, Type to, Term a);
    void stays(SelectRule<Plain> rule, Term condition, Term if_true, Term if_false);

private:
    static constexpr std::uint32_t first_defined = 100;

    template <typename Kind>
    std::optional<Kind> as(Term t) const {
        const auto* found = std::get_if<Kind>(&terms_[t]);
        return found == nullptr ? std::nullopt : std::optional(*found);
    }
    void compare(Term before, std::optional<Term> result, Term after);
    // nullopt if it may be Undef, or is a float.
    std::optional<value::Range> result_range(Term t) const;
    bool mentions_uninit(Term t) const;
    std::vector<Value> values(const smt::Atom& leaf, bool is_only) const;

    smt::Terms terms_;
};

static_assert(Algebra<Plain>);

}  // namespace haruspex::rewrite
