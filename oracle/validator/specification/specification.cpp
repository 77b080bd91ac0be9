#include "oracle/validator/specification/specification.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "generators/affine/comparison.h"
#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/names.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"
#include "oracle/validator/scope/scope.h"
#include "oracle/validator/terms/copy.h"

namespace haruspex::validator {
namespace {

using namespace sare;
using value::Type;

// A set with more parts than this stays as it is.
constexpr unsigned most_parts = 64;

// The environments in which `a` is greater than `b` at these positions, the most significant first.
isl::set lexicographically_greater(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b,
                                   const std::vector<std::size_t>& positions, isl::ctx ctx) {
    isl::set greater = affine::nowhere(ctx), equal = affine::everywhere(ctx);
    for (const std::size_t d : positions) {
        greater = greater.unite(equal.intersect(a[d].gt_set(b[d])));
        equal = equal.intersect(a[d].eq_set(b[d]));
    }
    return greater;
}

// Names for a cell's indices where nothing else has names.
std::vector<std::string> own_names(std::size_t rank) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < rank; ++d) { names.push_back("@" + std::to_string(d)); }
    return names;
}

std::vector<isl::pw_aff> parameters_called(isl::ctx ctx, const std::vector<std::string>& names) {
    std::vector<isl::pw_aff> parameters;
    for (const std::string& name : names) { parameters.push_back(affine::parameter(ctx, name)); }
    return parameters;
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

bool has_reduction(const Expr& expr) {
    bool found = false;
    for_each_reduction(expr, [&](const auto&, const auto&) { found = true; });
    return found;
}

std::uint32_t hash(const term::Cell& cell, const isl::set& environments) {
    std::uint32_t all = affine::hash(environments);
    for (const isl::pw_aff& index : cell.indices) { all = all * 31 + affine::hash(index); }
    return all;
}

}  // namespace

