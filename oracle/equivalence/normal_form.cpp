#include "oracle/equivalence/normal_form.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "generators/base/overload.h"
#include "generators/value/operators.h"
#include "generators/value/range.h"

namespace haruspex::equivalence {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

// Whether every value of the first type is one of the second.
bool holds_all(Type from, Type to) {
    const auto digits = [](Type type) {
        if (type == Type::f32) { return 24; }
        if (type == Type::f64) { return 53; }
        return value::bits(type) - (value::is_signed_integer(type) ? 1 : 0);
    };
    if (value::is_float(from) && !value::is_float(to)) { return false; }
    if (value::is_signed_integer(from) && !value::is_signed_integer(to) && !value::is_float(to)) { return false; }
    return to != Type::boolean && digits(from) <= digits(to);
}

// Whether a cast to `by` before the cast to `to` changes nothing.
bool passes_through(Type from, Type by, Type to) {
    if (by == Type::boolean) { return false; }
    if (holds_all(from, by)) {
        // An integer that does not hold the value is Undef if converted from a float, but may have wrapped if from an
        // integer.
        return value::is_float(by) == value::is_float(from) || value::is_float(to) || holds_all(from, to);
    }
    // The lowest bits of the lowest bits.
    return value::is_integer(from) && value::wraps(by) && value::wraps(to) && value::bits(to) <= value::bits(by);
}

// 2^exponent, if the type has it.
std::optional<Value> power_of_two(Type type, std::int64_t exponent) {
    if (exponent < 0 || exponent > 62) { return std::nullopt; }
    const Value power = Value::integer(type, std::int64_t{1} << exponent);
    return integer(power) == std::int64_t{1} << exponent ? std::optional(power) : std::nullopt;
}

class NormalForm {
public:
    NormalForm(Graph& graph, NodeId node) : graph_(graph), node_(node) {}

    TermId apply(const Operator& op, const std::vector<TermId>& operands) {
        if (const auto value = folded(op, operands)) { return literal(*value); }
        return std::visit(
            Overload{[&](UnaryOp n) { return unary(n, op.type, operands[0]); },
                     [&](BinaryOp n) { return binary(n, op.type, operands[0], operands[1]); },
                     [&](const Conversion& n) { return conversion(n.to, op.type, operands[0]); },
                     [&](const Choice&) { return choice(op.type, operands[0], operands[1], operands[2]); }},
            op.what);
    }

private:
    // --- Forms of terms ---------------------------------------------------------------------------------------------

    template <typename What>
    const What* as(TermId id) const {
        return std::get_if<What>(&graph_.term(id).what);
    }
    const Value* value_of(TermId id) const {
        const auto* found = as<Literal>(id);
        return found == nullptr ? nullptr : &found->value;
    }
    // Integer types only: sums with a zero of a float type depend on its sign.
    std::optional<std::int64_t> number(TermId id) const {
        const Value* value = value_of(id);
        const bool is_integer = value != nullptr && value->is_defined() && value::is_integer(value->type());
        return is_integer ? integer(*value) : std::nullopt;
    }
    bool is_number(TermId id, std::int64_t n) const { return number(id) == n; }
    // The operands, if the term has that operator.
    const std::vector<TermId>* operands_of(TermId id, const Operator& op) const {
        const auto* apply = as<Apply>(id);
        return apply != nullptr && apply->op == op ? &apply->operands : nullptr;
    }
    // The operand of `!`.
    std::optional<TermId> negated(TermId id) const {
        const auto* operands = operands_of(id, {UnaryOp::logical_not, Type::boolean});
        return operands == nullptr ? std::nullopt : std::optional((*operands)[0]);
    }
    // The bool from which a number is converted, if it is.
    std::optional<TermId> bool_within(TermId id) const {
        const Apply* conversion = conversion_in(id);
        const bool is_of_bool = conversion != nullptr && conversion->op.type == Type::boolean;
        return is_of_bool ? std::optional(conversion->operands[0]) : std::nullopt;
    }

