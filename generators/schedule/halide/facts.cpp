#include "generators/schedule/halide/facts.h"

#include <algorithm>
#include <numeric>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/linear.h"

namespace haruspex::schedule::halide {
namespace {

using sare::Expr;
using sare::Function;
using sare::UpdateDefinition;

// --- Purity of recurrence variables -------------------------------------------------------------------------------

// Whether Halide's simplifier proves that `read == write` and "the rvar differs" contradict each other, where all
// variables but the parameters are renamed on the write's side.
bool cannot_coincide(const sare::Index& read, const sare::Index& write, const std::string& rvar,
                     const std::set<std::string>& parameters) {
    const auto a = linear_form(read);
    const auto b = linear_form(write);
    if (!a || !b) { return false; }
    std::int64_t divisor = 0;
    bool only_the_rvar = true;
    for (const auto* form : {&*a, &*b}) {
        const auto* other = form == &*a ? &*b : &*a;
        for (const auto& [name, coefficient] : form->coefficients) {
            if (parameters.contains(name)) {
                const auto found = other->coefficients.find(name);
                if (found == other->coefficients.end() || found->second != coefficient) { return false; }
                continue;
            }
            divisor = std::gcd(divisor, coefficient);
            only_the_rvar = only_the_rvar && name == rvar;
        }
    }
    const std::int64_t difference = a->constant - b->constant;
    if (divisor == 0) { return difference != 0; }
    if (divisor > 1 && difference % divisor != 0) { return true; }
    const auto of_rvar = [&](const LinearForm& form) {
        const auto found = form.coefficients.find(rvar);
        return found == form.coefficients.end() ? 0 : found->second;
    };
    return only_the_rvar && difference == 0 && of_rvar(*a) != 0 && of_rvar(*a) == of_rvar(*b);
}

bool is_pure_rvar(const Function& function, const UpdateDefinition& update, const std::vector<TensorAccess>& accesses,
                  const std::string& rvar, const std::set<std::string>& parameters) {
    const auto apart = [&](const std::vector<sare::Index>& indices) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (cannot_coincide(indices[i], update.target[i], rvar, parameters)) { return true; }
        }
        return false;
    };
    if (!apart(update.target)) { return false; }
    return std::ranges::all_of(accesses, [&](const TensorAccess& access) {
        return access.tensor != function.name || (access.over_stage_variables && apart(access.indices));
    });
}

// --- Associativity ------------------------------------------------------------------------------------------------

bool is_table_operator(value::BinaryOp op) {
    using value::BinaryOp;
    return op == BinaryOp::add || op == BinaryOp::mul || op == BinaryOp::min || op == BinaryOp::max ||
           op == BinaryOp::logical_and || op == BinaryOp::logical_or;
}

bool reads_function(const Expr& expr, const std::string& name) {
    std::vector<TensorAccess> accesses;
    collect_accesses(expr, accesses);
    return std::ranges::any_of(accesses, [&](const TensorAccess& a) { return a.tensor == name; });
}

bool is_own_cell(const Expr& expr, const Function& function, const UpdateDefinition& update, int component) {
    const auto* access = std::get_if<sare::Access>(&expr.node);
    return access != nullptr && access->tensor == function.name && access->component == component &&
           access->indices == update.target;
}

// Whether Halide's simplifier leaves the operand alone. It rewrites x + -y and x * -y to forms that its table of
// associative operators lacks, and an operator applied to its absorbing element to that element.
bool survives_simplification(const Expr& operand, value::BinaryOp op) {
    using value::BinaryOp;
    using value::ReductionOp;
    const auto* unary = std::get_if<sare::Unary>(&operand.node);
    const bool arithmetic = op == BinaryOp::add || op == BinaryOp::mul;
    if (arithmetic && unary != nullptr && unary->op == value::UnaryOp::negate) { return false; }
    const auto* literal = std::get_if<sare::Literal>(&operand.node);
    if (literal == nullptr || arithmetic) { return true; }
    if (op == BinaryOp::logical_and || op == BinaryOp::logical_or) { return false; }
    const auto absorbing =
        value::neutral(op == BinaryOp::min ? ReductionOp::max : ReductionOp::min, literal->value.type());
    return !absorbing || !(*absorbing == literal->value);
}

