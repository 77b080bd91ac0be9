#include "oracle/validator/discharge/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <utility>

#include "generators/affine/environment.h"
#include "generators/affine/parameters.h"
#include "generators/base/overload.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::validator {
namespace {

constexpr std::int64_t farthest = 24;        // distance of an environment's variables from zero
constexpr std::uint64_t most_steps = 5'000;  // interpreter steps for one choice of sizes and inputs
constexpr std::uint64_t seeds = 2;
constexpr std::size_t most_remembered = 16;
constexpr std::size_t most_sizes = 64;

}  // namespace

// An environment, and a run of the specification at its sizes.
class Sampling::Place {
public:
    Place(const Specification& specification, const isl::point& point, Run& run)
        : specification_(specification), point_(point), run_(run) {}

    // nullopt: unknown.
    std::optional<value::Value> value(const Term& t) {
        if (const auto known = values_.find(t.get()); known != values_.end()) { return known->second; }
        return values_.emplace(t.get(), computed(t)).first->second;
    }

private:
    std::optional<value::Value> computed(const Term& t) {
        std::vector<value::Value> parts;
        if (as<term::Choice>(t) == nullptr) {
            for (const Term& operand : operands(t)) {
                const auto part = value(operand);
                if (!part) { return std::nullopt; }
                parts.push_back(*part);
            }
        }
        using Maybe = std::optional<value::Value>;
        return std::visit(
            Overload{[](const term::Literal& n) { return Maybe(n.value); },
                     [&](const term::Truth& n) { return Maybe(value::Value::boolean(holds(n.condition))); },
                     [&](const term::Cell& n) { return cell(n); },
                     [&](const term::Embed& n) {
                         const auto index = affine::value_in(n.index, point_);
                         return index ? Maybe(value::cast(t->type, value::Value::integer(value::Type::i64, *index)))
                                      : Maybe();
                     },
                     [&](const term::Unary& n) { return Maybe(value::apply(n.op, parts[0])); },
                     [&](const term::Binary& n) { return Maybe(value::apply(n.op, parts[0], parts[1])); },
                     [&](const term::Cast&) { return Maybe(value::cast(t->type, parts[0])); },
                     [&](const term::Select&) { return Maybe(value::select(parts[0], parts[1], parts[2])); },
                     [&](const term::Choice& n) { return chosen(n); }, [](const auto&) { return Maybe(); }},
            t->what);
    }

    std::optional<value::Value> chosen(const term::Choice& choice) {
        const auto found = std::ranges::find_if(choice.cases, [&](const auto& c) { return holds(c.environments); });
        return found == choice.cases.end() ? std::nullopt : value(found->value);
    }

    std::optional<value::Value> cell(const term::Cell& cell) {
        std::vector<std::int64_t> indices;
        for (const isl::pw_aff& index : cell.indices) {
            const auto at = affine::value_in(index, point_);
            if (!at) { return std::nullopt; }
            indices.push_back(*at);
        }
        if (specification_.is_input(cell.tensor)) { return run_.inputs(cell.tensor, indices); }
        const auto found = run_.interpreter.evaluate(cell.tensor, cell.component, indices);
        return found ? std::optional(*found) : std::nullopt;
    }

    bool holds(const isl::set& condition) const { return affine::is_one_of(point_, condition); }

    const Specification& specification_;
    const isl::point& point_;
    Run& run_;
    std::unordered_map<const TermNode*, std::optional<value::Value>> values_;
};

bool Sampling::differ(const Term& s, const Term& i, const isl::set& environments) {
    const auto point = i->mentions_uninit ? std::nullopt : near(environments);
    if (!point) { return false; }
    Sizes sizes;
    for (const std::string& parameter : specification_.sare().parameters) {
        const auto size = affine::value_in(specification_.parameters().names().at(parameter), *point);
        if (!size || std::abs(*size) > farthest) { return false; }
        sizes[parameter] = *size;
    }
    if (runs_.size() > most_sizes) { runs_.clear(); }
    auto& runs = runs_[sizes];
    const sare::Sare& sare = specification_.sare();
    for (std::uint64_t seed = runs.size() + 1; seed <= seeds; ++seed) {
        const interp::InputFunction inputs = inputs_of(sare, {Inputs::Style::small, seed, {}});
        runs.push_back({inputs, interp::SareInterpreter(sare, sizes, inputs)});
        runs.back().interpreter.limit_steps(most_steps);
    }
    return std::ranges::any_of(runs, [&](Run& run) {
        Place place(specification_, *point, run);
        const auto wanted = place.value(s);
        if (!wanted || !wanted->is_defined()) { return false; }
        const auto made = place.value(i);
        if (!made || made->is_uninit()) { return false; }
        if (made->is_undef()) { return true; }
        if (!exact_reals_ || !value::is_float(s->type)) { return !value::same_number(*wanted, *made); }
        constexpr double close = 1e-3;
        const double x = wanted->as_double(), y = made->as_double();
        return std::isfinite(x) && std::isfinite(y) &&
               std::abs(x - y) > close * std::max({1.0, std::abs(x), std::abs(y)});
    });
}

// An environment with all parameters of the specification; nullopt if there is none near zero.
std::optional<isl::point> Sampling::near(const isl::set& environments) {
    const auto known = std::ranges::find_if(
        near_, [&](const auto& before) { return affine::is_written_alike(before.first, environments); });
    if (known != near_.end()) { return known->second; }
    isl::set box = affine::everywhere(environments.ctx());
    std::set<std::string> variables;
    for (const std::string& parameter : affine::parameters(environments)) { variables.insert(parameter); }
    for (const std::string& parameter : specification_.sare().parameters) {
        const isl::pw_aff value = specification_.parameters().names().at(parameter);
        for (const std::string& variable : affine::parameters(value.domain())) { variables.insert(variable); }
    }
    for (const std::string& variable : variables) {
        const isl::pw_aff value = affine::parameter(box.ctx(), variable);
        box = box.intersect(value.ge_set(affine::constant(box.ctx(), -farthest)))
                  .intersect(value.le_set(affine::constant(box.ctx(), farthest)));
    }
    const std::optional<isl::point> found = affine::some_environment(environments.intersect(box));
    if (near_.size() == most_remembered) { near_.erase(near_.begin()); }
    return near_.emplace_back(environments, found).second;
}

}  // namespace haruspex::validator
