#include "oracle/interp/sched_compile_expr.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::interp::loops {
namespace {

constexpr std::int64_t most_lanes = std::int64_t{1} << 26;

bool is_value(const sched::Expr& expr) {
    return std::visit(
        Overload{[](const sched::Integer&) { return false; }, [](const sched::Truth&) { return false; },
                 [](const sched::Variable&) { return false; }, [](const sched::IndexBinary&) { return false; },
                 [](const sched::Comparison&) { return false; }, [](const sched::And&) { return false; },
                 [](const sched::Or&) { return false; }, [](const sched::Not&) { return false; },
                 [](const sched::IntegerOf&) { return false; },
                 [](const sched::Select& n) { return is_value(*n.if_true); },
                 [](const sched::LetIn& n) { return is_value(*n.body); },
                 [](const sched::LetValueIn& n) { return is_value(*n.body); }, [](const auto&) { return true; }},
        expr.node);
}

// A linear form under construction.
struct LinearForm {
    std::int64_t constant = 0;
    std::vector<Term> terms;

    // Adds a multiple of another form; false if a number leaves the range that is exact.
    bool add(const LinearForm& other, std::int64_t factor) {
        constexpr std::int64_t most = std::int64_t{1} << 31;
        const auto is_small = [](std::int64_t n) { return -most < n && n < most; };
        const auto grow = [&](std::int64_t& n, std::int64_t by) {
            if (!is_small(by) || !is_small(factor)) { return false; }
            n += by * factor;
            return is_small(n);
        };
        if (!grow(constant, other.constant)) { return false; }
        for (const Term& term : other.terms) {
            auto same = std::ranges::find(terms, term.operand, &Term::operand);
            if (same == terms.end()) { same = terms.insert(same, {term.operand, 0}); }
            if (!grow(same->coefficient, term.coefficient)) { return false; }
        }
        return true;
    }
};

LinearForm form_of(const Code& code, NumberId id) {
    const NumberNode& node = code.numbers[id.value];
    if (node.op == NumberOp::constant) { return {node.constant, {}}; }
    if (node.op != NumberOp::linear) { return {0, {{id, 1}}}; }
    const auto first = code.terms.begin() + node.bound;
    return {node.constant, {first, first + node.count}};
}

Arithmetic arithmetic_of(sched::IndexOp op) {
    switch (op) {
        case sched::IndexOp::add: return Arithmetic::add;
        case sched::IndexOp::sub: return Arithmetic::sub;
        case sched::IndexOp::mul: return Arithmetic::mul;
        case sched::IndexOp::div: return Arithmetic::div;
        case sched::IndexOp::mod: return Arithmetic::mod;
        case sched::IndexOp::min: return Arithmetic::min;
        case sched::IndexOp::max: return Arithmetic::max;
    }
    ENSURE(false, "an operator on indices that is not handled");
    return Arithmetic::add;
}

Arithmetic arithmetic_of(sched::Relation relation) {
    switch (relation) {
        case sched::Relation::lt: return Arithmetic::lt;
        case sched::Relation::le: return Arithmetic::le;
        case sched::Relation::eq: return Arithmetic::eq;
        case sched::Relation::ne: return Arithmetic::ne;
        case sched::Relation::gt: return Arithmetic::gt;
        case sched::Relation::ge: return Arithmetic::ge;
    }
    ENSURE(false, "a relation that is not handled");
    return Arithmetic::eq;
}

template <typename Stacks>
const auto& top(const Stacks& stacks, const std::string& name) {
    const auto found = stacks.find(name);
    ENSURE(found != stacks.end() && !found->second.empty(), "the name " + name + " is bound");
    return found->second.back();
}

}  // namespace

void Names::bind(const std::string& name, NumberId variable) {
    variables_[name].push_back(variable);
    bound_.emplace_back(Kind::variable, name);
}

void Names::bind(const std::string& name, ValueBinding value) {
    values_[name].push_back(value);
    bound_.emplace_back(Kind::value, name);
}

void Names::bind(const std::string& name, ArrayId array) {
    arrays_[name].push_back(array);
    bound_.emplace_back(Kind::array, name);
}

void Names::bind(const std::string& name, SemaphoreId semaphore) {
    semaphores_[name].push_back(semaphore);
    bound_.emplace_back(Kind::semaphore, name);
}

