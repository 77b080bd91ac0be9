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
using value::Type;

// Where the indices at these positions, the heaviest first, are greater than the others.
isl::set lexicographically_greater(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b,
                                   const std::vector<std::size_t>& positions, isl::ctx ctx) {
    isl::set greater = affine::nowhere(ctx), equal = affine::everywhere(ctx);
    for (const std::size_t d : positions) {
        greater = greater.unite(equal.intersect(a[d].gt_set(b[d])));
        equal = equal.intersect(a[d].eq_set(b[d]));
    }
    return greater;
}

AffineSpace::Environment parameters_of(isl::ctx ctx, const Sare& sare, const Sizes& sizes) {
    AffineSpace::Environment names;
    for (const std::string& parameter : sare.parameters) {
        const auto size = sizes.find(parameter);
        names.insert_or_assign(
            parameter, size == sizes.end() ? affine::parameter(ctx, parameter) : affine::constant(ctx, size->second));
    }
    return names;
}

void for_each_value(const Tensor& tensor, const std::function<void(const Expr&)>& visit) {
    for (const sare::Equation& equation : tensor.equations) {
        for (const Expr& value : equation.values) { visit(value); }
    }
}

}  // namespace

Specification::Specification(isl::ctx ctx, const Sare& sare, const Sizes& sizes)
    : ctx_(ctx), sare_(sare), parameters_(isl::space::unit(ctx), parameters_of(ctx, sare, sizes)) {
    for (const Input& input : sare_.inputs) {
        signatures_[input.name] = {{input.type}, static_cast<std::size_t>(input.rank)};
    }
    for (const Tensor& tensor : sare_.tensors) {
        signatures_[tensor.name] = {tensor.types, tensor.variables.size()};
        definitions_[tensor.name] = &tensor;
    }
    for (const Staging& staging : sare_.stagings) {
        for (std::size_t n = 0; n < staging.updates.size(); ++n) {
            const std::string name = stage_name(staging.tensor, n + 1);
            const std::vector<RecurrenceVariable>& over = staging.updates[n].over;
            recurrence_variables_[name] = over.size();
            const auto writer = last_writer(*definitions_.at(name), over);
            if (writer) { last_writers_.insert_or_assign(name, *writer); }
        }
    }
    find_dependences();
    find_total();
}

void Specification::find_dependences() {
    std::map<std::string, std::set<std::string>> reads;
    for (const Tensor& tensor : sare_.tensors) {
        for_each_value(tensor, [&](const Expr& value) {
            for_each_access(value,
                            [&](const Access& access, const auto&) { reads[tensor.name].insert(access.tensor); });
        });
    }
    depends_ = reads;
    for (const auto& [name, signature] : signatures_) { depends_[name].insert(name); }
    // Warshall's transitive closure.
    for (const auto& [via, signature] : signatures_) {
        for (auto& [from, reached] : depends_) {
            if (reached.contains(via)) { reached.insert(depends_.at(via).begin(), depends_.at(via).end()); }
        }
    }
    for (const auto& [name, direct] : reads) {
        if (std::ranges::any_of(direct, [&](const std::string& to) { return depends(to, name); })) {
            recurrent_.insert(name);
        }
    }
    for (const auto& [name, signature] : signatures_) {
        const auto comes_before = [&](const std::string& to) { return !is_input(to) && !depends(to, name); };
        const auto before = std::ranges::count_if(depends_.at(name), comes_before);
        ranks_[name] = is_input(name) ? 0 : static_cast<int>(before) + 1;
    }
}

// The greatest fixpoint: total until shown otherwise.
void Specification::find_total() {
    const TensorTypes types = tensor_types(sare_);
    for (const auto& [name, signature] : signatures_) { total_.insert(name); }
    const std::function<bool(const Expr&)> total = [&](const Expr& expr) -> bool {
        return std::visit(
            Overload{
                [](const sare::Literal& n) { return n.value.is_defined(); },
                [](const sare::Embed& n) { return !value::overflow_is_undefined(n.type); },
                [](const sare::Guard&) { return true; }, [&](const Access& n) { return is_total(n.tensor); },
                [&](const sare::Unary& n) { return value::is_total(n.op, type_of(*n.a, types)) && total(*n.a); },
                [&](const sare::Binary& n) {
                    return value::is_total(n.op, type_of(*n.a, types)) && total(*n.a) && total(*n.b);
                },
                [&](const sare::Select& n) { return total(*n.condition) && total(*n.if_true) && total(*n.if_false); },
                [&](const sare::Cast& n) { return value::is_total_cast(type_of(*n.a, types), n.type) && total(*n.a); },
                [](const sare::Reduce&) { return false; }},
            expr.node);
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const Tensor& tensor : sare_.tensors) {
            bool all = true;
            for_each_value(tensor, [&](const Expr& value) { all = all && total(value); });
            if (!all) { changed = total_.erase(tensor.name) > 0 || changed; }
        }
    }
}

int Specification::rank(const std::string& tensor) const { return ranks_.at(tensor); }

bool Specification::depends(const std::string& from, const std::string& to) const {
    return depends_.at(from).contains(to);
}

