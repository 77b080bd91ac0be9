#include "oracle/validator/terms/term.h"

#include <algorithm>
#include <limits>

#include "generators/affine/context.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/value/range.h"
#include "oracle/rewrite/arithmetic_rules.h"
#include "oracle/rewrite/cast_rules.h"
#include "oracle/rewrite/limit_rules.h"
#include "oracle/rewrite/select_rules.h"
#include "oracle/rewrite/table.h"
#include "oracle/rewrite/truth_rules.h"

namespace haruspex::validator {
namespace {

using value::Type;

Term make(Type type, decltype(TermNode::what) what) {
    affine::spend(1);
    auto node = std::make_shared<TermNode>(TermNode{type, std::move(what), false, false});
    node->mentions_uninit = std::holds_alternative<term::Uninit>(node->what);
    node->mentions_unknown = std::holds_alternative<term::Unknown>(node->what);
    for (const Term& operand : operands(node)) {
        node->mentions_uninit |= operand->mentions_uninit;
        node->mentions_unknown |= operand->mentions_unknown;
    }
    return node;
}

Term instantiate(const heap::Templates& templates, heap::Template expr, const std::vector<isl::pw_aff>& holes,
                 std::size_t& next) {
    const Type type = templates.type(expr);
    const auto part = [&](heap::Template t) { return instantiate(templates, t, holes, next); };
    return std::visit(Overload{[&](const heap::Literal& n) { return make_literal(n.value); },
                               [&](const heap::Uninit&) { return make(type, term::Uninit{}); },
                               [&](const heap::Unknown&) { return make(type, term::Unknown{}); },
                               [&](const heap::Cell& n) {
                                   std::vector<isl::pw_aff> indices;
                                   for (std::size_t d = 0; d < n.rank; ++d) { indices.push_back(holes[next++]); }
                                   return make_cell(n.tensor, n.component, type, std::move(indices));
                               },
                               [&](const heap::Embed&) { return make_embed(type, holes[next++]); },
                               [&](const heap::Unary& n) { return make_unary(n.op, part(n.a)); },
                               [&](const heap::Binary& n) {
                                   const Term a = part(n.a);
                                   return make_binary(n.op, a, part(n.b));
                               },
                               [&](const heap::Cast& n) { return make_cast(type, part(n.a)); },
                               [&](const heap::Select& n) {
                                   const Term c = part(n.condition), a = part(n.if_true);
                                   return make_select(c, a, part(n.if_false));
                               }},
                      templates[expr].what);
}

using namespace rewrite;

// Terms as rules see them. Of a term is known only its type, and that of the operand if it is a cast to a wider one.
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
        if (value::is_float(t->type)) { return std::nullopt; }
        const Value* literal = literal_of(t);
        if (literal != nullptr && literal->is_defined()) { return value::range_of(*literal); }
        const auto* cast = as_cast(t);
        if (cast != nullptr && !value::is_float(cast->a->type)) {
            const value::Range held = value::full_range(cast->a->type);
            if (is_within(held, t->type)) { return value::Range{t->type, held.low, held.high, 0}; }
        }
        return value::full_range(t->type);
    }
    // Computed as i64: that has no range for a result that may overflow.
    static bool is_exact(const Term& t) {
        const auto* binary = as_binary(t);
        if (binary == nullptr || !value::is_integer(t->type)) { return false; }
        auto a = range(binary->a), b = range(binary->b);
        if (!a || !b || !is_within(*a, Type::i64) || !is_within(*b, Type::i64)) { return false; }
        a->type = b->type = Type::i64;
        const auto result = value::apply(binary->op, *a, *b);
        return result && is_within(*result, t->type);
    }
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

constexpr Rules<CastRule<Trees>> cast_rules{cast_to_own_type,   float_cast_to_own_type, cast_of_choice,
                                            integer_as_bool,    float_as_bool,          cast_through_f64,
                                            cast_through_wider, cast_of_low_bits,       cast_of_operation};

constexpr Rules<SelectRule<Trees>> select_rules{select_of_truths, select_by_negation, select_by_inequality};

}  // namespace

std::vector<Term> operands(const Term& t) {
    using List = std::vector<Term>;
    return std::visit(
        Overload{[](const term::Unary& n) { return List{n.a}; }, [](const term::Binary& n) { return List{n.a, n.b}; },
                 [](const term::Cast& n) { return List{n.a}; },
                 [](const term::Select& n) { return List{n.condition, n.if_true, n.if_false}; },
                 [](const term::Choice& n) {
                     List values;
                     for (const auto& c : n.cases) { values.push_back(c.value); }
                     return values;
                 },
                 [](const auto&) { return List{}; }},
        t->what);
}

affine::Interval integers_of(Type type) {
    const value::Range all = value::full_range(type);
    constexpr value::Int128 most = std::numeric_limits<std::int64_t>::max();
    return {static_cast<std::int64_t>(all.low), static_cast<std::int64_t>(std::min(all.high, most))};
}

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

Term make_literal(const value::Value& value) {
    if (value.is_uninit()) { return make(value.type(), term::Uninit{}); }
    return make(value.type(), term::Literal{value});
}

Term make_truth(const isl::set& condition) { return make(Type::boolean, term::Truth{condition}); }

Term make_cell(const std::string& tensor, int component, Type type, std::vector<isl::pw_aff> indices) {
    return make(type, term::Cell{tensor, component, std::move(indices)});
}

