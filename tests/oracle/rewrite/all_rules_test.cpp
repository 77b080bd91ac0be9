#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/rewrite/arithmetic_rules.h"
#include "oracle/rewrite/cast_rules.h"
#include "oracle/rewrite/limit_rules.h"
#include "oracle/rewrite/range_rules.h"
#include "oracle/rewrite/select_rules.h"
#include "oracle/rewrite/truth_rules.h"
#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

// Every rule on every operation over a few operands of each kind, whether or not it is meant for it.
namespace haruspex::rewrite {
namespace {

constexpr std::array<UnaryRule<Plain>, 5> unary_rules{negative_as_difference, absolute_of_nonnegative, double_negation,
                                                      negated_comparison, unary_of_choice};
constexpr std::array<BinaryRule<Plain>, 28> binary_rules{
    shift_by_literal,     mask_by_literal,    same_operands,        neutral_operand,
    absorbing_operand,    sum_of_equals,      difference_of_equals, difference_as_sum,
    quotient_of_equals,   quotient_by_power,  float_times_one,      multiple_of_quotient,
    regrouped_product,    literal_limit_last, limit_of_limit,       lower_limit_last,
    limit_of_sum,         limit_of_product,   limit_of_converted,   limit_of_float_product,
    reversed_comparison,  held_bool,          binary_of_choice,     neutral_by_range,
    remainder_of_smaller, known_limit,        only_result,          comparison_with_itself};
constexpr std::array<CastRule<Plain>, 10> cast_rules{
    cast_to_own_type,   float_cast_to_own_type, cast_through_wider, cast_of_low_bits,  cast_through_f64,
    cast_through_float, integer_as_bool,        float_as_bool,      cast_of_operation, cast_of_choice};
constexpr std::array<SelectRule<Plain>, 6> select_rules{select_by_literal,  select_of_equals,     select_of_truths,
                                                        select_by_negation, select_by_inequality, select_by_order};

constexpr std::array types{Type::boolean, Type::u8, Type::i16, Type::i32, Type::f32};

// Operands of one type: leaves, literals, and terms with one operator over them.
std::vector<Term> operands(Plain& p, Type type) {
    const Term x = p.leaf(type), c = p.leaf(Type::boolean, 7);
    std::vector<Term> result{x, p.defined(type), p.undef(type), p.uninit(type)};
    if (type == Type::boolean) {
        for (const bool b : {false, true}) { result.push_back(p.truth(b)); }
        result.push_back(p.apply(UnaryOp::logical_not, x));
        result.push_back(p.cast(type, p.leaf(Type::u8)));
        for (const Type of : {Type::i8, Type::f32}) {
            for (const BinaryOp op : {BinaryOp::eq, BinaryOp::ne, BinaryOp::lt, BinaryOp::le}) {
                result.push_back(p.apply(op, p.leaf(of), p.number(of, 3)));
            }
        }
        result.push_back(p.select(c, p.truth(true), p.truth(false)));
        return result;
    }
    std::vector<Term> numbers;
    for (const std::int64_t n : {0, 1, 2, 3, 7, -1, -60}) {
        numbers.push_back(p.literal(value::cast(type, Value::integer(Type::i64, n))));
    }
    result.insert(result.end(), numbers.begin(), numbers.end());
    std::vector<Term> inner{x, p.cast(type, p.leaf(Type::boolean)), p.cast(type, p.leaf(Type::u8)),
                            p.cast(type, p.leaf(Type::i16))};
    result.insert(result.end(), inner.begin() + 1, inner.end());
    for (const Term a : {inner[0], inner[2]}) {
        for (const BinaryOp op :
             {BinaryOp::add, BinaryOp::mul, BinaryOp::div, BinaryOp::mod, BinaryOp::min, BinaryOp::max}) {
            for (const Term n : {numbers[2], numbers[3]}) { result.push_back(p.apply(op, a, n)); }
        }
    }
    result.push_back(p.select(c, numbers[1], numbers[3]));
    return result;
}

// Counts the rules that matched, and those that were wrong.
class Tally {
public:
    explicit Tally(Plain& plain) : plain_(plain) {}

    void count(Term before, std::optional<Term> after) {
        if (!after) { return; }
        ++matched;
        if (!seen_.insert({before, *after}).second) { return; }
        const std::string difference = plain_.difference(before, *after, 16);
        CHECK(difference == "");
    }
    std::size_t matched = 0;

private:
    Plain& plain_;
    std::set<std::pair<Term, Term>> seen_;
};

TEST_CASE("every rule keeps the value, whatever it is listed for") {
    for (const Type type : types) {
        Plain p;
        Tally tally(p);
        const std::vector<Term> all = operands(p, type);
        const Term x = p.leaf(type);
        for (const Term a : all) {
            for (const UnaryOp op : value::all_unary_ops) {
                if (!value::result_type(op, type)) { continue; }
                for (const auto rule : unary_rules) { tally.count(p.apply(op, a), rule(p, op, a)); }
            }
            for (const Type to : value::all_types) {
                for (const auto rule : cast_rules) { tally.count(p.cast(to, a), rule(p, to, a)); }
            }
            for (const BinaryOp op : value::all_binary_ops) {
                if (!value::result_type(op, type, type)) { continue; }
                for (const Term b : all) {
                    for (const auto rule : binary_rules) { tally.count(p.apply(op, a, b), rule(p, op, a, b)); }
                }
            }
            const std::vector<Term> conditions = operands(p, Type::boolean);
            for (const Term c : conditions) {
                for (const auto& [yes, no] : {std::pair(a, x), std::pair(a, a)}) {
                    for (const auto rule : select_rules) { tally.count(p.select(c, yes, no), rule(p, c, yes, no)); }
                }
            }
        }
        INFO(value::name(type) << ": " << tally.matched);
        CHECK(tally.matched > 200);
    }
}

}  // namespace
}  // namespace haruspex::rewrite
