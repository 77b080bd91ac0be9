#include "oracle/interp/tensor_interpreter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/tensor/wellformed.h"
#include "generators/value/operators.h"
#include "oracle/interp/sched_memory.h"

namespace haruspex::interp {

namespace {

using tensor::Context;
using tensor::ElementOp;
using tensor::Expr;
using tensor::TensorType;
using value::Value;
using Indices = TensorEvaluator::Indices;

bool is_zero(const Value& v) {
    if (!v.is_defined()) { return false; }
    return value::is_float(v.type()) ? v.as_double() == 0 : v.bit_pattern() == 0;
}

std::int64_t constant_of(const sare::Index& extent) {
    const auto* constant = std::get_if<sare::IndexConstant>(&extent.node);
    ENSURE(constant != nullptr, "programs are evaluated in a context of constant extents");
    return constant->value;
}

std::vector<std::int64_t> constants_of(const TensorType& type) {
    std::vector<std::int64_t> extents;
    for (const sare::Index& extent : type.extents) { extents.push_back(constant_of(extent)); }
    return extents;
}

// Calls body(i) for all indices within the extents, dimension 1 fastest.
void for_each_index(const std::vector<std::int64_t>& extents, const std::function<void(const Indices&)>& body) {
    if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent <= 0; })) { return; }
    Indices i(extents.size(), 0);
    for (;;) {
        body(i);
        std::size_t d = 0;
        while (d < i.size() && ++i[d] == extents[d]) { i[d++] = 0; }
        if (d == i.size()) { return; }
    }
}

// The number of cells; nullopt if it exceeds `most`.
std::optional<std::int64_t> cells_of(const std::vector<std::int64_t>& extents, std::int64_t most) {
    std::int64_t cells = 1;
    for (const std::int64_t extent : extents) {
        if (extent > most / cells) { return std::nullopt; }
        cells *= extent;
    }
    return cells;
}

constexpr std::int64_t largest_multiple = std::int64_t{1} << 20;  // Padding

// Allocates a tensor of extents `allocated` for each variable, with its padding filled by the rules.
Result<Store> allocate(const Context& context, const Context& allocated, const InputFunction& initial,
                       const Padding& padding, const PaddingRules& rules, const TensorLimits& limits) {
    Store store;
    std::int64_t left = limits.most_cells;
    std::size_t number = 0;
    for (const auto& [name, type] : context) {
        StoredTensor tensor{type.element, constants_of(type), constants_of(allocated.at(name)), {}};
        const auto count = cells_of(tensor.allocated, left);
        if (!count) { return fail(fmt::format("expected at most {} cells of all variables", limits.most_cells)); }
        left -= *count;
        tensor.cells.reserve(static_cast<std::size_t>(*count));
        for_each_index(tensor.allocated, [&](const Indices& i) {
            const std::size_t place = tensor.cells.size();
            Value cell =
                tensor.is_padding(place) ? rules.filled(padding, type.element, number, place) : initial(name, i);
            ENSURE(cell.type() == type.element, "an initial value has the element type of its variable");
            tensor.cells.push_back(cell);
        });
        ++number;
        store.emplace(name, std::move(tensor));
    }
    return store;
}

// d-in-var.
InputFunction defined_where_input(const tensor::Program& program, const InputFunction& initial) {
    std::set<std::string> inputs;
    for (const tensor::Declaration& d : program.declarations) {
        if (d.input) { inputs.insert(d.name); }
    }
    return [inputs, &initial](const std::string& name, const std::vector<std::int64_t>& indices) {
        Value cell = initial(name, indices);
        ENSURE(cell.is_defined() || !inputs.contains(name), "a variable qualified as input has no undefined value");
        return cell;
    };
}

Context rounded_by(const PaddingRules& rules, const Context& context, std::int64_t multiple) {
    ENSURE(multiple >= 1 && multiple <= largest_multiple, "a vector length is from 1 to 2^20");
    Context result = context;
    for (auto& [name, type] : result) {
        for (sare::Index& extent : type.extents) {
            extent = sare::constant(rules.rounded(constant_of(extent), multiple));
        }
    }
    return result;
}

