#include <limits>

#include "generators/base/ensure.h"
#include "oracle/interp/sched_machine.h"

// The number of iterations of a loop whose bounds depend on unwritten memory. Lowered code has such loops if an update
// rounds up: it folds garbage into garbage, over a range that was trimmed by the existing content.
namespace haruspex::interp::loops {

namespace {

constexpr std::int64_t most_doubtful_iterations = 1 << 16;

using value::Range;
using value::Type;

// An index that has a value.
Range exactly(Number n) { return {Type::i64, n.value, n.value}; }
std::optional<Range> unless_unknown(Number n) {
    return n.flaw == Flaw::none ? std::optional(exactly(n)) : std::nullopt;
}

// The range of a value that depends on Uninit and whose operands are unbounded, or may overflow: any value.
std::optional<Range> any(Type type) {
    return value::is_float(type) ? std::nullopt : std::optional(value::full_range(type));
}

std::optional<value::BinaryOp> binary_op(Arithmetic op) {
    using enum value::BinaryOp;
    switch (op) {
        case Arithmetic::add: return add;
        case Arithmetic::sub: return sub;
        case Arithmetic::mul: return mul;
        case Arithmetic::div: return div;
        case Arithmetic::mod: return mod;
        case Arithmetic::min: return min;
        case Arithmetic::max: return max;
        case Arithmetic::lt:
        case Arithmetic::le:
        case Arithmetic::eq:
        case Arithmetic::ne:
        case Arithmetic::gt:
        case Arithmetic::ge:
        case Arithmetic::both:
        case Arithmetic::either: return std::nullopt;  // conditions: either may hold
    }
    ENSURE(false, "an operation on numbers that is not handled");
    return std::nullopt;
}

}  // namespace

std::optional<Range> Machine::range(NumberId id) {
    const Number n = number(id);
    if (n.flaw != Flaw::uninit) { return unless_unknown(n); }
    return compound_range(code_.numbers[id.value]);
}

std::optional<Range> Machine::compound_range(const NumberNode& node) {
    switch (node.op) {
        case NumberOp::variable: {
            const auto bound = number_ranges_.find(node.slot);
            return bound == number_ranges_.end() ? std::nullopt : bound->second;
        }
        case NumberOp::linear: {
            std::optional<Range> sum = exactly({node.constant});
            for (std::uint32_t t = node.bound; sum && t < node.bound + node.count; ++t) {
                const auto operand = range(code_.terms[t].operand);
                const auto term =
                    operand ? value::apply(value::BinaryOp::mul, *operand, exactly({code_.terms[t].coefficient}))
                            : std::nullopt;
                sum = term ? value::apply(value::BinaryOp::add, *sum, *term) : std::nullopt;
            }
            return sum;
        }
        case NumberOp::arithmetic: {
            const auto op = binary_op(node.arithmetic);
            if (!op) { return Range{Type::i64, 0, 1}; }
            const auto a = range(node.a);
            const auto b = range(node.b);
            return a && b ? value::apply(*op, *a, *b) : std::nullopt;
        }
        case NumberOp::negation: return Range{Type::i64, 0, 1};
        case NumberOp::denoted: {
            const auto denoted = range(node.value);
            if (!denoted || denoted->high > std::numeric_limits<std::int64_t>::max()) { return std::nullopt; }
            return Range{Type::i64, denoted->low, denoted->high};
        }
        case NumberOp::select: {
            const auto if_true = range(node.b);
            const auto if_false = range(node.c);
            return if_true && if_false ? std::optional(value::join(*if_true, *if_false)) : std::nullopt;
        }
        case NumberOp::constant:
        case NumberOp::let:
        case NumberOp::let_value: return std::nullopt;
    }
    ENSURE(false, "an operation on numbers that is not handled");
    return std::nullopt;
}

std::optional<Range> Machine::range(ValueId id) {
    const value::Value v = value(id);
    const ValueNode& node = code_.values[id.value];
    if (v.is_uninit()) {
        const auto range = compound_range(node);
        return range ? range : any(v.type());
    }
    if (v.is_undef() || value::is_float(v.type())) { return std::nullopt; }
    return value::range_of(v);
}

std::optional<Range> Machine::compound_range(const ValueNode& node) {
    switch (node.op) {
        case ValueOp::variable: {
            const auto bound = value_ranges_.find(node.slot);
            return bound == value_ranges_.end() ? std::nullopt : bound->second;
        }
        case ValueOp::embed: {
            const auto index = range(node.number);
            return index ? value::cast(node.type, *index) : std::nullopt;
        }
        case ValueOp::unary: {
            const auto a = range(node.a);
            return a ? value::apply(node.unary, *a) : std::nullopt;
        }
        case ValueOp::binary: {
            const auto a = range(node.a);
            const auto b = range(node.b);
            return a && b ? value::apply(node.binary, *a, *b) : std::nullopt;
        }
        case ValueOp::cast: {
            const auto a = range(node.a);
            return a ? value::cast(node.type, *a) : std::nullopt;
        }
        case ValueOp::select: {
            const auto if_true = range(node.a);
            const auto if_false = range(node.b);
            return if_true && if_false ? std::optional(value::join(*if_true, *if_false)) : std::nullopt;
        }
        case ValueOp::constant:
        case ValueOp::guard:
        case ValueOp::lane_variable:
        case ValueOp::load:
        case ValueOp::reduce:
        case ValueOp::let:
        case ValueOp::let_value: return std::nullopt;
    }
    ENSURE(false, "an operation on values that is not handled");
    return std::nullopt;
}

std::optional<Machine::Iterations> Machine::possible_iterations(const ForStep& step) {
    const auto min = range(step.min);
    const auto extent = range(step.extent);
    const auto end = min && extent ? value::apply(value::BinaryOp::add, *min, *extent) : std::nullopt;
    if (!end || end->high - min->low > most_doubtful_iterations) { return std::nullopt; }
    return Iterations{static_cast<std::int64_t>(min->low), static_cast<std::int64_t>(end->high), true};
}

}  // namespace haruspex::interp::loops
