#include "tests/oracle/interp/naive.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::interp {

value::Value NaiveEvaluator::evaluate(const std::string& tensor, int component, const std::vector<std::int64_t>& cell) {
    const auto input = std::ranges::find(sare_.inputs, tensor, &sare::Input::name);
    if (input != sare_.inputs.end()) { return inputs_(tensor, cell); }
    const auto key = std::make_tuple(tensor, component, cell);
    if (const auto found = known_.find(key); found != known_.end()) { return found->second; }
    const auto definition = std::ranges::find(sare_.tensors, tensor, &sare::Tensor::name);
    ENSURE(definition != sare_.tensors.end(), "no tensor " + tensor);
    sare::Environment environment = parameters_;
    for (std::size_t d = 0; d < cell.size(); ++d) { environment[definition->variables[d]] = cell[d]; }
    for (const sare::Equation& equation : definition->equations) {
        if (!sare::evaluate(equation.domain, environment)) { continue; }
        const value::Value value = evaluate(equation.values[static_cast<std::size_t>(component)], environment);
        known_.emplace(key, value);
        return value;
    }
    ENSURE(false, "no equation of " + tensor + " defines the cell");
    return value::Value::undef(value::Type::i32);
}

value::Value NaiveEvaluator::reduce(const sare::Reduce& reduce, const sare::Environment& environment) {
    value::Value result = *value::neutral(reduce.op, type_of(*reduce.body));
    const std::size_t rank = reduce.variables.size();
    std::vector<std::int64_t> point(rank, -radius_);
    for (;;) {
        sare::Environment inner = environment;
        for (std::size_t d = 0; d < rank; ++d) { inner[reduce.variables[d]] = point[d]; }
        if (sare::evaluate(reduce.domain, inner)) {
            for (const std::int64_t p : point) { ENSURE(p > -radius_ && p < radius_, "a reduction fits the cube"); }
            result = value::apply(value::binary_op(reduce.op), result, evaluate(*reduce.body, inner));
        }
        // Lexicographic order: the last variable runs fastest.
        std::size_t d = rank;
        while (d > 0 && point[d - 1] == radius_) { point[--d] = -radius_; }
        if (d == 0) { return result; }
        ++point[d - 1];
    }
}

value::Value NaiveEvaluator::evaluate(const sare::Expr& expr, const sare::Environment& environment) {
    const auto recur = [&](const sare::Expr& e) { return evaluate(e, environment); };
    return std::visit(
        Overload{
            [](const sare::Literal& literal) { return literal.value; },
            [&](const sare::Embed& embed) {
                const std::int64_t index = sare::evaluate(embed.index, environment);
                return value::cast(embed.type, value::Value::integer(value::Type::i64, index));
            },
            [&](const sare::Guard& guard) {
                return value::Value::boolean(sare::evaluate(guard.condition, environment));
            },
            [&](const sare::Access& access) {
                std::vector<std::int64_t> cell;
                for (const sare::Index& index : access.indices) { cell.push_back(sare::evaluate(index, environment)); }
                return evaluate(access.tensor, access.component, cell);
            },
            [&](const sare::Unary& unary) { return value::apply(unary.op, recur(*unary.a)); },
            [&](const sare::Binary& binary) { return value::apply(binary.op, recur(*binary.a), recur(*binary.b)); },
            [&](const sare::Select& select) {
                return value::select(recur(*select.condition), recur(*select.if_true), recur(*select.if_false));
            },
            [&](const sare::Cast& cast) { return value::cast(cast.type, recur(*cast.a)); },
            [&](const sare::Reduce& r) { return reduce(r, environment); }},
        expr.node);
}

}  // namespace haruspex::interp
