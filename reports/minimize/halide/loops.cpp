#include "reports/minimize/halide/loops.h"

#include <algorithm>

#include "generators/base/overload.h"

namespace haruspex::minimize::halide {

using namespace schedule::halide;

LoopLevel* level_of(Action& action) {
    if (auto* a = std::get_if<ComputeAt>(&action)) { return &a->level; }
    if (auto* a = std::get_if<StoreAt>(&action)) { return &a->level; }
    if (auto* a = std::get_if<HoistStorage>(&action)) { return &a->level; }
    if (auto* a = std::get_if<ComputeWith>(&action)) { return &a->level; }
    return nullptr;
}

std::vector<std::string*> loop_names(Action& action) {
    using Names = std::vector<std::string*>;
    const auto all = [](std::vector<std::string>& vars) {
        Names names;
        for (std::string& var : vars) { names.push_back(&var); }
        return names;
    };
    return std::visit(
        Overload{[](Split& a) { return Names{&a.old_var, &a.outer, &a.inner}; },
                 [](Tile& a) { return Names{&a.x, &a.y, &a.x_outer, &a.y_outer, &a.x_inner, &a.y_inner}; },
                 [](Fuse& a) { return Names{&a.inner, &a.outer, &a.fused}; },
                 [&](Reorder& a) { return all(a.vars); },
                 [](Vectorize& a) { return Names{&a.var}; },
                 [](Unroll& a) { return Names{&a.var}; },
                 [](Parallel& a) { return Names{&a.var}; },
                 [](Serial& a) { return Names{&a.var}; },
                 [](Partition& a) { return Names{&a.var}; },
                 [&](NeverPartition& a) { return all(a.vars); },
                 [&](AlwaysPartition& a) { return all(a.vars); },
                 [](NeverPartitionAll&) { return Names{}; },
                 [](AlwaysPartitionAll&) { return Names{}; },
                 [](Prefetch& a) { return Names{&a.at, &a.from}; },
                 [](RFactor& a) {
                     Names names;
                     for (auto& [loop, preserved] : a.preserved) { names.push_back(&loop); }
                     return names;
                 },
                 [](ComputeRoot&) { return Names{}; },
                 [](ComputeInline&) { return Names{}; },
                 [](ComputeAt&) { return Names{}; },
                 [](StoreRoot&) { return Names{}; },
                 [](StoreAt&) { return Names{}; },
                 [](HoistStorage&) { return Names{}; },
                 [](HoistStorageRoot&) { return Names{}; },
                 [](Bound&) { return Names{}; },
                 [](BoundExtent&) { return Names{}; },
                 [](AlignBounds&) { return Names{}; },
                 [](ReorderStorage&) { return Names{}; },
                 [](FoldStorage&) { return Names{}; },
                 [](AlignStorage&) { return Names{}; },
                 [](RingBuffer&) { return Names{}; },
                 [](Specialize&) { return Names{}; },
                 [](Atomic&) { return Names{}; },
                 [](ComputeWith&) { return Names{}; },
                 [](Async&) { return Names{}; }},
        action);
}

void rename_loop(Schedule& schedule, std::size_t from, const StageRef& stage, const std::string& name,
                 const std::string& by) {
    for (std::size_t i = from; i < schedule.directives.size(); ++i) {
        Directive& directive = schedule.directives[i];
        if (directive.stage == stage) {
            for (std::string* loop : loop_names(directive.action)) {
                if (*loop == name) { *loop = by; }
            }
        }
    }
    for (Directive& directive : schedule.directives) {
        LoopLevel* level = level_of(directive.action);
        if (level != nullptr && level->stage == stage && level->var == name) { level->var = by; }
    }
}

namespace {

// A directive without a name: the remaining action, or none if only a renaming of `renamed` to `kept` remains.
struct Forgotten {
    std::optional<Action> action;
    std::string renamed = {}, kept = {};
};

Forgotten forget(const Action& action, const std::string& name) {
    const auto others = [&](std::vector<std::string> vars) {
        std::erase(vars, name);
        return vars;
    };
    if (const auto* tile = std::get_if<Tile>(&action)) {
        if (tile->x == name) { return {Split{tile->y, tile->y_outer, tile->y_inner, tile->y_factor, tile->tail}}; }
        if (tile->y == name) { return {Split{tile->x, tile->x_outer, tile->x_inner, tile->x_factor, tile->tail}}; }
    }
    if (const auto* fuse = std::get_if<Fuse>(&action)) {
        if (fuse->inner == name) { return {std::nullopt, fuse->fused, fuse->outer}; }
        if (fuse->outer == name) { return {std::nullopt, fuse->fused, fuse->inner}; }
    }
    if (const auto* reorder = std::get_if<Reorder>(&action)) { return {Reorder{others(reorder->vars)}}; }
    const auto* never = std::get_if<NeverPartition>(&action);
    if (never != nullptr && never->vars.size() > 1) { return {NeverPartition{others(never->vars)}}; }
    const auto* always = std::get_if<AlwaysPartition>(&action);
    if (always != nullptr && always->vars.size() > 1) { return {AlwaysPartition{others(always->vars)}}; }
    if (const auto* prefetch = std::get_if<Prefetch>(&action)) {
        Prefetch rest = *prefetch;
        if (rest.from == name) { rest.from = rest.at; }
        return {rest};
    }
    if (const auto* order = std::get_if<ReorderStorage>(&action)) { return {ReorderStorage{others(order->vars)}}; }
    if (const auto* rfactor = std::get_if<RFactor>(&action)) {
        RFactor rest = *rfactor;
        std::erase_if(rest.preserved, [&](const auto& pair) { return pair.first == name; });
        return {rest};
    }
    return {action};
}

}  // namespace

void forget_loop(Schedule& schedule, const std::string& tensor, std::optional<int> update, const std::string& name) {
    for (std::size_t i = 0; i < schedule.directives.size();) {
        const Directive directive = schedule.directives[i];
        const bool concerned = directive.stage.tensor == tensor && (!update || directive.stage.update == update);
        const Forgotten rest = concerned ? forget(directive.action, name) : Forgotten{directive.action};
        if (rest.action) {
            schedule.directives[i++].action = *rest.action;
            continue;
        }
        schedule.directives.erase(schedule.directives.begin() + static_cast<std::ptrdiff_t>(i));
        rename_loop(schedule, i, directive.stage, rest.renamed, rest.kept);
    }
}

}  // namespace haruspex::minimize::halide