Specification::Specification(isl::ctx ctx, const Sare& sare, const Sizes& sizes)
    : ctx_(ctx),
      sare_(sare),
      parameters_(isl::space::unit(ctx), parameters_of(ctx, sare, sizes)),
      assumptions_(parameters_.convert(sare_.assumptions)) {
    for (const Output& output : sare_.outputs) {
        for (const Span& span : output.box) {
            const isl::pw_aff extent = parameters_.convert(span.extent);
            const isl::set has_box = extent.ge_set(affine::constant(ctx_, 0));
            if (!assumptions_.is_subset(has_box)) { assumptions_ = assumptions_.intersect(has_box); }
        }
    }
    for (const Input& input : sare_.inputs) {
        signatures_[input.name] = {{input.type}, static_cast<std::size_t>(input.rank)};
    }
    for (const Tensor& tensor : sare_.tensors) {
        signatures_[tensor.name] = {tensor.types, tensor.variables.size()};
        definitions_[tensor.name] = define(tensor);
    }
    for (const Staging& staging : sare_.stagings) {
        for (std::size_t n = 0; n < staging.updates.size(); ++n) {
            const std::string name = stage_name(staging.tensor, n + 1);
            const std::vector<RecurrenceVariable>& over = staging.updates[n].over;
            recurrence_variables_[name] = over.size();
            Definition& definition = definitions_.at(name);
            // The three equations of staging.h: a step, a copy of the step before, and the value before the first step.
            if (over.empty() || definition.tensor->equations.size() != 3) { continue; }
            find_idle(definition);
            define_last_writer(definition, over);
        }
    }
    find_dependences();
    find_cyclic();
    find_images();
    for (auto& [name, signature] : signatures_) { signature.is_total = is_total(name); }
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

// T(x) = T(x) + 1 is a contradiction unless T(x) is Undef, and then T(x) - T(x) must not be taken for 0. A cell on an
// endless chain of other cells has no value either, but may be assumed to have one: a proof unfolds finitely many
// cells, and there are values for which all their equations hold.
void Specification::find_cyclic() {
    std::vector<affine::Descent> steps;
    for (std::size_t n = 0; n < sare_.tensors.size(); ++n) {
        const std::string& name = sare_.tensors[n].name;
        const bool reads_others = std::ranges::any_of(depends_.at(name), [&](const std::string& other) {
            return other != name && are_of_one_recurrence(name, other);
        });
        // A stage goes back in the order of its steps (staging.h).
        const bool is_ordered = recurrence_variables_.contains(name) && !reads_others;
        if (is_recurrent(name) && !is_ordered) { add_steps(n, steps); }
    }
    while (const auto cyclic = affine::find_cyclic(steps)) {
        for (const Tensor& tensor : sare_.tensors) {
            if (are_of_one_recurrence(sare_.tensors[*cyclic].name, tensor.name)) { cyclic_.insert(tensor.name); }
        }
        std::erase_if(steps,
                      [&](const affine::Descent& step) { return cyclic_.contains(sare_.tensors[step.from].name); });
    }
}

// Adds the steps from cells of the n-th tensor to the cells of its recurrence that they read.
void Specification::add_steps(std::size_t n, std::vector<affine::Descent>& steps) const {
    const Tensor& tensor = sare_.tensors[n];
    const std::vector<std::string> reader = own_names(tensor.variables.size());
    const AffineSpace here = at(tensor, parameters_called(ctx_, reader));
    for (const sare::Equation& equation : tensor.equations) {
        const isl::set where = here.convert(equation.domain).intersect(assumptions());
        const auto add = [&](const Access& access, const auto& reductions) {
            if (!are_of_one_recurrence(tensor.name, access.tensor)) { return; }
            std::vector<std::string> cell = own_names(access.indices.size());
            isl::set pairs = where;
            for (std::size_t d = 0; d < cell.size(); ++d) {
                cell[d] += "'";
                // A reduction may read any cell.
                if (!reductions.empty()) { continue; }
                pairs = pairs.intersect(affine::parameter(ctx_, cell[d]).eq_set(here.convert(access.indices[d])));
            }
            const auto to = std::ranges::find(sare_.tensors, access.tensor, &Tensor::name) - sare_.tensors.begin();
            steps.push_back({n, static_cast<std::size_t>(to),
                             pairs.unbind_params(affine::tuple_of(ctx_, cell))
                                 .unbind_params_insert_domain(affine::tuple_of(ctx_, reader))});
        };
        for (const Expr& value : equation.values) { for_each_access(value, add); }
    }
}

void Specification::find_images() {
    for (const auto& [name, signature] : signatures_) {
        for (const Type type : signature.types) { images_[name].push_back(Image::any(type, !cyclic_.contains(name))); }
    }
    std::vector<const Tensor*> tensors;
    for (const Tensor& tensor : sare_.tensors) { tensors.push_back(&tensor); }
    std::ranges::stable_sort(tensors, {}, [&](const Tensor* tensor) { return rank(tensor->name); });
    find_ranges(tensors);
    find_totals(tensors);
}

// The least fixpoint: every value of a recurrence that ends is computed in finitely many steps. A range that keeps
// growing is given up.
void Specification::find_ranges(const std::vector<const Tensor*>& tensors) {
    constexpr int most_rounds = 4;
    const TensorTypes types = tensor_types(sare_);
    std::set<std::pair<std::string, int>> found;
    const auto is_known = [&](const Expr& value) {
        bool all = true;
        // A reduction may be empty, and then reads nothing.
        for_each_access(value, [&](const Access& access, const auto& reductions) {
            all = all &&
                  (!reductions.empty() || is_input(access.tensor) || found.contains({access.tensor, access.component}));
        });
        return all;
    };
    int round = 0;
    const auto grows = [&](const Tensor& tensor, std::size_t k) {
        Image& known = images_.at(tensor.name)[k];
        const bool is_first = !found.contains({tensor.name, static_cast<int>(k)});
        std::optional<Image> all = is_first ? std::nullopt : std::optional(known);
        for (const sare::Equation& equation : tensor.equations) {
            if (!is_known(equation.values[k])) { continue; }
            const Image one = image(equation.values[k], types);
            all = all ? join(*all, one) : one;
        }
        if (!all || (!is_first && all->range == known.range)) { return false; }
        found.insert({tensor.name, static_cast<int>(k)});
        known.range = round < most_rounds ? all->range : Image::any(tensor.types[k], true).range;
        return true;
    };
    const auto settle = [&] {
        for (bool changed = true; changed; ++round) {
            changed = false;
            for (const Tensor* tensor : tensors) {
                for (std::size_t k = 0; k < tensor->types.size(); ++k) { changed = grows(*tensor, k) || changed; }
            }
        }
    };
    settle();
    // A component that no equation begins may have any value, and so may everything computed from it: a recurrence
    // without an end has values for which all its equations hold, if they are chosen together with those of its
    // readers.
    for (const Tensor* tensor : tensors) {
        for (std::size_t k = 0; k < tensor->types.size(); ++k) { found.emplace(tensor->name, static_cast<int>(k)); }
    }
    settle();
}

// The greatest fixpoint: total until shown otherwise.
void Specification::find_totals(const std::vector<const Tensor*>& tensors) {
    const TensorTypes types = tensor_types(sare_);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Tensor* tensor : tensors) {
            for (std::size_t k = 0; k < tensor->types.size(); ++k) {
                Image& known = images_.at(tensor->name)[k];
                const bool is_total = std::ranges::all_of(tensor->equations, [&](const sare::Equation& equation) {
                    return image(equation.values[k], types).is_total;
                });
                if (is_total || !known.is_total) { continue; }
                known.is_total = false;
                changed = true;
            }
        }
    }
}