bool Specification::is_total(const Term& t) const {
    const std::vector<Term> parts = operands(t);
    if (!std::ranges::all_of(parts, [&](const Term& part) { return is_total(part); })) { return false; }
    return std::visit(
        Overload{[](const term::Literal& n) { return n.value.is_defined(); },
                 [](const term::Unknown&) { return false; }, [&](const term::Cell& n) { return is_total(n.tensor); },
                 [&](const term::Embed&) { return !value::overflow_is_undefined(t->type); },
                 [](const term::Unary& n) { return value::is_total(n.op, n.a->type); },
                 [](const term::Binary& n) { return value::is_total(n.op, n.a->type); },
                 [&](const term::Cast& n) { return value::is_total_cast(n.a->type, t->type); },
                 [](const auto&) { return true; }},
        t->what);
}

isl::set Specification::later(const term::Cell& a, const term::Cell& b) const {
    std::vector<std::size_t> order;
    const auto found = recurrence_variables_.find(a.tensor);
    const std::size_t rank = a.indices.size();
    const std::size_t recurrence = found == recurrence_variables_.end() ? 0 : found->second;
    for (std::size_t i = 0; i < recurrence; ++i) { order.push_back(rank - 1 - i); }
    for (std::size_t i = 0; i < rank - recurrence; ++i) { order.push_back(i); }
    return lexicographically_greater(a.indices, b.indices, order, ctx_);
}

std::optional<isl::multi_pw_aff> Specification::last_writer(const Tensor& stage,
                                                            const std::vector<RecurrenceVariable>& over) {
    // staging.h: a step, a copy of the step before, and before the first step.
    if (over.empty() || stage.equations.size() != 3) { return std::nullopt; }
    const std::size_t rank = stage.variables.size() - over.size();
    std::vector<std::string> cell, step;
    std::vector<isl::pw_aff> now, then;
    for (std::size_t d = 0; d < stage.variables.size(); ++d) {
        const std::string name = "@" + std::to_string(d);
        cell.push_back(name);
        now.push_back(affine::parameter(ctx_, name));
        then.push_back(affine::parameter(ctx_, d < rank ? name : name + "'"));
    }
    // The last recurrence variable weighs most.
    std::vector<std::size_t> order;
    for (std::size_t d = stage.variables.size(); d-- > rank;) {
        order.push_back(d);
        step.push_back(cell[d] + "'");
    }
    const isl::set writes = at(stage, then)
                                .convert(stage.equations[0].domain)
                                .intersect(at(stage, now).convert(recurrence_domain(over)))
                                .subtract(lexicographically_greater(then, now, order, ctx_));
    const isl::map last =
        writes.unbind_params(affine::tuple_of(ctx_, step)).unbind_params_insert_domain(affine::tuple_of(ctx_, cell));
    return isl::multi_pw_aff(last.lexmax_pw_multi_aff());
}

std::vector<Specification::Case> Specification::unfold(const term::Cell& cell) const {
    const Tensor& tensor = *definitions_.at(cell.tensor);
    const std::size_t component = static_cast<std::size_t>(cell.component);
    const AffineSpace here = at(tensor, cell.indices);
    std::vector<Case> cases;
    const auto writer = last_writers_.find(cell.tensor);
    if (writer == last_writers_.end()) {
        for (const sare::Equation& equation : tensor.equations) {
            cases.push_back({here.convert(equation.domain), value(equation.values[component], here)});
        }
        return cases;
    }
    const isl::multi_pw_aff last = writer->second.pullback(affine::tuple(ctx_, cell.indices));
    const isl::set written = last.domain();
    const isl::set now = here.convert(tensor.equations[0].domain);
    cases.push_back({now, value(tensor.equations[0].values[component], here)});
    std::vector<isl::pw_aff> step = cell.indices;
    const int steps = static_cast<int>(last.size());
    for (int k = 0; k < steps; ++k) { step[step.size() - 1 - static_cast<std::size_t>(k)] = last.at(k); }
    const value::Type type = tensor.types[component];
    cases.push_back({written.subtract(now), make_cell(cell.tensor, cell.component, type, std::move(step))});
    // Before the first step it is what it was, whatever the step.
    cases.push_back({written.complement(), value(tensor.equations[2].values[component], here)});
    return cases;
}

// The parameters stand for themselves, a tensor's variables for its indices.
AffineSpace Specification::at(const Tensor& tensor, const std::vector<isl::pw_aff>& indices) const {
    AffineSpace::Environment names = parameters_.names();
    for (std::size_t d = 0; d < tensor.variables.size(); ++d) {
        names.insert_or_assign(tensor.variables[d], indices[d]);
    }
    return {parameters_.space(), std::move(names)};
}

Term Specification::value(const Expr& expr, const AffineSpace& here) const {
    const auto part = [&](const Box<Expr>& e) { return value(*e, here); };
    return std::visit(
        Overload{[](const sare::Literal& n) { return make_literal(n.value); },
                 [&](const sare::Embed& n) { return make_embed(n.type, here.convert(n.index)); },
                 [&](const sare::Guard& n) { return make_truth(here.convert(n.condition)); },
                 [&](const Access& n) {
                     std::vector<isl::pw_aff> indices;
                     for (const Index& i : n.indices) { indices.push_back(here.convert(i)); }
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