    // Conservative. While a node evaluates its term each cell has one value, except for later reads.
    bool are_same(TermId a, TermId b) const {
        if (a == b) { return true; }
        if (const Value *x = value_of(a), *y = value_of(b); x != nullptr && y != nullptr) { return *x == *y; }
        if (const auto *x = as<Embed>(a), *y = as<Embed>(b); x != nullptr && y != nullptr) {
            return x->type == y->type && x->index.is_equal(y->index);
        }
        if (const auto *x = as<Read>(a), *y = as<Read>(b); x != nullptr && y != nullptr) {
            const MemoryRead &first = graph_.memory().read(x->read), &second = graph_.memory().read(y->read);
            if (first.source || second.source) {
                return first.source == second.source && first.direct->is_equal(*second.direct);
            }
            return first.array == second.array && first.is_later == second.is_later &&
                   first.cell->is_equal(*second.cell);
        }
        const auto *x = as<Apply>(a), *y = as<Apply>(b);
        return x != nullptr && y != nullptr && x->op == y->op &&
               std::ranges::equal(x->operands, y->operands, [&](TermId i, TermId j) { return are_same(i, j); });
    }
    // The conversion at the top of the term, with its source type.
    const Apply* conversion_in(TermId id) const {
        const auto* apply = as<Apply>(id);
        return apply != nullptr && std::holds_alternative<Conversion>(apply->op.what) ? apply : nullptr;
    }
    bool is_never_nan(TermId id) const {
        if (const Value* value = value_of(id)) { return value->is_defined() && !value->is_nan(); }
        const Apply* conversion = conversion_in(id);
        return conversion != nullptr && !value::is_float(conversion->op.type);
    }
    // Whether an integer is never the least one of its type: it is converted from a type that lacks it.
    bool has_opposite(Type type, TermId id) const {
        const Apply* conversion = conversion_in(id);
        if (conversion == nullptr || !value::is_signed_integer(type) || !holds_all(conversion->op.type, type)) {
            return false;
        }
        return value::full_range(conversion->op.type).low > value::full_range(type).low;
    }
    // The x in x * -1, if x has an opposite.
    std::optional<TermId> opposite(Type type, TermId id) const {
        const auto* operands = operands_of(id, {BinaryOp::mul, type});
        const bool is_one = operands != nullptr && is_number((*operands)[1], -1) && has_opposite(type, (*operands)[0]);
        return is_one ? std::optional((*operands)[0]) : std::nullopt;
    }

    // --- Making terms -----------------------------------------------------------------------------------------------

    TermId literal(const Value& value) { return graph_.add({Literal{value}, node_}); }
    TermId literal(Type type, std::int64_t n) { return literal(Value::integer(type, n)); }
    TermId symbol(const Operator& op, const std::vector<TermId>& operands) {
        return graph_.apply_symbol(node_, op, operands);
    }
    TermId negation(TermId a) { return apply({UnaryOp::logical_not, Type::boolean}, {a}); }

    // Does not fold rounded floats: they differ from the exact real numbers.
    std::optional<Value> folded(const Operator& op, const std::vector<TermId>& operands) const {
        std::vector<Value> values;
        for (const TermId operand : operands) {
            const Value* value = value_of(operand);
            if (value == nullptr || !value->is_defined() || value::is_float(value->type())) { return std::nullopt; }
            values.push_back(*value);
        }
        const Value result =
            std::visit(Overload{[&](UnaryOp n) { return value::apply(n, values[0]); },
                                [&](BinaryOp n) { return value::apply(n, values[0], values[1]); },
                                [&](const Conversion& n) { return value::cast(n.to, values[0]); },
                                [&](const Choice&) { return value::select(values[0], values[1], values[2]); }},
                       op.what);
        if (!result.is_defined()) { return std::nullopt; }
        const bool is_exact = !value::is_float(result.type()) || value::cast(values[0].type(), result) == values[0];
        return is_exact ? std::optional(result) : std::nullopt;
    }

    // --- By operator ------------------------------------------------------------------------------------------------

    TermId unary(UnaryOp op, Type type, TermId a) {
        if (op == UnaryOp::negate) {
            if (value::is_float(type)) { return apply({BinaryOp::sub, type}, {literal(Value::integer(type, 0)), a}); }
            return apply({BinaryOp::mul, type}, {a, literal(type, -1)});
        }
        if (op == UnaryOp::logical_not) {
            if (const auto inner = negated(a)) { return *inner; }
        }
        return symbol({op, type}, {a});
    }

