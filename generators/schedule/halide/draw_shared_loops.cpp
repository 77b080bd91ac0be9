#include "generators/schedule/halide/draw_shared_loops.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/sare/traverse.h"

namespace haruspex::schedule::halide {
namespace {

constexpr std::size_t most_companions = 8;  // of the tensors, how many are looked at

// The tensors that the tensor reads, directly or not.
std::set<std::string> read_by(const Drawing& d, const std::string& tensor) {
    std::set<std::string> known;
    std::vector<std::string> open{tensor};
    while (!open.empty()) {
        const sare::Function* function = d.function_of(open.back());
        open.pop_back();
        if (function == nullptr) { continue; }
        const auto note = [&](const sare::Expr& e) {
            sare::for_each_access(e, [&](const sare::Access& a, const auto&) {
                if (known.insert(a.tensor).second) { open.push_back(a.tensor); }
            });
        };
        for (const sare::Expr& e : function->values) { note(e); }
        for (const sare::UpdateDefinition& update : function->updates) {
            for (const sare::Expr& e : update.values) { note(e); }
        }
    }
    return known;
}

// Tries the loops of `with` in a drawn order.
bool compute_with(Drawing& d, const StageRef& stage, const StageRef& with) {
    std::vector<std::string> vars;
    for (const Loop& loop : d.admission.nest(with).loops) {
        if (!loop.is_rvar && !loop.var.empty()) { vars.push_back(loop.var); }
    }
    d.choices.shuffle(vars);
    constexpr std::array aligns{Align::automatic, Align::start, Align::end, Align::none};
    for (const std::string& var : vars) {
        const Drawing::Saved before = d.saved();
        const auto align = aligns[d.choices.weighted(d.policy.align)];
        // Only a complete schedule shows whether two stages may share their loops.
        if (!d.propose(stage, ComputeWith{{with, var}, align})) { continue; }
        if (d.is_complete()) { return true; }
        d.restore(before);
    }
    return false;
}

}  // namespace

std::set<std::string> draw_companions(const Drawing& d, const std::vector<std::string>& tensors) {
    if (tensors.size() < 2 || !d.choices.boolean(d.policy.companions_per_mille)) { return {}; }
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < tensors.size() && i < most_companions; ++i) {
        const std::set<std::string> read = read_by(d, tensors[i]);
        for (std::size_t j = 0; j < tensors.size() && j < most_companions; ++j) {
            if (i == j || d.function_of(tensors[i]) == nullptr || d.function_of(tensors[j]) == nullptr) { continue; }
            const std::size_t updates =
                d.function_of(tensors[i])->updates.size() + d.function_of(tensors[j])->updates.size();
            const bool depend = read.contains(tensors[j]) || read_by(d, tensors[j]).contains(tensors[i]);
            if (updates > 0 && !depend) { pairs.emplace_back(tensors[i], tensors[j]); }
        }
    }
    if (pairs.empty()) { return {}; }
    const auto& [first, second] = d.choices.one_of(pairs);
    return {first, second};
}

void share_loops_of_companions(Drawing& d, const std::set<std::string>& companions) {
    if (companions.empty()) { return; }
    std::vector<StageRef> stages, others;
    for (const StageRef& stage : d.admission.stages(*companions.begin())) { stages.push_back(stage); }
    for (const StageRef& stage : d.admission.stages(*companions.rbegin())) { others.push_back(stage); }
    if (d.choices.boolean(d.policy.swapped_companions_per_mille)) { std::swap(stages, others); }
    d.choices.shuffle(stages);
    d.choices.shuffle(others);
    std::size_t shared = 0;
    for (const StageRef& stage : stages) {
        for (const StageRef& with : others) {
            if (!stage.update && !with.update) { continue; }
            if (compute_with(d, stage, with)) {
                ++shared;
                break;
            }
        }
        if (shared == 2) { return; }
    }
}

void draw_compute_with(Drawing& d, const std::vector<std::string>& tensors) {
    // Each proposal is checked as a complete schedule: of many tensors only some pairs are tried.
    const auto pairs = static_cast<int>(tensors.size() * tensors.size());
    const int per_mille = std::min(d.policy.compute_with_per_mille, 1000 * d.policy.most_compute_with / pairs);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        for (std::size_t j = 0; j < tensors.size(); ++j) {
            if (i == j || d.admission.is_inlined(tensors[i]) || d.admission.is_inlined(tensors[j])) { continue; }
            if (!d.choices.boolean(per_mille)) { continue; }
            const StageRef stage{tensors[i], {}, {}};
            const StageRef with{tensors[j], {}, {}};
            const auto& loops = d.admission.nest(with).loops;
            if (loops.empty()) { continue; }
            const Loop& loop = d.choices.one_of(loops);
            constexpr std::array aligns{Align::automatic, Align::start, Align::end, Align::none};
            const auto align = aligns[d.choices.weighted(d.policy.align)];
            const Drawing::Saved before = d.saved();
            // Only a complete schedule shows whether two stages may share their loops.
            if (d.propose(stage, ComputeWith{{with, loop.var}, align}) && !d.is_complete()) { d.restore(before); }
        }
    }
}

}  // namespace haruspex::schedule::halide