Term make_embed(Type type, const isl::pw_aff& index) { return make(type, term::Embed{index}); }

Term make_unary(value::UnaryOp op, const Term& a) {
    if (const auto* literal = as<term::Literal>(a)) { return make_literal(value::apply(op, literal->value)); }
    const auto* truth = as<term::Truth>(a);
    if (truth != nullptr && op == value::UnaryOp::logical_not) { return make_truth(truth->condition.complement()); }
    if (auto canonical = canonical_unary(op, a)) { return std::move(*canonical); }
    const auto type = value::result_type(op, a->type);
    ENSURE(type, "an operand that does not fit the operator");
    return make(*type, term::Unary{op, a});
}

Term make_binary(value::BinaryOp op, const Term& a, const Term& b) {
    const auto* x = as<term::Literal>(a);
    const auto* y = as<term::Literal>(b);
    if (const auto result =
            x != nullptr && y != nullptr ? value::apply_exactly(op, x->value, y->value) : std::nullopt) {
        return make_literal(*result);
    }
    const auto* p = as<term::Truth>(a);
    const auto* q = as<term::Truth>(b);
    if (p != nullptr && q != nullptr) {
        if (op == value::BinaryOp::logical_and) { return make_truth(p->condition.intersect(q->condition)); }
        if (op == value::BinaryOp::logical_or) { return make_truth(p->condition.unite(q->condition)); }
    }
    const auto type = value::result_type(op, a->type, b->type);
    ENSURE(type, "operands that do not fit the operator");
    if (auto canonical = canonical_binary(op, a, b)) { return std::move(*canonical); }
    return make(*type, term::Binary{op, a, b});
}

Term make_cast(Type to, const Term& a) {
    const auto* literal = as<term::Literal>(a);
    if (const auto result = literal != nullptr ? value::cast_exactly(to, literal->value) : std::nullopt) {
        return make_literal(*result);
    }
    if (auto canonical = canonical_cast(to, a)) { return std::move(*canonical); }
    return make(to, term::Cast{a});
}

Term make_select(const Term& condition, const Term& if_true, const Term& if_false) {
    ENSURE(condition->type == Type::boolean && if_true->type == if_false->type, "a select of mixed types");
    if (auto canonical = canonical_select(condition, if_true, if_false)) { return std::move(*canonical); }
    return make(if_true->type, term::Select{condition, if_true, if_false});
}

Term make_choice(Type type, std::vector<term::Choice::Case> cases) {
    return make(type, term::Choice{std::move(cases)});
}

Term instantiate(const heap::Templates& templates, heap::Template expr, const std::vector<isl::pw_aff>& holes) {
    std::size_t next = 0;
    return instantiate(templates, expr, holes, next);
}

bool is_written_alike(const term::Cell& a, const term::Cell& b) {
    return a.tensor == b.tensor && a.component == b.component &&
           std::ranges::equal(a.indices, b.indices, [](const isl::pw_aff& i, const isl::pw_aff& k) {
               return static_cast<bool>(i.plain_is_equal(k));
           });
}

// A shared subterm is printed as often as it is used: a small term may have a very long text.
class Printer {
public:
    explicit Printer(std::size_t most) : most_(most) {}

    std::string print(const Term& t) {
        add(t);
        return std::move(text_);
    }

private:
    void add(const std::string& text) { text_ += text; }

    void add(const std::vector<isl::pw_aff>& indices) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (i > 0) { add(", "); }
            add(heap::index_to_string(indices[i]));
        }
    }

    template <typename... Parts>
    void all(const Parts&... parts) {
        (add(parts), ...);
    }

    void add(const Term& t) {
        if (text_.size() > most_) { return; }
        const std::string type(value::name(t->type));
        std::visit(
            Overload{
                [&](const term::Literal& n) { add(value::to_string(n.value)); },
                [&](const term::Uninit&) { add("uninit_" + type); },
                [&](const term::Unknown&) { add("unknown_" + type); },
                [&](const term::Truth& n) { add("[" + heap::condition_to_string(n.condition) + "]"); },
                [&](const term::Cell& n) {
                    const std::string component = n.component == 0 ? "" : "[" + std::to_string(n.component) + "]";
                    all(n.tensor + "(", n.indices, ")" + component);
                },
                [&](const term::Embed& n) { add(type + "<" + heap::index_to_string(n.index) + ">"); },
                [&](const term::Unary& n) { all(std::string(value::spelling(n.op)) + "(", n.a, ")"); },
                [&](const term::Binary& n) { all("(", n.a, " " + std::string(value::spelling(n.op)) + " ", n.b, ")"); },
                [&](const term::Cast& n) { all(type + "(", n.a, ")"); },
                [&](const term::Select& n) { all("select(", n.condition, ", ", n.if_true, ", ", n.if_false, ")"); },
                [&](const term::Choice& n) {
                    for (std::size_t i = 0; i < n.cases.size(); ++i) {
                        const auto& [environments, value] = n.cases[i];
                        all(i == 0 ? "{" : " | ", value, " : " + heap::condition_to_string(environments));
                    }
                    add(n.cases.empty() ? "{}" : "}");
                }},
            t->what);
    }

    std::size_t most_;
    std::string text_;
};

std::string to_string(const Term& t, std::size_t most) { return Printer(most).print(t); }

}  // namespace haruspex::validator