// Whether the component is `x op y op z …`, in any order and nesting, with x the component's own updated cell and the
// other operands free of the function.
bool accumulates(const Function& function, const UpdateDefinition& update, int component) {
    const Expr& value = update.values[static_cast<std::size_t>(component)];
    const auto* binary = std::get_if<sare::Binary>(&value.node);
    if (binary == nullptr || !is_table_operator(binary->op)) { return false; }
    const std::vector<const Expr*> operands = sare::operands_of(value, binary->op);
    const auto own =
        std::ranges::count_if(operands, [&](const Expr* e) { return is_own_cell(*e, function, update, component); });
    return own == 1 && std::ranges::all_of(operands, [&](const Expr* e) {
               return is_own_cell(*e, function, update, component) ||
                      (!reads_function(*e, function.name) && survives_simplification(*e, binary->op));
           });
}

Associativity find_associativity(const Function& function, const UpdateDefinition& update) {
    Associativity result{true, true, true};
    for (std::size_t k = 0; k < update.values.size(); ++k) {
        const int component = static_cast<int>(k);
        if (accumulates(function, update, component)) { continue; }
        result.accumulates = false;
        // f(x) = f(x) changes nothing, in any order.
        if (is_own_cell(update.values[k], function, update, component)) { continue; }
        if (reads_function(update.values[k], function.name)) { return {}; }
        result.commutative = false;
    }
    return result;
}

}  // namespace

void collect_accesses(const Expr& expr, std::vector<TensorAccess>& accesses) {
    sare::for_each_access(expr, [&](const sare::Access& access, const std::vector<const sare::Reduce*>& around) {
        const auto is_bound = [&](const std::string& name) {
            return std::ranges::any_of(around, [&](const sare::Reduce* reduce) {
                return std::ranges::find(reduce->variables, name) != reduce->variables.end();
            });
        };
        bool over_stage_variables = true;
        for (const sare::Index& index : access.indices) {
            over_stage_variables = over_stage_variables && std::ranges::none_of(sare::free_variables(index), is_bound);
        }
        accesses.push_back({access.tensor, access.indices, access.component, over_stage_variables});
    });
}

std::shared_ptr<const Facts> find_facts(const Function& function) {
    auto facts = std::make_shared<Facts>();
    facts->function = function;
    facts->has_float = std::ranges::any_of(function.types, value::is_float);

    StageFacts& pure = facts->stages.emplace_back();
    for (const Expr& value : function.values) { collect_accesses(value, pure.accesses); }
    pure.pure_variables = function.variables;
    pure.is_const_assignment = true;
    pure.operation = {};

    for (const UpdateDefinition& update : function.updates) {
        StageFacts& stage = facts->stages.emplace_back();
        std::set<std::string> used, rvars, known(function.variables.begin(), function.variables.end());
        for (const Expr& value : update.values) {
            collect_accesses(value, stage.accesses);
            used.merge(sare::free_variables(value));
        }
        for (const sare::RecurrenceVariable& rvar : update.over) { rvars.insert(rvar.name); }
        known.insert(rvars.begin(), rvars.end());
        for (std::size_t p = 0; p < update.target.size(); ++p) {
            if (sare::is_pure_position(function, update, p)) { stage.pure_variables.push_back(function.variables[p]); }
        }
        // A name that is neither a variable nor a recurrence variable is a parameter.
        std::set<std::string> parameters;
        for (const sare::Index& index : update.target) { parameters.merge(sare::free_variables(index)); }
        for (const TensorAccess& access : stage.accesses) {
            for (const sare::Index& index : access.indices) { parameters.merge(sare::free_variables(index)); }
        }
        std::erase_if(parameters, [&](const std::string& name) { return known.contains(name); });

        const bool reads_itself = std::ranges::any_of(
            stage.accesses, [&](const TensorAccess& access) { return access.tensor == function.name; });
        const bool uses_rvars =
            std::ranges::any_of(used, [&](const std::string& name) { return rvars.contains(name); });
        stage.is_const_assignment = !reads_itself && !uses_rvars;
        stage.operation = find_associativity(function, update);
        for (const std::string& rvar : rvars) {
            stage.rvar_is_pure[rvar] = is_pure_rvar(function, update, stage.accesses, rvar, parameters);
        }
    }
    for (const StageFacts& stage : facts->stages) {
        for (const TensorAccess& access : stage.accesses) {
            if (access.tensor != function.name) { facts->reads.insert(access.tensor); }
        }
    }
    return facts;
}

}  // namespace haruspex::schedule::halide
