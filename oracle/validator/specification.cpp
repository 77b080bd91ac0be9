#include "oracle/validator/specification.h"

#include <algorithm>
#include <functional>

#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/names.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::validator {
namespace {

using namespace sare;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;

// The types of which an overflow is undefined.
bool overflows(Type type) { return type == Type::i32 || type == Type::i64; }

bool is_total(UnaryOp op, Type type) { return op != UnaryOp::negate || !overflows(type); }

bool is_total(BinaryOp op, Type type) {
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub:
        case BinaryOp::mul:
        case BinaryOp::div: return !overflows(type);
        case BinaryOp::min:
        case BinaryOp::max: return !value::is_float(type);
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return false;
        default: return true;
    }
}

bool is_total_cast(Type to, Type from) {
    if (value::is_float(from)) { return value::is_float(to) || to == Type::boolean; }
    if (!overflows(to)) { return true; }
    return from == Type::boolean || value::bits(from) < value::bits(to) ||
           (value::bits(from) == value::bits(to) && value::is_signed_integer(from));
}

}  // namespace

Specification::Specification(isl::ctx ctx, const Sare& sare) : ctx_(ctx), sare_(sare) {
    for (const std::string& parameter : sare_.parameters) {
        parameters_.insert_or_assign(parameter, affine::parameter(ctx_, parameter));
    }
    for (const Input& input : sare_.inputs) {
        signatures_[input.name] = {{input.type}, static_cast<std::size_t>(input.rank)};
    }
    for (const Tensor& tensor : sare_.tensors) {
        signatures_[tensor.name] = {tensor.types, tensor.variables.size()};
        definitions_[tensor.name] = &tensor;
    }
    for (const Staging& staging : sare_.stagings) {
        for (std::size_t n = 0; n < staging.updates.size(); ++n) {
            recurrence_variables_[stage_name(staging.tensor, n + 1)] = staging.updates[n].over.size();
        }
    }
    for (const Staging& staging : sare_.stagings) {
        for (std::size_t n = 0; n < staging.updates.size(); ++n) {
            const std::string name = stage_name(staging.tensor, n + 1);
            const auto writer = last_writer(*definitions_.at(name), staging.updates[n].over);
            if (writer) { last_writers_.insert_or_assign(name, *writer); }
        }
    }
    // Reachability, to a fixpoint.
    for (const auto& [name, signature] : signatures_) { depends_[name][name] = true; }
    for (const Tensor& tensor : sare_.tensors) {
        for (const sare::Equation& equation : tensor.equations) {
            for (const Expr& value : equation.values) {
                for_each_access(
                    value, [&](const Access& access, const auto&) { depends_[tensor.name][access.tensor] = true; });
            }
        }
    }
    std::map<std::string, std::set<std::string>> reads;
    for (const auto& [from, reached] : depends_) {
        for (const auto& [to, yes] : reached) {
            if (to != from) { reads[from].insert(to); }
        }
    }
    for (const auto& [via, unused] : signatures_) {
        for (auto& [from, reached] : depends_) {
            if (!reached.contains(via)) { continue; }
            for (const auto& [to, yes] : depends_.at(via)) { reached[to] = yes; }
        }
    }
    for (const auto& [name, direct] : reads) {
        for (const std::string& to : direct) {
            if (depends(to, name)) { recurrent_.insert(name); }
        }
    }
    for (const Tensor& tensor : sare_.tensors) {
        for (const sare::Equation& equation : tensor.equations) {
            for (const Expr& value : equation.values) {
                for_each_access(value, [&](const Access& access, const auto&) {
                    if (access.tensor == tensor.name) { recurrent_.insert(tensor.name); }
                });
            }
        }
    }
    for (const auto& [name, signature] : signatures_) {
        ranks_[name] = is_input(name)
                           ? 0
                           : static_cast<int>(std::ranges::count_if(
                                 depends_.at(name),
                                 [&](const auto& to) { return !is_input(to.first) && !depends(to.first, name); })) +
                                 1;
    }
    // Greatest fixpoint: total until shown otherwise.
    for (const auto& [name, signature] : signatures_) { total_[name] = true; }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Tensor& tensor : sare_.tensors) {
            if (!total_.at(tensor.name)) { continue; }
            const TensorTypes types = tensor_types(sare_);
            const std::function<bool(const Expr&)> total = [&](const Expr& expr) -> bool {
                return std::visit(
                    Overload{
                        [](const sare::Literal& n) { return n.value.is_defined(); },
                        [](const sare::Embed& n) { return !overflows(n.type); },
                        [](const sare::Guard&) { return true; }, [&](const Access& n) { return total_.at(n.tensor); },
                        [&](const sare::Unary& n) {
                            return validator::is_total(n.op, type_of(*n.a, types)) && total(*n.a);
                        },
                        [&](const sare::Binary& n) {
                            return validator::is_total(n.op, type_of(*n.a, types)) && total(*n.a) && total(*n.b);
                        },
                        [&](const sare::Select& n) {
                            return total(*n.condition) && total(*n.if_true) && total(*n.if_false);
                        },
                        [&](const sare::Cast& n) { return is_total_cast(n.type, type_of(*n.a, types)) && total(*n.a); },
                        [](const sare::Reduce&) { return false; }},
                    expr.node);
            };
            for (const sare::Equation& equation : tensor.equations) {
                if (!std::ranges::all_of(equation.values, total)) {
                    total_[tensor.name] = false;
                    changed = true;
                    break;
                }
            }
        }
    }
}