    TermId binary(BinaryOp op, Type type, TermId a, TermId b) {
        const bool is_turned = value_of(a) != nullptr && value_of(b) == nullptr && value::is_commutative(op, type);
        if (is_turned) { std::swap(a, b); }
        switch (op) {
            case BinaryOp::sub: return difference(type, a, b);
            case BinaryOp::add:
            case BinaryOp::mul: return chained(op, type, a, b);
            case BinaryOp::bit_or:
            case BinaryOp::bit_xor:
                if (is_number(b, 0)) { return a; }
                break;
            case BinaryOp::div: return quotient(type, a, b);
            case BinaryOp::mod:
                if (bool_within(a) && number(b) >= 2) { return a; }
                break;
            case BinaryOp::bit_and: return masked(type, a, b);
            case BinaryOp::shift_left:
            case BinaryOp::shift_right: return shifted(op, type, a, b);
            case BinaryOp::ne: return negation(apply({BinaryOp::eq, type}, {a, b}));
            case BinaryOp::gt: return apply({BinaryOp::lt, type}, {b, a});
            case BinaryOp::ge: return apply({BinaryOp::le, type}, {b, a});
            case BinaryOp::le:
                // For a NaN neither is true.
                if (value::is_integer(type) || (is_never_nan(a) && is_never_nan(b))) {
                    return negation(apply({BinaryOp::lt, type}, {b, a}));
                }
                break;
            case BinaryOp::lt:
            case BinaryOp::eq: return compared(op, type, a, b);
            case BinaryOp::logical_and:
            case BinaryOp::logical_or:
                if (const Value* value = value_of(b); value != nullptr && value->is_defined()) {
                    if (value->as_bool() == (op == BinaryOp::logical_and)) { return a; }
                }
                break;
            case BinaryOp::min:
            case BinaryOp::max:
                if (const auto p = bool_within(a), q = bool_within(b); p && q) {
                    const auto both = op == BinaryOp::min ? BinaryOp::logical_and : BinaryOp::logical_or;
                    return conversion(type, Type::boolean, apply({both, Type::boolean}, {*p, *q}));
                }
                break;
        }
        return symbol({op, type}, {a, b});
    }

    // A sum or a product.
    TermId chained(BinaryOp op, Type type, TermId a, TermId b) {
        if (op == BinaryOp::add && is_number(b, 0)) { return a; }
        if (op == BinaryOp::add && value_of(a) == nullptr && are_same(a, b)) {
            return apply({BinaryOp::mul, type}, {a, literal(type, 2)});
        }
        if (const Value* factor = value_of(b); op == BinaryOp::mul && factor != nullptr) {
            if (*factor == Value::integer(type, 1)) { return a; }
            if (const auto turned = opposite(type, a); turned && is_number(b, -1)) { return *turned; }
        }
        const std::vector<TermId>* within = value::wraps(type) && number(b) ? operands_of(a, {op, type}) : nullptr;
        if (within != nullptr && value_of((*within)[1]) != nullptr) {
            const TermId inner = (*within)[0], first = (*within)[1];
            return apply({op, type}, {inner, apply({op, type}, {first, b})});
        }
        return symbol({op, type}, {a, b});
    }

    TermId difference(Type type, TermId a, TermId b) {
        const auto subtracted = number(b);
        if (subtracted == 0) { return a; }
        if (const auto turned = opposite(type, b)) { return apply({BinaryOp::add, type}, {a, *turned}); }
        if (value::wraps(type) || has_opposite(type, b)) {
            return apply({BinaryOp::add, type}, {a, apply({BinaryOp::mul, type}, {b, literal(type, -1)})});
        }
        // The least i32 has no opposite.
        const std::int64_t least = -(std::int64_t{1} << (value::bits(type) - 2)) * 2;
        if (subtracted && *subtracted != least) {
            return apply({BinaryOp::add, type}, {a, literal(type, -*subtracted)});
        }
        return symbol({BinaryOp::sub, type}, {a, b});
    }

