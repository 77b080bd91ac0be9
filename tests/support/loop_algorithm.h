#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "tests/support/naive_sare.h"

// Runs a Halide algorithm as loops: pure definitions fill the arrays, and updates overwrite them step by step. Arrays
// are cubes [-reach, reach]^rank; a value read from outside is unknown, and so is every value computed from it.
namespace haruspex::testing {

class LoopAlgorithm {
public:
    LoopAlgorithm(const sare::Algorithm& algorithm, sare::Environment parameters, InputCells inputs, std::int64_t reach)
        : parameters_(std::move(parameters)), inputs_(std::move(inputs)), reach_(reach) {
        for (const sare::Input& input : algorithm.inputs) { types_[input.name] = {input.type}; }
        for (const sare::Function& f : algorithm.functions) { types_[f.name] = f.types; }
        for (const sare::Function& f : algorithm.functions) { run(f); }
    }

    // The final value, if it is known.
    std::optional<value::Value> at(const std::string& tensor, int component, const Cell& cell) const {
        const auto found = arrays_.at(tensor).find(cell);
        return found == arrays_.at(tensor).end() ? std::nullopt : found->second[static_cast<std::size_t>(component)];
    }

private:
    using Values = std::vector<std::optional<value::Value>>;  // one for each component
    using Array = std::map<Cell, Values>;
    struct Unknown {};

    Values evaluate(const std::vector<sare::Expr>& exprs, const sare::Environment& environment) const {
        Values values;
        for (const sare::Expr& expr : exprs) {
            try {
                values.emplace_back(evaluate_expr(expr, environment, types_,
                                                  [&](const std::string& tensor, int component, const Cell& cell) {
                                                      if (!arrays_.contains(tensor)) { return inputs_(tensor, cell); }
                                                      const auto known = at(tensor, component, cell);
                                                      if (!known) { throw Unknown{}; }
                                                      return *known;
                                                  }));
            } catch (const Unknown&) { values.emplace_back(std::nullopt); }
        }
        return values;
    }

    void run(const sare::Function& f) {
        arrays_[f.name];
        Array pure;
        for_each_cell(f.variables, parameters_, [&](const sare::Environment& environment) {
            Cell cell;
            for (const std::string& x : f.variables) { cell.push_back(environment.at(x)); }
            pure[cell] = evaluate(f.values, environment);
        });
        arrays_[f.name] = std::move(pure);
        for (const sare::UpdateDefinition& update : f.updates) { steps(f, update, update.over.size(), parameters_); }
    }

    // Runs the loops over the recurrence variables, the last one outermost.
    void steps(const sare::Function& f, const sare::UpdateDefinition& update, std::size_t left,
               const sare::Environment& environment) {
        if (left == 0) {
            step(f, update, environment);
            return;
        }
        const sare::RecurrenceVariable& k = update.over[left - 1];
        const std::int64_t min = sare::evaluate(k.min, parameters_);
        const std::int64_t extent = sare::evaluate(k.extent, parameters_);
        sare::Environment inside = environment;
        for (std::int64_t v = min; v < min + extent; ++v) {
            inside[k.name] = v;
            steps(f, update, left - 1, inside);
        }
    }

    // Runs one step, for all values of the pure variables.
    void step(const sare::Function& f, const sare::UpdateDefinition& update, const sare::Environment& environment) {
        Names pure;
        for (std::size_t p = 0; p < f.variables.size(); ++p) {
            if (sare::is_pure_position(f, update, p)) { pure.push_back(f.variables[p]); }
        }
        for_each_cell(pure, environment, [&](const sare::Environment& point) {
            if (!sare::evaluate(update.where, point)) { return; }
            Cell target;
            for (const sare::Index& index : update.target) { target.push_back(sare::evaluate(index, point)); }
            Values values = evaluate(update.values, point);
            Array& array = arrays_[f.name];
            if (const auto found = array.find(target); found != array.end()) { found->second = std::move(values); }
        });
    }

    using Names = std::vector<std::string>;
    void for_each_cell(const Names& names, const sare::Environment& environment,
                       const std::function<void(const sare::Environment&)>& visit, std::size_t next = 0) const {
        if (next == names.size()) {
            visit(environment);
            return;
        }
        sare::Environment inside = environment;
        for (std::int64_t v = -reach_; v <= reach_; ++v) {
            inside[names[next]] = v;
            for_each_cell(names, inside, visit, next + 1);
        }
    }

    sare::Environment parameters_;
    InputCells inputs_;
    std::int64_t reach_;
    sare::TensorTypes types_;
    std::map<std::string, Array> arrays_;
};

}  // namespace haruspex::testing
