#include "generators/schedule/halide/admission.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/schedule/halide/apply.h"
#include "generators/schedule/halide/extents.h"
#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/partitioning.h"
#include "generators/schedule/halide/regions.h"
#include "generators/schedule/halide/state.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {

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

std::vector<std::optional<LoopLevel>> Admission::hoist_levels(const std::string& tensor) const {
    const TensorState* state = state_->find(tensor);
    ENSURE(state != nullptr, "hoist levels of a tensor of the algorithm");
    std::vector<std::optional<LoopLevel>> found;
    if (state->is_output || state->store_level().kind != Placement::Kind::at) { return found; }
    const auto is_possible = [&](const Placement& placement) {
        TensorState hoisted = *state;
        hoisted.hoist = placement;
        BrokenRules broken;
        Levels(*state_).check(hoisted, broken);
        return broken.empty() && !(placement == state->store_level());
    };
    if (is_possible({Placement::Kind::root, {}})) { found.emplace_back(std::nullopt); }
    for (const LoopLevel& level : compute_levels(tensor)) {
        if (is_possible({Placement::Kind::at, level})) { found.emplace_back(level); }
    }
    return found;
}

std::vector<std::string> Admission::reads(const StageRef& stage) const {
    const TensorState* tensor = state_->find(stage.tensor);
    ENSURE(tensor != nullptr, "the reads of a stage that exists");
    std::vector<std::string> names;
    for (const TensorAccess& access : tensor->facts->stages[stage_index(stage)].accesses) {
        if (std::ranges::find(names, access.tensor) == names.end()) { names.push_back(access.tensor); }
    }
    return names;
}

std::vector<std::optional<sare::Span>> Admission::required(const std::string& tensor,
                                                           const std::vector<sare::Output>& outputs) const {
    const auto boxes = required_boxes(*state_, outputs);
    const auto box = boxes.find(tensor);
    if (box == boxes.end()) { return {}; }
    std::vector<std::optional<sare::Span>> spans;
    for (const auto& range : box->second) {
        const auto low = range && range->is_exact ? linear_form(range->low) : std::nullopt;
        const auto high = range && range->is_exact ? linear_form(range->high) : std::nullopt;
        if (!low || !high) {
            spans.emplace_back(std::nullopt);
        } else {
            spans.emplace_back(sare::Span{range->low, tidy(range->high - range->low + sare::constant(1))});
        }
    }
    return spans;
}

std::vector<bool> Admission::may_always_be_partitioned(const StageRef& stage) const {
    const TensorState* tensor = state_->find(stage.tensor);
    const StageState* state = state_->find(stage);
    ENSURE(tensor != nullptr && state != nullptr, "the loops of a stage that exists");
    return halide::may_always_be_partitioned(*tensor, *state);
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
