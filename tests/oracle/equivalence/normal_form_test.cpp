#include "oracle/equivalence/normal_form.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/choice.h"
#include "generators/base/overload.h"
#include "tests/oracle/equivalence/programs.h"

namespace haruspex::equivalence {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

// An expression's value and its term.
struct Expression {
    Type type;
    Value value;  // of the original expression
    TermId term;
};

// Random expressions over inputs, in one iteration.
class Drawing {
public:
    Drawing(isl::ctx ctx, Choices& choices)
        : graph_(ctx, "", isl::set(ctx, "{ : }"), true),
          node_(graph_.add_node(isl::set(ctx, "{ [3] }"), "")),
          choices_(choices) {}

    Expression draw(Type type, int depth) {
        const std::int64_t form = depth == 0 ? choices_.integer(0, 3) : choices_.integer(0, 11);
        if (form == 0 && type != Type::boolean) { return embedded(type); }
        if (form <= 1) { return literal(type); }
        if (form <= 3) { return input(type); }
        if (form <= 5) { return conversion(type, depth - 1); }
        if (form == 6) { return choice(type, depth - 1); }
        std::vector<std::pair<Operator, bool>> fitting;  // and whether it is binary
        for (const Type operand : value::all_types) {
            for (const UnaryOp op : value::all_unary_ops) {
                if (value::result_type(op, operand) == type) { fitting.push_back({{op, operand}, false}); }
            }
            for (const BinaryOp op : value::all_binary_ops) {
                if (value::result_type(op, operand, operand) == type) { fitting.push_back({{op, operand}, true}); }
            }
        }
        if (fitting.empty()) { return input(type); }
        const auto& [op, is_binary] = choices_.one_of(fitting);
        const Expression a = draw(op.type, depth - 1);
        if (!is_binary) {
            return {type, apply(std::get<UnaryOp>(op.what), a.value), equivalence::apply(graph_, node_, op, {a.term})};
        }
        // Occasionally use the same operand twice.
        const Expression b = choices_.boolean(160) ? a : draw(op.type, depth - 1);
        return {type, apply(std::get<BinaryOp>(op.what), a.value, b.value),
                equivalence::apply(graph_, node_, op, {a.term, b.term})};
    }

    Value evaluate(TermId id) const {
        return std::visit(
            Overload{[](const Literal& n) { return n.value; },
                     [](const Embed& n) {
                         const isl::val index = n.index.range().sample_point().to_set().dim_max_val(0);
                         return value::cast(n.type, Value::integer(Type::i64, index.num_si()));
                     },
                     [](const Guard& n) { return Value::boolean(!n.holds.is_empty()); },
                     [&](const Read& n) { return inputs_.at(n.read); }, [&](const Apply& n) { return evaluate(n); },
                     [&](const AffineSelect& n) {
                         return value::select(Value::boolean(!n.holds.is_empty()), evaluate(n.if_true),
                                              evaluate(n.if_false));
                     }},
            graph_.term(id).what);
    }

private:
    Value evaluate(const Apply& n) const {
        std::vector<Value> operands;
        for (const TermId operand : n.operands) { operands.push_back(evaluate(operand)); }
        return std::visit(Overload{[&](UnaryOp op) { return apply(op, operands[0]); },
                                   [&](BinaryOp op) { return apply(op, operands[0], operands[1]); },
                                   [&](const Conversion& to) { return value::cast(to.to, operands[0]); },
                                   [&](const Choice&) { return value::select(operands[0], operands[1], operands[2]); }},
                          n.op.what);
    }

    // Small numbers, powers of two and their neighbours, the least and the greatest; for floats also NaNs.
    Value some_value(Type type) {
        if (type == Type::boolean) { return Value::boolean(choices_.boolean(500)); }
        if (choices_.boolean(500)) { return Value::integer(type, choices_.integer(-9, 9)); }
        const std::int64_t bits = value::bits(type);
        const std::uint64_t power = std::uint64_t{1} << choices_.integer(0, bits - 1);
        if (!value::is_float(type)) {
            return Value::from_bits(type, power + static_cast<std::uint64_t>(choices_.integer(-1, 1)));
        }
        if (choices_.boolean(500)) {
            return Value::from_bits(type, ~std::uint64_t{0} << choices_.integer(0, bits - 1));
        }
        const Value number = value::cast(type, Value::f64(static_cast<double>(power)));
        return choices_.boolean(500) ? number : apply(BinaryOp::div, Value::integer(type, -1), number);
    }

    Expression literal(Type type) {
        const Value value = some_value(type);
        return {type, value, graph_.add({Literal{value}, node_})};
    }
    Expression input(Type type) {
        const ArrayId array =
            graph_.memory().add_array({"", {}, false, isl::map(graph_.ctx(), "{ [0] -> [0] }"), "", 0});
        const isl::map cell = isl::set(graph_.node(node_).domain).identity();
        const ReadId read = graph_.memory().add_read({node_, array, cell, {}, {}, {}});
        const Value value = choices_.boolean(80) ? Value::undef(type) : some_value(type);
        inputs_.emplace(read, value);
        return {type, value, graph_.add({Read{read}, node_})};
    }
    Expression embedded(Type type) {
        const auto index = static_cast<long>(choices_.integer(-4, 300));
        const isl::set& domain = graph_.node(node_).domain;
        const isl::map map = isl::multi_pw_aff(domain.pw_aff_on_domain(index)).as_map();
        const Value value = value::cast(type, Value::integer(Type::i64, index));
        return {type, value, graph_.add({Embed{type, map}, node_})};
    }
    Expression conversion(Type type, int depth) {
        const Expression a = draw(choices_.one_of(value::all_types), depth);
        return {type, value::cast(type, a.value),
                equivalence::apply(graph_, node_, {Conversion{type}, a.type}, {a.term})};
    }
    Expression choice(Type type, int depth) {
        const Expression c = draw(Type::boolean, depth), a = draw(type, depth), b = draw(type, depth);
        return {type, value::select(c.value, a.value, b.value),
                equivalence::apply(graph_, node_, {Choice{}, type}, {c.term, a.term, b.term})};
    }

