#include "generators/schedule/halide/admission.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/schedule/halide/extents.h"
#include "generators/schedule/halide/groups.h"
#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/nest.h"
#include "generators/schedule/halide/placement.h"
#include "generators/schedule/halide/rfactor.h"
#include "generators/schedule/halide/state.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {

Result<void> apply_directive(ScheduleState& state, const Directive& directive) {
    if (!state.is_followed) {
        ++state.directives;
        return {};
    }
    const StageRef& ref = directive.stage;
    TensorState* tensor = state.find(ref.tensor);
    if (tensor == nullptr) { return fail("there is no tensor \"" + ref.tensor + "\" to schedule"); }
    StageState* stage = state.find(ref);
    if (stage == nullptr) { return fail("there is no stage \"" + print(ref) + "\""); }

    NestDirectives nest(state, ref, *tensor, *stage);
    PlacementDirectives placement(state, ref, *tensor);
    // Compute and store levels, bounds and storage belong to the whole tensor.
    const auto whole = [&](auto&& action) -> Result<void> {
        if (ref.update || ref.specialization) {
            return refuse(ref, std::string(action_name(directive.action)) + " belongs to the tensor, not to a stage");
        }
        return action();
    };
    using Kind = Placement::Kind;
    auto done = std::visit(
        Overload{
            [&](const Split& a) { return nest.split(a); },
            [&](const Tile& a) { return nest.tile(a); },
            [&](const Fuse& a) { return nest.fuse(a); },
            [&](const Reorder& a) { return nest.reorder(a.vars); },
            [&](const Vectorize& a) { return nest.vectorize(a); },
            [&](const Unroll& a) { return nest.unroll(a); },
            [&](const Parallel& a) { return nest.parallel(a); },
            [&](const Serial& a) { return nest.serial(a); },
            [&](const ComputeRoot&) { return whole([&] { return placement.compute({Kind::root, {}}); }); },
            [&](const ComputeInline&) { return whole([&] { return placement.compute({Kind::inlined, {}}); }); },
            [&](const ComputeAt& a) { return whole([&] { return placement.compute({Kind::at, a.level}); }); },
            [&](const StoreRoot&) { return whole([&] { return placement.store({Kind::root, {}}); }); },
            [&](const StoreAt& a) { return whole([&] { return placement.store({Kind::at, a.level}); }); },
            [&](const Bound& a) { return whole([&] { return placement.bound(a.var, a.min, a.extent); }); },
            [&](const BoundExtent& a) { return whole([&] { return placement.bound(a.var, std::nullopt, a.extent); }); },
            [&](const AlignBounds& a) { return whole([&] { return placement.align_bounds(a); }); },
            [&](const ReorderStorage& a) { return whole([&] { return placement.reorder_storage(a); }); },
            [&](const FoldStorage& a) { return whole([&] { return placement.fold_storage(a); }); },
            [&](const AlignStorage& a) { return whole([&] { return placement.align_storage(a); }); },
            [&](const Specialize& a) { return nest.specialize(a); },
            [&](const Atomic& a) { return nest.atomic(a); },
            [&](const RFactor& a) { return apply_rfactor(state, ref, a); },
            [&](const ComputeWith& a) { return begin_compute_with(state, ref, *stage, a); },
            [&](const Async&) { return whole([&] { return placement.async(); }); },
        },
        directive.action);
    if (!done) { return done; }
    state.reorders_float_reductions = state.reorders_float_reductions || nest.reordered_floats();
    ++state.directives;
    return {};
}

std::expected<BrokenRules, UnknownName> check_complete(const ScheduleState& state) {
    BrokenRules broken;
    if (!state.is_followed) { return broken; }
    Levels levels(state);
    for (const TensorState& tensor : state.tensors) {
        if (auto exists = check_tensor(state, tensor, levels, broken); !exists) {
            return std::unexpected(std::move(exists.error()));
        }
    }
    check_groups(state, levels, broken);
    return broken;
}

ScheduleState initial_state(const sare::Algorithm& algorithm, Vocabulary vocabulary) {
    ScheduleState state;
    state.vocabulary = vocabulary;
    state.parameters = std::make_shared<const std::vector<std::string>>(algorithm.parameters);
    for (const sare::Input& input : algorithm.inputs) { state.input_names.push_back(input.name); }
    for (const sare::Function& function : algorithm.functions) {
        TensorState tensor = initial_tensor(find_facts(function));
        tensor.is_output =
            std::ranges::find(algorithm.outputs, function.name, &sare::Output::tensor) != algorithm.outputs.end();
        if (tensor.is_output) { tensor.compute.kind = Placement::Kind::root; }
        state.tensors.push_back(std::move(tensor));
    }
    return state;
}

struct Admission::State : ScheduleState {};

Admission::Admission(const sare::Algorithm& algorithm, Vocabulary vocabulary)
    : state_(std::make_unique<State>(State{initial_state(algorithm, vocabulary)})) {}
Admission::~Admission() = default;
Admission::Admission(const Admission& other) : state_(std::make_unique<State>(*other.state_)) {}
Admission& Admission::operator=(const Admission& other) {
    state_ = std::make_unique<State>(*other.state_);
    return *this;
}
Admission::Admission(Admission&&) noexcept = default;
Admission& Admission::operator=(Admission&&) noexcept = default;