Image Specification::image(const Expr& expr, const TensorTypes& types) const {
    const auto of = [&](const Box<Expr>& part) { return image(*part, types); };
    return std::visit(
        Overload{[](const sare::Literal& n) { return Image::of(n.value); },
                 [](const sare::Embed& n) { return Image::any(n.type, !value::overflow_is_undefined(n.type)); },
                 [](const sare::Guard&) { return Image::any(Type::boolean, true); },
                 [&](const Access& n) { return images_.at(n.tensor)[static_cast<std::size_t>(n.component)]; },
                 [&](const sare::Unary& n) { return apply(n.op, type_of(*n.a, types), of(n.a)); },
                 [&](const sare::Binary& n) { return apply(n.op, type_of(*n.a, types), of(n.a), of(n.b)); },
                 [&](const sare::Select& n) {
                     return select(of(n.condition), type_of(*n.if_true, types), of(n.if_true), of(n.if_false));
                 },
                 [&](const sare::Cast& n) { return cast(type_of(*n.a, types), n.type, of(n.a)); },
                 [&](const sare::Reduce& n) { return Image::any(type_of(*n.body, types), false); }},
        expr.node);
}

bool Specification::is_total(const std::string& tensor) const {
    return std::ranges::all_of(images_.at(tensor), &Image::is_total);
}

int Specification::rank(const std::string& tensor) const { return ranks_.at(tensor); }

bool Specification::depends(const std::string& from, const std::string& to) const {
    return depends_.at(from).contains(to);
}

// Terms share subterms, so images are cached.
Image Specification::image(const Term& t, Images& known) const {
    if (const auto found = known.find(t.get()); found != known.end()) { return found->second; }
    return known.emplace(t.get(), computed_image(t, known)).first->second;
}

