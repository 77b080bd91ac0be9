#include "oracle/refinement/canonical.h"

#include "oracle/rewrite/arithmetic_rules.h"
#include "oracle/rewrite/cast_rules.h"
#include "oracle/rewrite/limit_rules.h"
#include "oracle/rewrite/range_rules.h"
#include "oracle/rewrite/select_rules.h"
#include "oracle/rewrite/table.h"
#include "oracle/rewrite/truth_rules.h"

namespace haruspex::refinement {
namespace {

using namespace rewrite;

constexpr auto unary_rules = unary_rules_of<Values>({
    {{UnaryOp::negate}, {negative_as_difference}},
    {{UnaryOp::logical_not}, {double_negation, negated_comparison}},
    {{UnaryOp::absolute}, {absolute_of_nonnegative}},
});

constexpr auto binary_rules = binary_rules_of<Values>({
    {{BinaryOp::add}, {neutral_by_range, only_result, sum_of_equals}},
    {{BinaryOp::sub}, {neutral_by_range, only_result, difference_of_equals, difference_as_sum}},
    {{BinaryOp::mul}, {neutral_by_range, only_result, float_times_one, multiple_of_quotient, regrouped_product}},
    {{BinaryOp::div}, {neutral_by_range, only_result, quotient_by_power, quotient_of_equals}},
    {{BinaryOp::mod}, {remainder_of_smaller, only_result}},
    {{BinaryOp::min, BinaryOp::max},
     {known_limit, only_result, same_operands, limit_of_limit, limit_of_sum, limit_of_product, lower_limit_last,
      limit_of_converted, limit_of_float_product}},
    {{BinaryOp::eq, BinaryOp::ne}, {comparison_with_itself, only_result, held_bool}},
    {{BinaryOp::lt, BinaryOp::le}, {comparison_with_itself, only_result}},
    {{BinaryOp::gt, BinaryOp::ge}, {only_result, reversed_comparison}},
    {{BinaryOp::logical_and, BinaryOp::logical_or}, {neutral_operand, absorbing_operand, only_result, same_operands}},
    {{BinaryOp::bit_and}, {only_result, same_operands, mask_by_literal}},
    {{BinaryOp::bit_or}, {only_result, same_operands}},
    {{BinaryOp::bit_xor}, {only_result}},
    {{BinaryOp::shift_left, BinaryOp::shift_right}, {only_result, shift_by_literal}},
});

constexpr Rules<CastRule<Values>> cast_rules{cast_to_own_type, cast_through_wider, cast_of_low_bits,
                                             cast_through_float};
constexpr Rules<CastRule<Values>> cast_of_result_rules{integer_as_bool, float_as_bool, cast_of_operation};

constexpr Rules<SelectRule<Values>> select_rules{select_by_literal,  select_of_equals,     select_of_truths,
                                                 select_by_negation, select_by_inequality, select_by_order};

}  // namespace

std::optional<Term> canonical_unary(Values& values, UnaryOp op, Term a) {
    return first_match(unary_rules[static_cast<std::size_t>(op)], values, op, a);
}

std::optional<Term> canonical_binary(Values& values, BinaryOp op, Term a, Term b) {
    return first_match(binary_rules[static_cast<std::size_t>(op)], values, op, a, b);
}

std::optional<Term> canonical_select(Values& values, Term condition, Term if_true, Term if_false) {
    return first_match(select_rules, values, condition, if_true, if_false);
}

std::optional<Term> canonical_cast(Values& values, Type to, Term a) { return first_match(cast_rules, values, to, a); }

std::optional<Term> canonical_cast_of_result(Values& values, Type to, Term a) {
    return first_match(cast_of_result_rules, values, to, a);
}

}  // namespace haruspex::refinement
