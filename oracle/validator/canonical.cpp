#include "oracle/validator/canonical.h"

#include "oracle/rewrite/arithmetic_rules.h"
#include "oracle/rewrite/cast_rules.h"
#include "oracle/rewrite/limit_rules.h"
#include "oracle/rewrite/select_rules.h"
#include "oracle/rewrite/table.h"
#include "oracle/rewrite/truth_rules.h"

namespace haruspex::validator {
namespace {

using namespace rewrite;

// Terms as rules see them. Nothing is known of a term but its type.
struct Trees {
    using Term = validator::Term;

    static Type type(const Term& t) { return t->type; }
    static const Value* literal_of(const Term& t) {
        const auto* literal = as<term::Literal>(t);
        return literal == nullptr ? nullptr : &literal->value;
    }
    static const term::Unary* as_unary(const Term& t) { return as<term::Unary>(t); }
    static const term::Binary* as_binary(const Term& t) { return as<term::Binary>(t); }
    static const term::Cast* as_cast(const Term& t) { return as<term::Cast>(t); }
    static const term::Select* as_select(const Term& t) { return as<term::Select>(t); }

    static std::optional<value::Range> range(const Term& t) {
        return value::is_float(t->type) ? std::nullopt : std::optional(value::full_range(t->type));
    }
    static bool is_exact(const Term&) { return false; }
    static bool is_never_undef(const Term&) { return false; }
    static bool is_always_defined(const Term&) { return false; }

    static Term literal(const Value& v) { return make_literal(v); }
    static Term apply(UnaryOp op, const Term& a) { return make_unary(op, a); }
    static Term apply(BinaryOp op, const Term& a, const Term& b) { return make_binary(op, a, b); }
    static Term cast(Type to, const Term& a) { return make_cast(to, a); }
    static Term select(const Term& condition, const Term& if_true, const Term& if_false) {
        return make_select(condition, if_true, if_false);
    }
};

constexpr auto unary_rules = unary_rules_of<Trees>({
    {{UnaryOp::negate, UnaryOp::bit_not, UnaryOp::absolute}, {unary_of_choice}},
    {{UnaryOp::logical_not}, {unary_of_choice, double_negation, negated_comparison}},
});

constexpr auto binary_rules = binary_rules_of<Trees>({
    {{BinaryOp::add, BinaryOp::sub, BinaryOp::mul, BinaryOp::div, BinaryOp::bit_xor},
     {binary_of_choice, neutral_operand}},
    {{BinaryOp::mod, BinaryOp::lt, BinaryOp::le}, {binary_of_choice}},
    {{BinaryOp::min, BinaryOp::max},
     {binary_of_choice, same_operands, neutral_operand, literal_limit_last, limit_of_limit, lower_limit_last}},
    {{BinaryOp::eq, BinaryOp::ne}, {binary_of_choice, held_bool}},
    {{BinaryOp::gt, BinaryOp::ge}, {binary_of_choice, reversed_comparison}},
    {{BinaryOp::logical_and, BinaryOp::logical_or, BinaryOp::bit_or},
     {binary_of_choice, same_operands, neutral_operand}},
    {{BinaryOp::bit_and}, {binary_of_choice, same_operands, mask_by_literal}},
    {{BinaryOp::shift_left, BinaryOp::shift_right}, {binary_of_choice, shift_by_literal}},
});

constexpr Rules<CastRule<Trees>> cast_rules{cast_to_own_type, float_cast_to_own_type, cast_of_choice,  integer_as_bool,
                                            cast_through_f64, cast_through_wider,     cast_of_low_bits};

constexpr Rules<SelectRule<Trees>> select_rules{select_of_truths, select_by_negation, select_by_inequality};

}  // namespace

std::optional<Term> canonical_unary(UnaryOp op, const Term& a) {
    Trees trees;
    return first_match(unary_rules[static_cast<std::size_t>(op)], trees, op, a);
}

std::optional<Term> canonical_binary(BinaryOp op, const Term& a, const Term& b) {
    Trees trees;
    return first_match(binary_rules[static_cast<std::size_t>(op)], trees, op, a, b);
}

std::optional<Term> canonical_cast(Type to, const Term& a) {
    Trees trees;
    return first_match(cast_rules, trees, to, a);
}

std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false) {
    Trees trees;
    return first_match(select_rules, trees, condition, if_true, if_false);
}

}  // namespace haruspex::validator