void Names::unwind(Mark mark) {
    for (; bound_.size() > mark; bound_.pop_back()) {
        const auto [kind, name] = bound_.back();
        switch (kind) {
            case Kind::variable: variables_[name].pop_back(); break;
            case Kind::value: values_[name].pop_back(); break;
            case Kind::array: arrays_[name].pop_back(); break;
            case Kind::semaphore: semaphores_[name].pop_back(); break;
        }
    }
}

NumberId Names::variable(const std::string& name) const { return top(variables_, name); }
const ValueBinding& Names::value(const std::string& name) const { return top(values_, name); }
ArrayId Names::array(const std::string& name) const { return top(arrays_, name); }
SemaphoreId Names::semaphore(const std::string& name) const { return top(semaphores_, name); }

NumberId ExprCompiler::add(NumberNode node) {
    code_.numbers.push_back(node);
    return {static_cast<std::uint32_t>(code_.numbers.size() - 1)};
}

ValueId ExprCompiler::add(ValueNode node) {
    code_.values.push_back(node);
    return {static_cast<std::uint32_t>(code_.values.size() - 1)};
}

NumberId ExprCompiler::constant(std::int64_t v) { return add(NumberNode{.op = NumberOp::constant, .constant = v}); }

ValueId ExprCompiler::constant(value::Value v) { return add(ValueNode{.op = ValueOp::constant, .constant = v}); }

const std::int64_t* ExprCompiler::known(NumberId id) const {
    const NumberNode& node = code_.numbers[id.value];
    return node.op == NumberOp::constant ? &node.constant : nullptr;
}

const value::Value* ExprCompiler::known(ValueId id) const {
    const ValueNode& node = code_.values[id.value];
    return node.op == ValueOp::constant ? &node.constant : nullptr;
}

std::pair<NumberId, Slot> ExprCompiler::variable() {
    const Slot slot = code_.number_slots++;
    return {add(NumberNode{.op = NumberOp::variable, .slot = slot}), slot};
}

LaneRange ExprCompiler::lane_range(const sched::Lanes& lanes) {
    const auto [id, slot] = variable();
    names_.bind(lanes.variable, id);
    return {&lanes.variable, slot, lanes.count};
}

ValueBinding ExprCompiler::value_binding(const std::optional<sched::Lanes>& lanes, const sched::Expr& value) {
    ValueBinding binding;
    const Names::Mark mark = names_.mark();
    if (lanes) { binding.lanes = lane_range(*lanes); }
    binding.value = this->value(value);
    names_.unwind(mark);
    const std::int64_t slots = std::max<std::int64_t>(binding.lanes.count, 1);
    binding.slot = code_.value_slots;
    if (slots > most_lanes - static_cast<std::int64_t>(code_.value_slots)) {
        too_large_ = true;
        return binding;
    }
    code_.value_slots += static_cast<Slot>(slots);
    return binding;
}

ValueBinding ExprCompiler::value_binding(const sched::LetValueIn& let) { return value_binding(let.lanes, *let.value); }
ValueBinding ExprCompiler::value_binding(const sched::LetValue& let) { return value_binding(let.lanes, let.value); }

NumberId ExprCompiler::truth(const sched::Expr& expr) {
    if (!is_value(expr)) { return number(expr); }
    return add(NumberNode{.op = NumberOp::denoted, .value = value(expr)});
}

NumberId ExprCompiler::arithmetic(Arithmetic op, const Box<sched::Expr>& a, const Box<sched::Expr>& b) {
    const NumberId left = number(*a);
    const NumberId right = number(*b);
    if (known(left) != nullptr && known(right) != nullptr) {
        const Number result = compute(op, {*known(left)}, {*known(right)});
        if (result.flaw == Flaw::none) { return constant(result.value); }
    }
    if (const auto form = linear(op, left, right)) { return *form; }
    return add(NumberNode{.op = NumberOp::arithmetic, .arithmetic = op, .a = left, .b = right});
}

std::optional<NumberId> ExprCompiler::linear(Arithmetic op, NumberId a, NumberId b) {
    LinearForm form;
    if (op == Arithmetic::mul) {
        if (known(a) != nullptr) { std::swap(a, b); }
        if (known(b) == nullptr || !form.add(form_of(code_, a), *known(b))) { return std::nullopt; }
    } else if (op == Arithmetic::add || op == Arithmetic::sub) {
        if (!form.add(form_of(code_, a), 1)) { return std::nullopt; }
        if (!form.add(form_of(code_, b), op == Arithmetic::add ? 1 : -1)) { return std::nullopt; }
    } else {
        return std::nullopt;
    }
    const auto first = static_cast<std::uint32_t>(code_.terms.size());
    code_.terms.insert(code_.terms.end(), form.terms.begin(), form.terms.end());
    return add(NumberNode{.op = NumberOp::linear,
                          .bound = first,
                          .count = static_cast<std::uint32_t>(form.terms.size()),
                          .constant = form.constant});
}

