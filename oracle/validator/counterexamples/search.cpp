#include "oracle/validator/counterexamples/search.h"

#include <utility>
#include <vector>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "oracle/interp/sare_interpreter.h"

namespace haruspex::validator {
namespace {

// The number of sizes, and of seeds for each, to try for one obligation or for the program.
struct Extent {
    int sizes = 0;
    std::uint64_t seeds = 0;
};

Extent extent_of(Search::Effort effort) { return effort == Search::Effort::brief ? Extent{2, 1} : Extent{6, 3}; }

// Sizes at which some of the environments exist, small ones first.
std::vector<Sizes> sizes_of(const isl::set& environments, const std::set<std::string>& names, int most) {
    isl::set sizes = environments;
    for (const std::string& variable : affine::parameters(environments)) {
        if (!names.contains(variable)) { sizes = affine::project_out(sizes, variable); }
    }
    for (const std::string& name : names) {
        const isl::pw_aff any = affine::parameter(sizes.ctx(), name);
        sizes = sizes.intersect(any.eq_set(any));
    }
    const isl::multi_id tuple = affine::tuple_of(sizes.ctx(), {names.begin(), names.end()});
    std::vector<Sizes> found;
    for (int attempt = 0; attempt < most; ++attempt) {
        const auto point = affine::small_point(sizes.unbind_params(tuple));
        if (!point) { break; }
        Sizes next;
        std::size_t d = 0;
        isl::set larger = sizes, same = sizes;
        for (const std::string& name : names) {
            next[name] = (*point)[d];
            const isl::pw_aff size = affine::parameter(sizes.ctx(), name);
            const isl::pw_aff value = affine::constant(sizes.ctx(), (*point)[d++]);
            // More than doubled, so that a threshold in the program's text is met soon.
            larger = larger.intersect(size.gt_set(value.add(value)));
            same = same.intersect(size.eq_set(value));
        }
        found.push_back(std::move(next));
        // If a small size happens to hide the fault, one that is larger in all parameters may show it.
        sizes = attempt % 2 == 0 && !larger.is_empty() ? larger : sizes.subtract(same);
    }
    return found;
}

}  // namespace

Search::Search(const sare::Sare& sare, const sched::Program& program, Sizes fixed, Runner run,
               std::vector<Inputs::Style> styles)
    : sare_(sare), fixed_(std::move(fixed)), run_(std::move(run)), styles_(std::move(styles)) {
    names_.insert(sare.parameters.begin(), sare.parameters.end());
    names_.insert(program.parameters.begin(), program.parameters.end());
    for (const auto& [name, size] : fixed_) { names_.erase(name); }
}

std::optional<Counterexample> Search::in(const isl::set& environments, const std::optional<smt::Model>& model,
                                         Effort effort) {
    if (model) {
        Sizes sizes;
        for (const std::string& name : names_) {
            const auto value = model->variables.find(name);
            sizes[name] = value == model->variables.end() ? 0 : value->second;
        }
        for (const std::uint64_t seed : {1, 2}) {
            if (auto found = at(sizes, {Inputs::Style::small, seed, model->cells})) { return found; }
        }
        return std::nullopt;
    }
    // Finding out that the specification has no value takes long, and would again.
    if (is_endless_) { return std::nullopt; }
    const Extent extent = extent_of(effort);
    for (const Sizes& sizes : sizes_of(environments, names_, extent.sizes)) {
        if (tried_.contains(sizes)) { continue; }
        for (std::uint64_t seed = 1; seed <= extent.seeds; ++seed) {
            for (const Inputs::Style style : styles_) {
                if (auto found = at(sizes, {style, seed, {}})) { return found; }
                if (is_endless_) { return std::nullopt; }
            }
        }
        if (effort == Effort::thorough) { tried_.insert(sizes); }
    }
    return std::nullopt;
}

std::string Search::tried_sizes() const {
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t count = 0;
    for (const Sizes& sizes : runs_) {
        if (count++ == most) { return text + "; …"; }
        text += count == 1 ? "at " : "; ";
        std::size_t n = 0;
        for (const auto& [name, size] : sizes) { text += (n++ == 0 ? "" : ", ") + name + " = " + std::to_string(size); }
    }
    return text;
}

std::optional<std::string> Search::without_value_in(const isl::set& environments) const {
    constexpr int most_sizes = 2;
    constexpr std::uint64_t most_cells = 1'000'000;
    if (names_.empty()) { return std::nullopt; }
    for (Sizes sizes : sizes_of(environments, names_, most_sizes)) {
        sizes.insert(fixed_.begin(), fixed_.end());
        const auto values =
            interp::evaluate_outputs(sare_, sizes, inputs_of(sare_, {Inputs::Style::small, 1, {}}), most_cells);
        if (values) { continue; }
        std::string at;
        for (const std::string& name : sare_.parameters) {
            at += (at.empty() ? "" : ", ") + name + " = " + std::to_string(sizes.at(name));
        }
        return (at.empty() ? "" : "at " + at + ": ") + values.error().message;
    }
    return std::nullopt;
}

std::optional<Counterexample> Search::at(Sizes sizes, const Inputs& inputs) {
    sizes.insert(fixed_.begin(), fixed_.end());
    const Trial trial = run_(sizes, inputs);
    if (trial.ran && !sizes.empty()) { runs_.insert(sizes); }
    is_endless_ = is_endless_ || trial.not_replayed == NotReplayed::specification;
    if (!trial.is_wrong) { return std::nullopt; }
    return Counterexample{sizes, inputs, trial.is_undef, to_string(trial), trial.trouble};
}

}  // namespace haruspex::validator