Result<void> Admission::apply(const Directive& directive) {
    auto next = std::make_unique<State>(*state_);
    if (auto done = apply_directive(*next, directive); !done) { return done; }
    if (next->broken.size() > state_->broken.size()) { return fail(next->broken[state_->broken.size()].words); }
    state_ = std::move(next);
    return {};
}

Result<void> Admission::take(const Directive& directive) {
    auto next = std::make_unique<State>(*state_);
    if (auto done = apply_directive(*next, directive); !done) { return done; }
    state_ = std::move(next);
    return {};
}

Result<void> Admission::finish() const {
    const auto broken = check_complete(*state_);
    if (!broken) { return fail(broken.error().words); }
    return broken->empty() ? Result<void>() : fail(broken->front().words);
}

const BrokenRules& Admission::broken_so_far() const { return state_->broken; }

std::expected<BrokenRules, UnknownName> Admission::broken() const {
    auto complete = check_complete(*state_);
    if (!complete) { return complete; }
    BrokenRules all = state_->broken;
    for (BrokenRule& broken : *complete) {
        // A rule may be found once for each use or branch: keep one.
        const bool is_known = std::ranges::any_of(all, [&](const BrokenRule& known) {
            return known.rule == broken.rule && known.directive == broken.directive;
        });
        if (!is_known) { all.push_back(std::move(broken)); }
    }
    std::ranges::stable_sort(all, {}, &BrokenRule::directive);
    return all;
}

std::vector<std::string> Admission::tensors() const {
    std::vector<std::string> names;
    for (const TensorState& tensor : state_->tensors) { names.push_back(tensor.name()); }
    return names;
}

std::vector<StageRef> Admission::stages(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    ENSURE(state != nullptr, "stages of a tensor of the algorithm");
    std::vector<StageRef> refs;
    for (std::size_t s = 0; s < state->stages.size(); ++s) {
        StageRef ref{tensor, std::nullopt, std::nullopt};
        if (s > 0) { ref.update = static_cast<int>(s) - 1; }
        refs.push_back(ref);
        for (std::size_t b = 0; b < state->stages[s].specializations.size(); ++b) {
            ref.specialization = static_cast<int>(b);
            refs.push_back(ref);
        }
    }
    return refs;
}

const StageNest& Admission::nest(const StageRef& stage) const {
    const StageState* state = state_->find(stage);
    ENSURE(state != nullptr, "the nest of a stage that exists");
    return state->nest;
}

std::vector<std::optional<Extent>> Admission::extents(const StageRef& stage) const {
    const TensorState* tensor = state_->find(stage.tensor);
    const StageState* state = state_->find(stage);
    ENSURE(tensor != nullptr && state != nullptr, "the extents of a stage that exists");
    return Extents(*state_).of(*tensor, stage_index(stage), *state);
}

bool Admission::has_fitting_extents(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    ENSURE(state != nullptr, "the extents of a tensor that exists");
    BrokenRules broken;
    check_extents(*state_, *state, broken);
    return broken.empty();
}

std::vector<LoopLevel> Admission::compute_levels(const std::string& tensor) const {
    std::vector<LoopLevel> levels;
    for (const Site& site : Levels(*state_).common_sites(tensor)) {
        if (site.var.empty()) { continue; }
        levels.push_back({StageRef{site.stage.tensor, site.stage.update, std::nullopt}, site.var});
    }
    return levels;
}

std::vector<LoopLevel> Admission::store_levels(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    ENSURE(state != nullptr, "store levels of a tensor of the algorithm");
    std::vector<LoopLevel> levels;
    for (LoopLevel& level : compute_levels(tensor)) {
        TensorState stored = *state;
        stored.store = Placement{Placement::Kind::at, level};
        BrokenRules broken;
        Levels(*state_).check(stored, broken);
        if (broken.empty()) { levels.push_back(std::move(level)); }
    }
    return levels;
}

bool Admission::is_output(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    return state != nullptr && state->is_output;
}

bool Admission::is_inlined(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    return state != nullptr && state->is_inlined();
}

bool Admission::reorders_float_reductions() const { return state_->reorders_float_reductions; }

namespace {

// The last directive after which a level newly names no loop: it sets that level, or removes the loop. The complete
// schedule must have such a level.
std::size_t directive_without_loop(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary) {
    Admission admission(algorithm, vocabulary);
    std::size_t last = 0;
    bool was_known = true;
    for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
        ENSURE(admission.take(schedule.directives[i]).has_value(), "only a level names what does not exist");
        const bool is_known = admission.broken().has_value();
        if (was_known && !is_known) { last = i; }
        was_known = is_known;
    }
    return last;
}

}  // namespace

std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm, const Schedule& schedule,
                                                     Vocabulary vocabulary) {
    Admission admission(algorithm, vocabulary);
    for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
        if (auto done = admission.take(schedule.directives[i]); !done) {
            return std::unexpected(UnknownName{i, std::move(done.error().message)});
        }
    }
    auto broken = admission.broken();
    if (!broken) { broken.error().directive = directive_without_loop(algorithm, schedule, vocabulary); }
    return broken;
}

Result<void> admits(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary) {
    const auto broken = broken_rules(algorithm, schedule, vocabulary);
    if (!broken) { return fail(located(broken.error(), print(schedule.directives[broken.error().directive]))); }
    if (broken->empty()) { return {}; }
    return fail(located({broken->front().directive, broken->front().words},
                        print(schedule.directives[broken->front().directive])));
}

}  // namespace haruspex::schedule::halide