NumberId ExprCompiler::number(const sched::Expr& expr) {
    return std::visit(
        Overload{
            [&](const sched::Integer& n) { return constant(n.value); },
            [&](const sched::Truth& n) { return constant(n.value ? 1 : 0); },
            [&](const sched::Variable& n) { return names_.variable(n.name); },
            [&](const sched::IndexBinary& n) { return arithmetic(arithmetic_of(n.op), n.a, n.b); },
            [&](const sched::Comparison& n) { return arithmetic(arithmetic_of(n.relation), n.a, n.b); },
            [&](const sched::And& n) { return arithmetic(Arithmetic::both, n.a, n.b); },
            [&](const sched::Or& n) { return arithmetic(Arithmetic::either, n.a, n.b); },
            [&](const sched::Not& n) {
                const NumberId a = number(*n.a);
                if (known(a) != nullptr) { return constant(*known(a) == 0 ? 1 : 0); }
                return add(NumberNode{.op = NumberOp::negation, .a = a});
            },
            [&](const sched::IntegerOf& n) { return add(NumberNode{.op = NumberOp::denoted, .value = value(*n.a)}); },
            [&](const sched::Select& n) {
                const NumberId condition = truth(*n.condition);
                const NumberId if_true = number(*n.if_true);
                const NumberId if_false = number(*n.if_false);
                if (known(condition) != nullptr && known(if_true) != nullptr && known(if_false) != nullptr) {
                    return constant(*known(condition) != 0 ? *known(if_true) : *known(if_false));
                }
                return add(NumberNode{.op = NumberOp::select, .a = condition, .b = if_true, .c = if_false});
            },
            [&](const sched::LetIn& n) {
                const Names::Mark mark = names_.mark();
                const NumberId bound = number(*n.value);
                if (known(bound) != nullptr) {
                    names_.bind(n.name, bound);
                    const NumberId body = number(*n.body);
                    names_.unwind(mark);
                    return body;
                }
                const auto [id, slot] = variable();
                names_.bind(n.name, id);
                const NumberId body = number(*n.body);
                names_.unwind(mark);
                return add(NumberNode{.op = NumberOp::let, .slot = slot, .a = bound, .b = body});
            },
            [&](const sched::LetValueIn& n) {
                const Names::Mark mark = names_.mark();
                const ValueBinding binding = value_binding(n);
                names_.bind(n.name, binding);
                const NumberId body = number(*n.body);
                names_.unwind(mark);
                code_.bindings.push_back(binding);
                return add(NumberNode{.op = NumberOp::let_value,
                                      .b = body,
                                      .bound = static_cast<std::uint32_t>(code_.bindings.size() - 1)});
            },
            [](const auto&) {
                ENSURE(false, "a value stands where an index or a condition must");
                return NumberId{};
            }},
        expr.node);
}

std::uint32_t ExprCompiler::access(ArrayId array, const std::vector<sched::Expr>& indices, const sched::Expr* guard) {
    Access access{.array = array, .rank = static_cast<std::uint32_t>(indices.size())};
    std::vector<NumberId> ids;
    ids.reserve(indices.size());
    for (const sched::Expr& index : indices) { ids.push_back(number(index)); }
    if (guard != nullptr) { access.guard = truth(*guard); }
    access.first_index = static_cast<std::uint32_t>(code_.indices.size());
    code_.indices.insert(code_.indices.end(), ids.begin(), ids.end());
    code_.accesses.push_back(access);
    return static_cast<std::uint32_t>(code_.accesses.size() - 1);
}

ValueId ExprCompiler::select(const sched::Select& select) {
    const NumberId condition = truth(*select.condition);
    const ValueId if_true = value(*select.if_true);
    const ValueId if_false = value(*select.if_false);
    return add(ValueNode{.op = ValueOp::select, .number = condition, .a = if_true, .b = if_false});
}