Image Specification::computed_image(const Term& t, Images& known) const {
    const auto image = [&](const Term& part) { return this->image(part, known); };
    return std::visit(
        Overload{[](const term::Literal& n) { return Image::of(n.value); },
                 [&](const term::Unknown&) { return Image::any(t->type, false); },
                 [&](const term::Cell& n) { return images_.at(n.tensor)[static_cast<std::size_t>(n.component)]; },
                 [&](const term::Embed&) { return Image::any(t->type, !value::overflow_is_undefined(t->type)); },
                 [&](const term::Unary& n) { return apply(n.op, n.a->type, image(n.a)); },
                 [&](const term::Binary& n) { return apply(n.op, n.a->type, image(n.a), image(n.b)); },
                 [&](const term::Cast& n) { return cast(n.a->type, t->type, image(n.a)); },
                 [&](const term::Select& n) {
                     return select(image(n.condition), t->type, image(n.if_true), image(n.if_false));
                 },
                 [&](const term::Choice& n) {
                     return Image::any(t->type, std::ranges::all_of(n.cases, [&](const term::Choice::Case& one) {
                                           return image(one.value).is_total;
                                       }));
                 },
                 // A truth, or memory that was not written: Uninit is not Undef.
                 [&](const auto&) { return Image::any(t->type, true); }},
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

Specification::Definition Specification::define(const Tensor& tensor) const {
    const std::vector<std::string> names = own_names(tensor.variables.size());
    const AffineSpace here = at(tensor, parameters_called(ctx_, names));
    const isl::multi_id cell = affine::tuple_of(ctx_, names);
    Definition definition{&tensor, {}, affine::everywhere(ctx_).unbind_params(cell), {}};
    for (const sare::Equation& equation : tensor.equations) {
        definition.domains.push_back(affine::with_divisions(here.convert(equation.domain).unbind_params(cell)));
        definition.undefined = definition.undefined.subtract(definition.domains.back());
    }
    return definition;
}

void Specification::define_last_writer(Definition& definition, const std::vector<RecurrenceVariable>& over) const {
    const Tensor& stage = *definition.tensor;
    const std::size_t rank = stage.variables.size() - over.size();
    const std::vector<std::string> cell = own_names(stage.variables.size());
    std::vector<std::string> then = cell, step;
    // The last recurrence variable weighs most.
    std::vector<std::size_t> order;
    for (std::size_t d = cell.size(); d-- > rank;) {
        then[d] = cell[d] + "'";
        order.push_back(d);
        step.push_back(then[d]);
    }
    const std::vector<isl::pw_aff> now_indices = parameters_called(ctx_, cell);
    const std::vector<isl::pw_aff> then_indices = parameters_called(ctx_, then);
    const isl::set writes = at(stage, then_indices)
                                .convert(stage.equations[0].domain)
                                .intersect(at(stage, now_indices).convert(recurrence_domain(over)))
                                .subtract(lexicographically_greater(then_indices, now_indices, order, ctx_));
    const isl::map last =
        writes.unbind_params(affine::tuple_of(ctx_, step)).unbind_params_insert_domain(affine::tuple_of(ctx_, cell));
    const isl::multi_pw_aff last_step(last.lexmax_pw_multi_aff());
    // The step writes, an earlier one wrote, or the cell has its value before the update, whatever the step is.
    const isl::set now = definition.domains[0];
    const isl::set written = affine::with_divisions(last_step.domain());
    // In a set of very many parts isl searches for equalities without end, and without counting its operations.
    definition.last_writer = written.n_basic_set() <= most_parts ? affine::gist(last_step, written) : last_step;
    definition.domains = {now, written.subtract(now), written.complement().subtract(now)};
    definition.undefined = now.subtract(now);
}

// By induction over the steps.
void Specification::find_idle(Definition& definition) const {
    const Tensor& stage = *definition.tensor;
    const std::vector<std::string> names = own_names(stage.variables.size());
    const AffineSpace here = at(stage, parameters_called(ctx_, names));
    const isl::set writes = here.convert(stage.equations[0].domain);
    for (std::size_t k = 0; k < stage.types.size(); ++k) {
        const Term before = value(stage.equations[1].values[k], here);
        const auto& copied = *as<term::Cell>(before);
        const auto is_before = [&](const term::Cell& cell) {
            return cell.tensor == copied.tensor && cell.component == copied.component &&
                   std::ranges::equal(cell.indices, copied.indices, [&](const isl::pw_aff& a, const isl::pw_aff& b) {
                       return affine::are_same(a, b, writes);
                   });
        };
        const Expr& step = stage.equations[0].values[k];
        if (!has_reduction(step) && is_copy(value(step, here), writes, is_before)) { definition.idle.insert(k); }
    }
}

const Specification::Unfolding& Specification::unfold(const term::Cell& cell, const isl::set& environments) const {
    const std::uint32_t key = hash(cell, environments);
    const auto [first, past] = unfolded_.equal_range(key);
    for (auto known = first; known != past; ++known) {
        const Unfolded& before = known->second;
        if (is_written_alike(before.cell, cell) && affine::is_written_alike(before.environments, environments)) {
            return before.unfolding;
        }
    }
    Unfolded made{cell, environments, unfolded(cell, environments)};
    return unfolded_.emplace(key, std::move(made))->second.unfolding;
}

Specification::Unfolding Specification::unfolded(const term::Cell& cell, const isl::set& environments) const {
    const Definition& definition = definitions_.at(cell.tensor);
    const Tensor& tensor = *definition.tensor;
    const std::size_t component = static_cast<std::size_t>(cell.component);
    const auto narrowed = [](std::vector<isl::pw_aff> indices, const isl::set& where) {
        for (isl::pw_aff& index : indices) { index = affine::narrowed(index, where); }
        return indices;
    };
    const std::vector<isl::pw_aff> indices = narrowed(cell.indices, environments);
    const isl::pw_multi_aff tuple = affine::in_pieces(affine::tuple(ctx_, indices));
    // There is no environment. isl 0.25 takes an empty set of cells with no pieces for a set of environments.
    if (tuple.n_piece() == 0) { return {{}, environments}; }
    if (definition.idle.contains(component)) {
        const isl::set nowhere = environments.subtract(environments);
        if (environments.is_empty()) { return {{}, nowhere}; }
        return {{{environments, value(tensor.equations[2].values[component], at(tensor, indices))}}, nowhere};
    }
    Unfolding unfolding{{}, environments.intersect(definition.undefined.preimage(tuple))};
    for (std::size_t n = 0; n < tensor.equations.size(); ++n) {
        const isl::set where = environments.intersect(definition.domains[n].preimage(tuple));
        if (where.is_empty()) { continue; }
        const std::vector<isl::pw_aff> here = narrowed(indices, where);
        const bool is_copy = definition.last_writer && n == 1;
        if (!is_copy) {
            unfolding.cases.push_back({where, value(tensor.equations[n].values[component], at(tensor, here))});
            continue;
        }
        const isl::multi_pw_aff last = definition.last_writer->pullback(tuple);
        std::vector<isl::pw_aff> step = here;
        const std::size_t steps = last.size();
        for (std::size_t k = 0; k < steps; ++k) { step[step.size() - 1 - k] = last.at(static_cast<int>(k)); }
        unfolding.cases.push_back(
            {where, make_cell(cell.tensor, cell.component, tensor.types[component], std::move(step))});
    }
    return unfolding;
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