// Evaluates all elements of the target in this context, then assigns them; those of the padding only if
// `assigns_padding`.
Result<void> assign(const tensor::Statement& statement, const Context& context, bool assigns_padding, Store& store,
                    std::uint64_t& steps_left) {
    TensorEvaluator evaluator(statement.value, context, store, steps_left);
    StoredTensor& target = store.at(statement.target);
    std::vector<std::pair<Indices, Value>> elements;
    for_each_index(constants_of(context.at(statement.target)), [&](const Indices& i) {
        if (evaluator.is_exhausted() || !(assigns_padding || target.is_within(i))) { return; }
        elements.emplace_back(i, evaluator.eval(i));
    });
    if (evaluator.is_exhausted()) { return fail("the limit on steps of evaluation is reached"); }
    steps_left -= evaluator.steps();
    for (const auto& [i, element] : elements) { target.cells[target.place(i)] = element; }
    return {};
}

// Runs all statements in this context.
Result<Store> run(const tensor::Program& program, const Context& context, bool assigns_padding, Result<Store> store,
                  std::uint64_t most_steps) {
    for (const tensor::Statement& statement : program.statements) {
        if (!store) { return store; }
        if (auto done = assign(statement, context, assigns_padding, *store, most_steps); !done) {
            return fail(done.error());
        }
    }
    return store;
}

}  // namespace

std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
    const std::int64_t rest = n % multiple;
    return rest == 0 ? n : n + (multiple - rest);
}

Value fill(const Padding& padding, value::Type element, std::size_t variable, std::size_t place) {
    return loops::Filler(padding)(static_cast<std::uint32_t>(variable), element, place);
}

Value apply_extended(ElementOp op, const Value& a, const Value& b) {
    const Value zero = Value::from_bits(a.type(), 0);
    // Uninit is no value of the report: a zero does not hide it, so that what depends on it shows.
    if (op == ElementOp::mul && ((is_zero(a) && b.is_undef()) || (a.is_undef() && is_zero(b)))) { return zero; }
    if (op == ElementOp::div) {
        if (is_zero(a) && !b.is_uninit()) { return zero; }
        if (is_zero(b) && a.is_defined()) { return Value::undef(a.type()); }
    }
    return value::apply(tensor::binary_op(op), a, b);
}

std::size_t StoredTensor::place(const std::vector<std::int64_t>& indices) const {
    ENSURE(indices.size() == allocated.size(), "an access has an index for each dimension");
    std::size_t place = 0;
    std::size_t stride = 1;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        ENSURE(indices[d] >= 0 && indices[d] < allocated[d], "well-formed programs access nothing outside");
        place += static_cast<std::size_t>(indices[d]) * stride;
        stride *= static_cast<std::size_t>(allocated[d]);
    }
    return place;
}

bool StoredTensor::is_padding(std::size_t place) const {
    for (std::size_t d = 0; d < allocated.size(); ++d) {
        const auto room = static_cast<std::size_t>(allocated[d]);
        if (place % room >= static_cast<std::size_t>(extents[d])) { return true; }
        place /= room;
    }
    return false;
}

bool StoredTensor::is_within(const std::vector<std::int64_t>& indices) const {
    return std::ranges::equal(indices, extents, [](std::int64_t i, std::int64_t extent) { return i < extent; });
}

std::vector<std::int64_t> StoredTensor::indices(std::size_t place) const {
    std::vector<std::int64_t> indices;
    for (const std::int64_t extent : allocated) {
        const auto room = static_cast<std::size_t>(extent);
        indices.push_back(static_cast<std::int64_t>(place % room));
        place /= room;
    }
    return indices;
}

Context rounded(const Context& context, std::int64_t multiple) { return rounded_by({}, context, multiple); }

Result<Store> d_var(const Context& context, const InputFunction& initial, const TensorLimits& limits) {
    return allocate(context, context, initial, {}, {}, limits);
}

Result<Store> d_pad_var(const Context& context, const InputFunction& initial, const Padding& padding,
                        const TensorLimits& limits) {
    return allocate(context, rounded(context, padding.multiple), initial, padding, {}, limits);
}

TensorEvaluator::TensorEvaluator(const Expr& expr, const Context& context, const Store& store, std::uint64_t most_steps)
    : expr_(expr), store_(store), most_steps_(most_steps) {
    const tensor::Extents constants({}, sare::truth(true));
    const auto type = tensor::type_of(expr, context, constants, &types_);
    ENSURE(type.has_value(), "only well-typed expressions are evaluated");
}

