#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/sare/syntax.h"

// Evaluates a SARE by its definition, with a memo table and no other optimisation: a reference for tests of the
// interpreter.
namespace haruspex::testing {

using Cell = std::vector<std::int64_t>;
using InputCells = std::function<value::Value(const std::string&, const Cell&)>;

// Evaluates an expression; `read` answers its accesses, `types` are the tensors' types. Reductions enumerate [-reach,
// reach] for each variable.
using Read = std::function<value::Value(const std::string& tensor, int component, const Cell& cell)>;
inline value::Value evaluate_expr(const sare::Expr& expr, const sare::Environment& environment,
                                  const sare::TensorTypes& types, const Read& read) {
    constexpr std::int64_t reach = 8;
    const auto inner = [&](const Box<sare::Expr>& e) { return evaluate_expr(*e, environment, types, read); };
    return std::visit(
        Overload{[](const sare::Literal& n) { return n.value; },
                 [&](const sare::Embed& n) {
                     return value::cast(n.type,
                                        value::Value::integer(value::Type::i64, sare::evaluate(n.index, environment)));
                 },
                 [&](const sare::Guard& n) { return value::Value::boolean(sare::evaluate(n.condition, environment)); },
                 [&](const sare::Access& n) {
                     Cell cell;
                     for (const sare::Index& index : n.indices) { cell.push_back(sare::evaluate(index, environment)); }
                     return read(n.tensor, n.component, cell);
                 },
                 [&](const sare::Unary& n) { return value::apply(n.op, inner(n.a)); },
                 [&](const sare::Binary& n) {
                     const value::Value a = inner(n.a);
                     return value::apply(n.op, a, inner(n.b));
                 },
                 [&](const sare::Select& n) {
                     const value::Value c = inner(n.condition);
                     const value::Value a = inner(n.if_true);
                     return value::select(c, a, inner(n.if_false));
                 },
                 [&](const sare::Cast& n) { return value::cast(n.type, inner(n.a)); },
                 [&](const sare::Reduce& n) {
                     std::optional<value::Value> total;
                     sare::Environment inside = environment;
                     const std::function<void(std::size_t)> enumerate = [&](std::size_t i) {
                         if (i < n.variables.size()) {
                             for (std::int64_t v = -reach; v <= reach; ++v) {
                                 inside[n.variables[i]] = v;
                                 enumerate(i + 1);
                             }
                             return;
                         }
                         if (!sare::evaluate(n.domain, inside)) { return; }
                         const value::Value v = evaluate_expr(*n.body, inside, types, read);
                         if (!total) { total = value::neutral(n.op, v.type()); }
                         total = value::apply(value::binary_op(n.op), *total, v);
                     };
                     enumerate(0);
                     if (total) { return *total; }
                     return *value::neutral(n.op, sare::type_of(*n.body, types));
                 }},
        expr.node);
}

// Small values that differ between cells.
inline InputCells small_inputs(const sare::Algorithm& algorithm) {
    std::map<std::string, value::Type> types;
    for (const sare::Input& input : algorithm.inputs) { types[input.name] = input.type; }
    return [types](const std::string& name, const Cell& cell) {
        std::int64_t mixed = static_cast<std::int64_t>(name.back());
        for (const std::int64_t i : cell) { mixed = mixed * 31 + i; }
        const std::int64_t small = ((mixed % 7) + 7) % 7;
        const value::Type type = types.at(name);
        return value::cast(type, value::Value::integer(value::Type::i32, small));
    };
}

class NaiveSare {
public:
    NaiveSare(const sare::Sare& sare, sare::Environment parameters, InputCells inputs)
        : sare_(sare),
          types_(sare::tensor_types(sare)),
          parameters_(std::move(parameters)),
          inputs_(std::move(inputs)) {}

    value::Value at(const std::string& tensor, int component, const Cell& cell) {
        for (const sare::Input& input : sare_.inputs) {
            if (input.name == tensor) { return inputs_(tensor, cell); }
        }
        const auto key = std::make_tuple(tensor, component, cell);
        if (const auto known = memo_.find(key); known != memo_.end()) { return known->second; }
        const value::Value v = compute(tensor, component, cell);
        memo_.emplace(key, v);
        return v;
    }

private:
    value::Value compute(const std::string& tensor, int component, const Cell& cell) {
        for (const sare::Tensor& t : sare_.tensors) {
            if (t.name != tensor) { continue; }
            sare::Environment environment = parameters_;
            for (std::size_t p = 0; p < cell.size(); ++p) { environment[t.variables[p]] = cell[p]; }
            const sare::Equation* found = nullptr;
            for (const sare::Equation& equation : t.equations) {
                if (!sare::evaluate(equation.domain, environment)) { continue; }
                ENSURE(found == nullptr, "two equations of " + tensor + " hold at one cell");
                found = &equation;
            }
            ENSURE(found != nullptr, "no equation of " + tensor + " holds at the cell");
            return evaluate_expr(
                found->values[static_cast<std::size_t>(component)], environment, types_,
                [&](const std::string& name, int c, const Cell& at_cell) { return at(name, c, at_cell); });
        }
        raise_internal_error(__FILE__, __LINE__, "no tensor " + tensor);
    }

    const sare::Sare& sare_;
    sare::TensorTypes types_;
    sare::Environment parameters_;
    InputCells inputs_;
    std::map<std::tuple<std::string, int, Cell>, value::Value> memo_;
};

}  // namespace haruspex::testing