    Graph graph_;
    NodeId node_;
    Choices& choices_;
    std::map<ReadId, Value> inputs_;
};

TEST_CASE("a term in normal form has the value of what was written, and is as defined") {
    const affine::Context isl;
    for (std::uint64_t n = 0; n < 60'000; ++n) {
        Choices choices(random_source(derive_seed(2012, n)));
        Drawing drawing(isl.ctx(), choices);
        const Expression drawn = drawing.draw(choices.one_of(value::all_types), 3);
        const Value value = drawing.evaluate(drawn.term);
        INFO("draw " << n << ": " << to_string(drawn.value) << " is now " << to_string(value));
        REQUIRE(value.type() == drawn.type);
        REQUIRE(value.is_defined() == drawn.value.is_defined());
        if (value.is_defined()) { REQUIRE(value::same_result(value, drawn.value)); }
    }
}

// Whether f(x) = specification and f[x] := program are equal, for an input of the type that the specification calls
// a(x).
bool are_equal(const std::string& type, const std::string& result, const std::string& specification,
               const std::string& program, bool normal_forms = true) {
    const std::string sare = "sare s(N) assuming N >= 0 and N <= 1000 {\n  input a : " + type +
                             "[1]\n  f(x) = " + specification + "\n  output f on { [x] : 0 <= x < N }\n}\n";
    const std::string text = "sched s(N) { input a : " + type + "[N]; output f : " + result +
                             "[N]; for x in [0, N) { f[x] := " + program + "; } }";
    Options options;
    options.normal_forms = normal_forms;
    return is_proved(check(sare_of(sare), program_of(text), options));
}

TEST_CASE("what compilers write in several ways is one term") {
    struct Pair {
        std::string type, result, specification, program;
    };
    const std::vector<Pair> pairs{{"i32", "i32", "a(x) << 3", "a[x] * 8i32"},
                                  {"i16", "i16", "a(x) & 7", "a[x] % 8i16"},
                                  {"u16", "u16", "a(x) >> 2", "a[x] / 4u16"},
                                  {"i32", "i32", "a(x) - 5", "a[x] + -5i32"},
                                  {"u8", "u8", "a(x) - 5", "a[x] + 251u8"},
                                  {"u8", "i32", "7 - i32(a(x))", "i32(a[x]) * -1i32 + 7i32"},
                                  {"f32", "f32", "a(x) / 4", "a[x] * 0.25f32"},
                                  {"f32", "f32", "-a(x)", "0.0f32 - a[x]"},
                                  {"i32", "i32", "a(x) + a(x)", "a[x] * 2i32"},
                                  {"i32", "i32", "select(a(x) != 3, 1i32, 2i32)", "select(a[x] == 3i32, 2i32, 1i32)"},
                                  {"i32", "bool", "a(x) <= 3", "!(3i32 < a[x])"},
                                  {"i32", "i32", "select(bool(a(x)), 1i32, 2i32)", "select(a[x] == 0i32, 2i32, 1i32)"},
                                  {"u8", "i64", "i64(i16(a(x)))", "i64(a[x])"},
                                  {"i32", "u8", "u8(u16(a(x)))", "u8(a[x])"},
                                  {"u8", "u8", "250 + a(x)", "a[x] + 250u8"},
                                  {"bool", "bool", "a(x)", "(u8(a[x]) & 1u8) != 0u8"},
                                  {"bool", "u8", "min(u8(a(x)), u8(!a(x)))", "u8(a[x] && !a[x])"}};
    for (const Pair& pair : pairs) {
        INFO(pair.specification << " and " << pair.program);
        CHECK(are_equal(pair.type, pair.result, pair.specification, pair.program));
        CHECK_FALSE(are_equal(pair.type, pair.result, pair.specification, pair.program, false));
    }
}

TEST_CASE("what only looks like it is not") {
    CHECK_FALSE(are_equal("i32", "i32", "a(x) << 3", "a[x] * 4i32"));
    CHECK_FALSE(are_equal("i16", "i16", "a(x) & 6", "a[x] % 7i16"));
    CHECK_FALSE(are_equal("f32", "f32", "a(x) / 3", "a[x] * 0.33333334f32"));
    CHECK_FALSE(are_equal("f32", "bool", "a(x) <= 3", "!(3.0f32 < a[x])"));
    CHECK_FALSE(are_equal("i16", "i32", "i32(u8(a(x)))", "i32(a[x])"));
    CHECK_FALSE(are_equal("i32", "i32", "i32(f32(a(x)))", "a[x]"));
    CHECK_FALSE(are_equal("u8", "u8", "250 + a(x)", "a[x] + 251u8"));
    CHECK_FALSE(are_equal("u8", "bool", "(a(x) & 3) != 0", "a[x] != 0u8"));
}

}  // namespace
}  // namespace haruspex::equivalence
