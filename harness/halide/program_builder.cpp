#include "harness/halide/program_builder.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/schedule/halide/directive.h"
#include "harness/halide/expressions.h"
#include "harness/halide/schedule_calls.h"

namespace haruspex::halide {
namespace {

using Halide::Expr;

class Builder {
public:
    Builder(const sare::Algorithm& algorithm, bool strict_float) : algorithm_(algorithm), strict_(strict_float) {}

    Program build() {
        for (const std::string& p : algorithm_.parameters) { program_.parameters.emplace(p, Halide::Param<int>(p)); }
        for (const sare::Input& input : algorithm_.inputs) {
            program_.inputs.push_back(
                {input.name, input.type, Halide::ImageParam(halide_type(input.type), input.rank, input.name)});
        }
        for (const sare::Function& f : algorithm_.functions) { define(f); }
        std::vector<Halide::Func> outputs;
        for (const sare::Output& output : algorithm_.outputs) {
            const auto found = program_.funcs.find(output.tensor);
            if (found == program_.funcs.end()) { throw NotExpressible(output.tensor + " is not a function"); }
            outputs.push_back(found->second);
        }
        program_.pipeline = Halide::Pipeline(outputs);
        return std::move(program_);
    }

private:
    Scope parameter_scope() const {
        Scope scope;
        for (const auto& [name, param] : program_.parameters) { scope.bind(name, param); }
        return scope;
    }

    Expr read(const sare::Access& access, const std::vector<Expr>& indices) const {
        for (const Input& input : program_.inputs) {
            if (input.name == access.tensor) { return input.param(indices); }
        }
        const auto found = program_.funcs.find(access.tensor);
        if (found == program_.funcs.end()) { throw NotExpressible(access.tensor + " is read before its definition"); }
        const Halide::FuncRef reference = found->second(indices);
        if (program_.types.at(access.tensor).size() == 1) { return reference; }
        return reference[access.component];
    }

    ExpressionBuilder expressions() const {
        return {[this](const sare::Access& a, const std::vector<Expr>& i) { return read(a, i); }, strict_};
    }

    // f(arguments) = values
    static void assign(Halide::FuncRef left, const std::vector<Expr>& values) {
        if (values.size() == 1) {
            left = values[0];
        } else {
            left = Halide::Tuple(values);
        }
    }

    void define(const sare::Function& f) {
        Halide::Func func(f.name);
        Scope scope = parameter_scope();
        std::vector<Halide::Var> arguments;
        LoopVariables& loops = program_.loops[{f.name, 0}];
        for (const std::string& v : f.variables) {
            arguments.emplace_back(v);
            scope.bind(v, arguments.back());
            loops.emplace(v, arguments.back());
        }
        ExpressionBuilder builder = expressions();
        std::vector<Expr> values;
        for (const sare::Expr& e : f.values) { values.push_back(builder.value(e, scope)); }
        assign(func(arguments), values);
        program_.funcs.emplace(f.name, func);
        program_.types.emplace(f.name, f.types);
        for (std::size_t n = 0; n < f.updates.size(); ++n) { update(f, static_cast<int>(n), func); }
    }

    Halide::RDom domain_of(const sare::UpdateDefinition& u, const std::string& name) const {
        Scope scope = parameter_scope();
        Halide::Region region;
        for (const sare::RecurrenceVariable& k : u.over) {
            region.push_back({index_expr(k.min, scope), index_expr(k.extent, scope)});
        }
        return Halide::RDom(region, name);
    }

    void update(const sare::Function& f, int n, Halide::Func& func) {
        const sare::UpdateDefinition& u = f.updates[static_cast<std::size_t>(n)];
        const std::string name = f.name + "_u" + std::to_string(n);
        Scope scope = parameter_scope();
        LoopVariables& loops = program_.loops[{f.name, n + 1}];
        for (const std::string& v : f.variables) {
            scope.bind(v, Halide::Var(v));
            loops.emplace(v, Halide::Var(v));
        }
        Halide::RDom domain;
        if (!u.over.empty()) {
            domain = domain_of(u, name);
            for (std::size_t i = 0; i < u.over.size(); ++i) {
                const Halide::RVar k = domain[static_cast<int>(i)];
                scope.bind(u.over[i].name, k);
                loops.insert_or_assign(u.over[i].name, Halide::VarOrRVar(k));
            }
            Scope filter_scope = scope;
            restrict_domain(domain, u.where, filter_scope);
        } else if (!is_true(u.where)) {
            throw NotExpressible(name + " has a filter and no recurrence variable");
        }
        std::vector<Expr> target, values;
        for (const sare::Index& i : u.target) { target.push_back(index_expr(i, scope)); }
        ExpressionBuilder builder = expressions();
        for (const sare::Expr& e : u.values) { values.push_back(builder.value(e, scope)); }
        const auto is_used = [&](const sare::RecurrenceVariable& k) { return scope.was_used(k.name); };
        if (!u.over.empty() && std::ranges::none_of(u.over, is_used)) { values[0] = tie_to_domain(domain, values[0]); }
        assign(func(target), values);
    }

    const sare::Algorithm& algorithm_;
    bool strict_;
    Program program_;
};

}  // namespace

Result<Program> build_program(const cases::Case& c) {
    const Result<sare::Algorithm> algorithm = sare::unstage(c.sare);
    if (!algorithm) { return std::unexpected(algorithm.error()); }
    try {
        const sare::Algorithm without_reductions = sare::outlined(*algorithm);
        Program program = Builder(without_reductions, c.strict_float).build();
        apply_schedule(program, schedule::halide::typed(c.schedule));
        set_sizes(program, c.sizes);
        return program;
    } catch (const NotExpressible& e) { return fail(std::string("not expressible in Halide: ") + e.what()); }
}

}  // namespace haruspex::halide