ValueId ExprCompiler::value(const sched::Expr& expr) {
    const auto not_a_value = [] {
        ENSURE(false, "an index, a condition or a tensor stands where a value must");
        return ValueId{};
    };
    return std::visit(
        Overload{[&](const sched::Literal& n) { return constant(n.value); },
                 [&](const sched::Embed& n) {
                     const NumberId index = number(*n.index);
                     if (known(index) != nullptr) {
                         return constant(value::cast(n.type, value::Value::integer(value::Type::i64, *known(index))));
                     }
                     return add(ValueNode{.op = ValueOp::embed, .type = n.type, .number = index});
                 },
                 [&](const sched::Guard& n) {
                     const NumberId condition = number(*n.condition);
                     if (known(condition) != nullptr) {
                         return constant(value::Value::boolean(*known(condition) != 0));
                     }
                     return add(ValueNode{.op = ValueOp::guard, .number = condition});
                 },
                 [&](const sched::ValueVariable& n) {
                     const ValueBinding binding = names_.value(n.name);
                     if (!n.lane) { return add(ValueNode{.op = ValueOp::variable, .slot = binding.slot}); }
                     return add(ValueNode{.op = ValueOp::lane_variable,
                                          .slot = binding.slot,
                                          .number = number(**n.lane),
                                          .lanes = binding.lanes});
                 },
                 [&](const sched::Load& n) {
                     const std::uint32_t entry =
                         access(names_.array(n.array), n.indices, n.guard ? &**n.guard : nullptr);
                     return add(ValueNode{.op = ValueOp::load, .entry = entry});
                 },
                 [&](const sched::Unary& n) {
                     const ValueId a = value(*n.a);
                     if (known(a) != nullptr) { return constant(value::apply(n.op, *known(a))); }
                     return add(ValueNode{.op = ValueOp::unary, .unary = n.op, .a = a});
                 },
                 [&](const sched::Binary& n) {
                     const ValueId a = value(*n.a);
                     const ValueId b = value(*n.b);
                     if (known(a) != nullptr && known(b) != nullptr) {
                         return constant(value::apply(n.op, *known(a), *known(b)));
                     }
                     return add(ValueNode{.op = ValueOp::binary, .binary = n.op, .a = a, .b = b});
                 },
                 [&](const sched::Cast& n) {
                     const ValueId a = value(*n.a);
                     if (known(a) != nullptr) { return constant(value::cast(n.type, *known(a))); }
                     return add(ValueNode{.op = ValueOp::cast, .type = n.type, .a = a});
                 },
                 [&](const sched::Select& n) { return select(n); },
                 [&](const sched::LaneReduce& n) {
                     const Names::Mark mark = names_.mark();
                     const LaneRange lanes = lane_range(n.lanes);
                     const ValueId body = value(*n.body);
                     names_.unwind(mark);
                     return add(
                         ValueNode{.op = ValueOp::reduce, .binary = value::binary_op(n.op), .a = body, .lanes = lanes});
                 },
                 [&](const sched::LetIn& n) {
                     const Names::Mark mark = names_.mark();
                     const NumberId bound = number(*n.value);
                     const bool is_known = known(bound) != nullptr;
                     const auto [id, slot] = is_known ? std::pair(bound, Slot{0}) : variable();
                     names_.bind(n.name, id);
                     const ValueId body = value(*n.body);
                     names_.unwind(mark);
                     if (is_known) { return body; }
                     return add(ValueNode{.op = ValueOp::let, .slot = slot, .number = bound, .a = body});
                 },
                 [&](const sched::LetValueIn& n) {
                     const Names::Mark mark = names_.mark();
                     const ValueBinding binding = value_binding(n);
                     names_.bind(n.name, binding);
                     const ValueId body = value(*n.body);
                     names_.unwind(mark);
                     code_.bindings.push_back(binding);
                     return add(ValueNode{.op = ValueOp::let_value,
                                          .entry = static_cast<std::uint32_t>(code_.bindings.size() - 1),
                                          .a = body});
                 },
                 [&](const sched::TensorAccess&) { return not_a_value(); },
                 [&](const sched::Integer&) { return not_a_value(); },
                 [&](const sched::Truth&) { return not_a_value(); },
                 [&](const sched::Variable&) { return not_a_value(); },
                 [&](const sched::IndexBinary&) { return not_a_value(); },
                 [&](const sched::Comparison&) { return not_a_value(); },
                 [&](const sched::And&) { return not_a_value(); },
                 [&](const sched::Or&) { return not_a_value(); },
                 [&](const sched::Not&) { return not_a_value(); },
                 [&](const sched::IntegerOf&) { return not_a_value(); }},
        expr.node);
}

}  // namespace haruspex::interp::loops
