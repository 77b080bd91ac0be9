#include "generators/sare/outline.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/limits.h"
#include "generators/sare/reduction_box.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

bool reads(const Expr& expr, const std::string& tensor) {
    bool found = false;
    for_each_access(expr, [&](const Access& access, const auto&) { found = found || access.tensor == tensor; });
    return found;
}

class Outliner {
public:
    explicit Outliner(const Algorithm& algorithm)
        : result_(algorithm), parameters_(algorithm.parameters.begin(), algorithm.parameters.end()) {
        taken_ = parameters_;
        for (const Input& input : algorithm.inputs) { define(input.name, {input.type}); }
        for (const Function& f : algorithm.functions) { define(f.name, f.types); }
        result_.functions.clear();
        for (const Function& f : algorithm.functions) { outline(f); }
    }

    Algorithm result() && { return std::move(result_); }

private:
    // The definition whose values are being walked.
    struct Place {
        std::string function, prefix;
        int reductions = 0;
    };

    void define(const std::string& name, const std::vector<value::Type>& types) {
        taken_.insert(name);
        types_[name] = types;
    }

    void outline(Function f) {
        Place pure{f.name, f.name};
        for (Expr& value : f.values) { value = outline(value, pure); }
        for (std::size_t n = 0; n < f.updates.size(); ++n) {
            Place update{f.name, f.name + "_u" + std::to_string(n)};
            for (Expr& value : f.updates[n].values) { value = outline(value, update); }
        }
        result_.functions.push_back(std::move(f));
    }

    Expr outline(const Expr& expr, Place& place) {
        const auto operands = [&](const Expr& e) {
            return map_operands(e, [&](const Expr& operand) { return outline(operand, place); });
        };
        const auto* reduce = std::get_if<Reduce>(&expr.node);
        if (reduce == nullptr) { return operands(expr); }
        std::string name =
            place.prefix + "_" + std::string(value::spelling(reduce->op)) + std::to_string(place.reductions++);
        const std::optional<ReductionBox> box = reduction_box(*reduce, parameters_);
        std::set<std::string> captured = free_variables(expr);
        for (const std::string& p : parameters_) { captured.erase(p); }
        const bool fits = captured.size() + reduce->variables.size() <= static_cast<std::size_t>(max_rank);
        if (!box || !fits || reads(expr, place.function)) { return operands(expr); }
        while (!taken_.insert(name).second) { name += "_"; }

        const Reduce inside = std::get<Reduce>(operands(expr).node);
        Function helper = function(name, inside, *box, {captured.begin(), captured.end()});
        Expr call = Expr{Access{name, helper.updates.front().target}};
        types_[name] = helper.types;
        result_.functions.push_back(std::move(helper));
        return call;
    }

    Function function(const std::string& name, const Reduce& reduce, const ReductionBox& box,
                      std::vector<std::string> variables) const {
        UpdateDefinition fold;
        for (std::size_t i = reduce.variables.size(); i-- > 0;) {
            fold.over.push_back({reduce.variables[i], box.min[i], box.max[i] - box.min[i] + constant(1)});
        }
        for (const std::string& v : variables) { fold.target.push_back(variable(v)); }
        for (const Condition& conjunct : box.remaining) { fold.where = fold.where && conjunct; }
        const Expr before{Access{name, fold.target}};
        fold.values = {Expr{Binary{value::binary_op(reduce.op), before, reduce.body}}};
        const value::Type type = type_of(*reduce.body, types_);
        const auto neutral = value::neutral(reduce.op, type);
        ENSURE(neutral.has_value(), "a well-typed reduction has a neutral element");
        return {name, {type}, std::move(variables), {Expr{Literal{*neutral}}}, {std::move(fold)}};
    }

    Algorithm result_;
    std::set<std::string> parameters_, taken_;
    TensorTypes types_;
};

}  // namespace

Algorithm outlined(const Algorithm& algorithm) { return Outliner(algorithm).result(); }

Sare outlined(const Sare& sare) {
    const auto algorithm = unstage(sare);
    return algorithm ? stage(outlined(*algorithm)) : sare;
}

}  // namespace haruspex::sare
