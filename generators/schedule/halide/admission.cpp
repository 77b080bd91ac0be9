#include "generators/schedule/halide/admission.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/schedule/halide/groups.h"
#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/nest.h"
#include "generators/schedule/halide/placement.h"
#include "generators/schedule/halide/rfactor.h"
#include "generators/schedule/halide/state.h"
#include "generators/schedule/text.h"

namespace haruspex::schedule::halide {

Result<void> apply_directive(ScheduleState& state, const Directive& directive) {
    const StageRef& ref = directive.stage;
    TensorState* tensor = state.find(ref.tensor);
    if (tensor == nullptr) { return fail("there is no tensor \"" + ref.tensor + "\" to schedule"); }
    StageState* stage = state.find(ref);
    if (stage == nullptr) { return fail("there is no stage \"" + print(ref) + "\""); }

    NestDirectives nest(state, ref, *tensor, *stage);
    PlacementDirectives placement(state, ref, *tensor);
    // Where a tensor is computed, its bounds and its storage belong to the whole tensor.
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

Result<void> check_complete(const ScheduleState& state) {
    Levels levels(state);
    for (const TensorState& tensor : state.tensors) {
        if (auto legal = check_tensor(state, tensor, levels); !legal) { return legal; }
    }
    return check_groups(state, levels);
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
    state_ = std::move(next);
    return {};
}

Result<void> Admission::finish() const { return check_complete(*state_); }

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
        if (Levels(*state_).check(stored)) { levels.push_back(std::move(level)); }
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

Result<void> admits(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary) {
    Admission admission(algorithm, vocabulary);
    for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
        if (auto done = admission.apply(schedule.directives[i]); !done) {
            Error error = std::move(done.error());
            error.message =
                "directive " + std::to_string(i + 1) + ", " + print(schedule.directives[i]) + ": " + error.message;
            return fail(std::move(error));
        }
    }
    return admission.finish();
}

}  // namespace haruspex::schedule::halide