    TermId quotient(Type type, TermId a, TermId b) {
        if (is_number(b, 1)) { return a; }
        const Value* divisor = value_of(b);
        if (divisor != nullptr && value::is_float(type) && divisor->is_defined() && !divisor->is_nan()) {
            int exponent = 0;
            const double digits = std::frexp(divisor->as_double(), &exponent);
            // The inverse is exact, and not subnormal.
            if (std::abs(digits) == 0.5 && std::abs(exponent) < 100) {
                const Value inverse = value::cast(type, Value::f64(1 / divisor->as_double()));
                return apply({BinaryOp::mul, type}, {a, literal(inverse)});
            }
        }
        return symbol({BinaryOp::div, type}, {a, b});
    }

    TermId masked(Type type, TermId a, TermId b) {
        const Value* mask = value_of(b);
        if (mask != nullptr && *mask == value::apply(UnaryOp::bit_not, Value::integer(type, 0))) { return a; }
        for (int k = 1; k < value::bits(type); ++k) {
            const auto power = power_of_two(type, k);
            if (power && number(b) == *integer(*power) - 1) {
                return apply({BinaryOp::mod, type}, {a, literal(*power)});
            }
        }
        return symbol({BinaryOp::bit_and, type}, {a, b});
    }

    TermId shifted(BinaryOp op, Type type, TermId a, TermId b) {
        const auto amount = number(b);
        if (amount == 0) { return a; }
        if (const auto power = amount ? power_of_two(type, *amount) : std::nullopt) {
            return apply({op == BinaryOp::shift_left ? BinaryOp::mul : BinaryOp::div, type}, {a, literal(*power)});
        }
        return symbol({op, type}, {a, b});
    }

    TermId compared(BinaryOp op, Type type, TermId a, TermId b) {
        if (op == BinaryOp::eq) {
            if (const Value* value = value_of(b); type == Type::boolean && value != nullptr && value->is_defined()) {
                return value->as_bool() ? a : negation(a);
            }
            if (const auto inner = bool_within(a); inner && value::is_integer(type)) {
                if (is_number(b, 0)) { return negation(*inner); }
                if (is_number(b, 1)) { return *inner; }
            }
        }
        const auto x = index_of(type, a), y = index_of(type, b);
        const bool is_affine = x && y && (as<Embed>(a) != nullptr || as<Embed>(b) != nullptr);
        if (is_affine) { return graph_.add({Guard{op == BinaryOp::eq ? x->eq_set(*y) : x->lt_set(*y)}, node_}); }
        return symbol({op, type}, {a, b});
    }

    // The index that the term equals, if it is never Undef; over the node's domain.
    std::optional<isl::pw_aff> index_of(Type type, TermId id) const {
        if (!value::overflow_is_undefined(type)) { return std::nullopt; }
        const isl::set& domain = graph_.node(node_).domain;
        if (const auto* embed = as<Embed>(id)) {
            if (!always_fits(*embed, domain)) { return std::nullopt; }
            const isl::multi_pw_aff index(embed->index.intersect_domain(domain).as_pw_multi_aff());
            return index.at(0);
        }
        const auto n = number(id);
        if (!n) { return std::nullopt; }
        return domain.pw_aff_on_domain(static_cast<long>(*n));
    }

    TermId conversion(Type to, Type from, TermId a) {
        if (to == from) { return a; }
        if (to == Type::boolean) { return apply({BinaryOp::ne, from}, {a, literal(from, 0)}); }
        if (const auto* embed = as<Embed>(a);
            embed != nullptr && value::overflow_is_undefined(from) && always_fits(*embed, graph_.node(node_).domain)) {
            return graph_.add({Embed{to, embed->index}, node_});
        }
        const Apply* inner = conversion_in(a);
        if (inner != nullptr && passes_through(inner->op.type, from, to)) {
            const Type first = inner->op.type;
            const TermId operand = inner->operands[0];
            return apply({Conversion{to}, first}, {operand});
        }
        return symbol({Conversion{to}, from}, {a});
    }

    TermId choice(Type type, TermId condition, TermId a, TermId b) {
        if (const auto inner = negated(condition)) { return choice(type, *inner, b, a); }
        return symbol({Choice{}, type}, {condition, a, b});
    }

    Graph& graph_;
    NodeId node_;
};

}  // namespace

TermId apply(Graph& graph, NodeId node, const Operator& op, const std::vector<TermId>& operands) {
    return graph.has_normal_forms() ? NormalForm(graph, node).apply(op, operands)
                                    : graph.apply_symbol(node, op, operands);
}

}  // namespace haruspex::equivalence