Value TensorEvaluator::eval(const Expr& expr, const Indices& i) {
    ++steps_;
    return std::visit(
        Overload{// (7): eval(x, i) = μ(x_i). Equation (8), of parentheses, has no node.
                 [&](const tensor::Variable& n) {
                     const StoredTensor& tensor = store_.at(n.name);
                     return tensor.cells[tensor.place(i)];
                 },
                 // (9): eval(e0 # e1, (i, j)) = eval(e0, i) * eval(e1, j).
                 [&](const tensor::Outer& n) {
                     const auto cut = i.begin() + static_cast<std::ptrdiff_t>(types_.at(&*n.a).extents.size());
                     const Value a = eval(*n.a, Indices(i.begin(), cut));
                     return apply_extended(ElementOp::mul, a, eval(*n.b, Indices(cut, i.end())));
                 },
                 // (10): eval(e ^ [k l], i) = eval(e, i with i_k and i_l exchanged).
                 [&](const tensor::Transposition& n) {
                     Indices exchanged = i;
                     std::swap(exchanged.at(static_cast<std::size_t>(n.dimensions.first - 1)),
                               exchanged.at(static_cast<std::size_t>(n.dimensions.second - 1)));
                     return eval(*n.a, exchanged);
                 },
                 // (11)
                 [&](const tensor::Contraction& n) { return eval_contraction(n, i); },
                 // (12) to (18): eval(e0 op e1, i); the index of a scalar is empty.
                 [&](const tensor::Elementwise& n) {
                     const tensor::ElementRule rule = tensor::rule_of(n.op, types_.at(&*n.a), types_.at(&*n.b));
                     const Value a = eval(*n.a, rule == tensor::ElementRule::smul ? Indices{} : i);
                     const Value b = eval(*n.b, rule == tensor::ElementRule::sdiv ? Indices{} : i);
                     return apply_extended(n.op, a, b);
                 }},
        expr.node);
}

// (11): eval(e . [k l], i) is the sum of eval(e, i with j inserted as dimensions k and l) over all j below the extent
// that Γ gives dimension k of e.
Value TensorEvaluator::eval_contraction(const tensor::Contraction& n, const Indices& i) {
    const TensorType& type = types_.at(&*n.a);
    const auto [low, high] = std::minmax(n.dimensions.first, n.dimensions.second);
    const std::int64_t extent = constant_of(type.extents.at(static_cast<std::size_t>(low - 1)));
    Value sum = Value::from_bits(type.element, 0);
    for (std::int64_t j = 0; j < extent && !is_exhausted(); ++j) {
        Indices inner = i;
        inner.insert(inner.begin() + (low - 1), j);
        inner.insert(inner.begin() + (high - 1), j);
        sum = apply_extended(ElementOp::add, sum, eval(*n.a, inner));
    }
    return sum;
}

Result<void> ev_stmt(const tensor::Statement& statement, const Context& context, Store& store,
                     std::uint64_t& steps_left) {
    return assign(statement, context, true, store, steps_left);
}

Result<void> ev_pad_stmt(const tensor::Statement& statement, const Context& context, std::int64_t multiple,
                         Store& store, std::uint64_t& steps_left) {
    return ev_stmt(statement, rounded(context, multiple), store, steps_left);
}

Result<Store> ev_prog(const tensor::Program& program, const Sizes& parameters, const InputFunction& initial,
                      const TensorLimits& limits) {
    const auto context = tensor::context_at(program, parameters);
    if (!context) { return fail(context.error()); }
    return run(program, *context, true, d_var(*context, defined_where_input(program, initial), limits),
               limits.most_steps);
}

Result<Store> ev_pad_prog(const tensor::Program& program, const Sizes& parameters, const InputFunction& initial,
                          const Padding& padding, const TensorLimits& limits, const PaddingRules& rules) {
    const auto context = tensor::context_at(program, parameters);
    if (!context) { return fail(context.error()); }
    const Context padded = rounded_by(rules, *context, padding.multiple);
    const InputFunction start = defined_where_input(program, initial);
    return run(program, padded, rules.assigns_padding, allocate(*context, padded, start, padding, rules, limits),
               limits.most_steps);
}

std::optional<TensorDifference> first_difference(const Store& exact, const Store& padded,
                                                 const std::vector<std::string>& variables) {
    const auto agree = [](const Value& a, const Value& b) {
        return a.is_defined() && b.is_defined() ? value::same_result(a, b) : a == b;
    };
    for (const std::string& name : variables) {
        const StoredTensor& expected = exact.at(name);
        const StoredTensor& found = padded.at(name);
        for (std::size_t p = 0; p < expected.cells.size(); ++p) {
            Indices indices = expected.indices(p);
            const Value& cell = found.cells.at(found.place(indices));
            if (!agree(expected.cells[p], cell)) {
                return TensorDifference{name, std::move(indices), expected.cells[p], cell};
            }
        }
    }
    return std::nullopt;
}

}  // namespace haruspex::interp