int Specification::rank(const std::string& tensor) const { return ranks_.at(tensor); }

bool Specification::depends(const std::string& from, const std::string& to) const {
    return depends_.at(from).contains(to);
}

bool Specification::is_total(const std::string& tensor) const { return total_.at(tensor); }

bool Specification::is_total(const Term& t) const {
    const std::vector<Term> parts = operands(t);
    if (!std::ranges::all_of(parts, [&](const Term& part) { return is_total(part); })) { return false; }
    return std::visit(
        Overload{[](const term::Literal& n) { return n.value.is_defined(); },
                 [](const term::Unknown&) { return false; }, [&](const term::Cell& n) { return is_total(n.tensor); },
                 [&](const term::Embed&) { return !overflows(t->type); },
                 [](const term::Unary& n) { return validator::is_total(n.op, n.a->type); },
                 [](const term::Binary& n) { return validator::is_total(n.op, n.a->type); },
                 [&](const term::Cast& n) { return is_total_cast(t->type, n.a->type); },
                 [](const auto&) { return true; }},
        t->what);
}

isl::set Specification::later(const term::Cell& a, const term::Cell& b) const {
    // The heaviest index first.
    std::vector<std::size_t> order;
    const auto found = recurrence_variables_.find(a.tensor);
    const std::size_t rank = a.indices.size();
    const std::size_t recurrence = found == recurrence_variables_.end() ? 0 : found->second;
    for (std::size_t i = 0; i < recurrence; ++i) { order.push_back(rank - 1 - i); }
    for (std::size_t i = 0; i < rank - recurrence; ++i) { order.push_back(i); }
    isl::set result = isl::set::empty(isl::space::unit(ctx_));
    isl::set equal = isl::set::universe(isl::space::unit(ctx_));
    for (const std::size_t d : order) {
        result = result.unite(equal.intersect(a.indices[d].gt_set(b.indices[d])));
        equal = equal.intersect(a.indices[d].eq_set(b.indices[d]));
    }
    return result;
}

std::optional<isl::multi_pw_aff> Specification::last_writer(const Tensor& stage,
                                                            const std::vector<RecurrenceVariable>& over) {
    // staging.h: a step, a copy of the step before, and before the first step.
    if (over.empty() || stage.equations.size() != 3) { return std::nullopt; }
    const std::size_t rank = stage.variables.size() - over.size();
    Environment now = parameters_, then = parameters_;
    isl::id_list cell(ctx_, static_cast<int>(stage.variables.size())), step(ctx_, static_cast<int>(over.size()));
    for (std::size_t d = 0; d < stage.variables.size(); ++d) {
        const std::string name = "@" + std::to_string(d);
        now.insert_or_assign(stage.variables[d], affine::parameter(ctx_, name));
        cell = cell.add(affine::identifier(ctx_, name));
        then.insert_or_assign(stage.variables[d], affine::parameter(ctx_, d < rank ? name : name + "'"));
    }
    // The last recurrence variable weighs most.
    for (std::size_t d = stage.variables.size(); d-- > rank;) {
        step = step.add(affine::identifier(ctx_, "@" + std::to_string(d) + "'"));
    }
    isl::set earlier = isl::set::empty(isl::space::unit(ctx_));
    isl::set equal = isl::set::universe(isl::space::unit(ctx_));
    for (std::size_t d = stage.variables.size(); d-- > rank;) {
        const isl::pw_aff a = then.at(stage.variables[d]), b = now.at(stage.variables[d]);
        earlier = earlier.unite(equal.intersect(a.lt_set(b)));
        equal = equal.intersect(a.eq_set(b));
    }
    const isl::set writes = condition(stage.equations[0].domain, then)
                                .intersect(condition(recurrence_domain(over), now))
                                .intersect(earlier.unite(equal));
    const isl::space unit = isl::space::unit(ctx_);
    const isl::multi_id cells = unit.add_unnamed_tuple(static_cast<unsigned>(stage.variables.size())).multi_id(cell);
    const isl::multi_id steps = unit.add_unnamed_tuple(static_cast<unsigned>(over.size())).multi_id(step);
    isl::map last = writes.unbind_params(steps).unbind_params_insert_domain(cells);
    return isl::multi_pw_aff(last.lexmax_pw_multi_aff());
}

std::vector<Specification::Case> Specification::unfold(const term::Cell& cell) const {
    const Tensor& tensor = *definitions_.at(cell.tensor);
    const std::size_t component = static_cast<std::size_t>(cell.component);
    Environment environment = parameters_;
    for (std::size_t d = 0; d < tensor.variables.size(); ++d) {
        environment.insert_or_assign(tensor.variables[d], cell.indices[d]);
    }
    std::vector<Case> cases;
    const auto writer = last_writers_.find(cell.tensor);
    if (writer == last_writers_.end()) {
        for (const sare::Equation& equation : tensor.equations) {
            cases.push_back({condition(equation.domain, environment), value(equation.values[component], environment)});
        }
        return cases;
    }
    isl::multi_pw_aff at =
        isl::space::unit(ctx_).add_unnamed_tuple(static_cast<unsigned>(cell.indices.size())).zero_multi_pw_aff();
    for (std::size_t d = 0; d < cell.indices.size(); ++d) { at = at.set_at(static_cast<int>(d), cell.indices[d]); }
    const isl::multi_pw_aff last = writer->second.pullback(at);
    const isl::set written = last.domain();
    const isl::set now = condition(tensor.equations[0].domain, environment);
    cases.push_back({now, value(tensor.equations[0].values[component], environment)});
    std::vector<isl::pw_aff> step = cell.indices;
    const int steps = static_cast<int>(last.size());
    for (int k = 0; k < steps; ++k) { step[step.size() - 1 - static_cast<std::size_t>(k)] = last.at(k); }
    const value::Type type = tensor.types[component];
    cases.push_back({written.subtract(now), make_cell(cell.tensor, cell.component, type, std::move(step))});
    // Before the first step it is what it was, whatever the step.
    cases.push_back({written.complement(), value(tensor.equations[2].values[component], environment)});
    return cases;
}

isl::pw_aff Specification::constant(std::int64_t value) const {
    return isl::pw_aff(isl::space::unit(ctx_).zero_aff_on_domain().add_constant(static_cast<long>(value)));
}

isl::pw_aff Specification::index(const Index& index, const Environment& environment) const {
    const auto part = [&](const Box<Index>& i) { return this->index(*i, environment); };
    return std::visit(
        Overload{[&](const IndexConstant& n) { return constant(n.value); },
                 [&](const IndexVariable& n) { return environment.at(n.name); },
                 [&](const IndexBinary& n) {
                     const isl::pw_aff a = part(n.a), b = part(n.b);
                     switch (n.op) {
                         case IndexOp::add: return a.add(b);
                         case IndexOp::sub: return a.sub(b);
                         case IndexOp::min: return a.min(b);
                         case IndexOp::max: return a.max(b);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such index operator");
                 },
                 [&](const IndexScale& n) { return part(n.a).scale(static_cast<long>(n.factor)); },
                 [&](const IndexDiv& n) { return part(n.a).scale_down(static_cast<long>(n.divisor)).floor(); },
                 [&](const IndexMod& n) { return part(n.a).mod(static_cast<long>(n.divisor)); },
                 [&](const IndexSelect& n) {
                     const isl::set holds = condition(*n.condition, environment);
                     return part(n.if_true).intersect_domain(holds).union_add(
                         part(n.if_false).intersect_domain(holds.complement()));
                 }},
        index.node);
}

isl::set Specification::condition(const Condition& condition, const Environment& environment) const {
    const auto part = [&](const Box<Condition>& c) { return this->condition(*c, environment); };
    const isl::set all = isl::set::universe(isl::space::unit(ctx_));
    return std::visit(Overload{[&](const Truth& n) { return n.value ? all : all.complement(); },
                               [&](const Comparison& n) {
                                   const isl::pw_aff a = index(n.a, environment), b = index(n.b, environment);
                                   switch (n.relation) {
                                       case Relation::lt: return a.lt_set(b);
                                       case Relation::le: return a.le_set(b);
                                       case Relation::eq: return a.eq_set(b);
                                       case Relation::ne: return a.ne_set(b);
                                       case Relation::gt: return a.gt_set(b);
                                       case Relation::ge: return a.ge_set(b);
                                   }
                                   raise_internal_error(__FILE__, __LINE__, "no such relation");
                               },
                               [&](const And& n) { return part(n.a).intersect(part(n.b)); },
                               [&](const Or& n) { return part(n.a).unite(part(n.b)); },
                               [&](const Not& n) { return part(n.a).complement(); }},
                      condition.node);
}

Term Specification::value(const Expr& expr, const Environment& environment) const {
    const auto part = [&](const Box<Expr>& e) { return value(*e, environment); };
    return std::visit(
        Overload{[](const sare::Literal& n) { return make_literal(n.value); },
                 [&](const sare::Embed& n) { return make_embed(n.type, index(n.index, environment)); },
                 [&](const sare::Guard& n) { return make_truth(condition(n.condition, environment)); },
                 [&](const Access& n) {
                     std::vector<isl::pw_aff> indices;
                     for (const Index& i : n.indices) { indices.push_back(index(i, environment)); }
                     const Type type = signatures_.at(n.tensor).types[static_cast<std::size_t>(n.component)];
                     return make_cell(n.tensor, n.component, type, std::move(indices));
                 },
                 [&](const sare::Unary& n) { return make_unary(n.op, part(n.a)); },
                 [&](const sare::Binary& n) {
                     const Term a = part(n.a);
                     return make_binary(n.op, a, part(n.b));
                 },
                 [&](const sare::Select& n) {
                     const Term c = part(n.condition), a = part(n.if_true);
                     return make_select(c, a, part(n.if_false));
                 },
                 [&](const sare::Cast& n) { return make_cast(n.type, part(n.a)); },
                 [](const sare::Reduce&) -> Term { throw Unsupported("reduction in the specification"); }},
        expr.node);
}

}  // namespace haruspex::validator
