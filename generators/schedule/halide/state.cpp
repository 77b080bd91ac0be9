#include "generators/schedule/halide/state.h"

#include <algorithm>

#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {

TensorState* ScheduleState::find(const std::string& tensor) {
    const auto found = std::ranges::find_if(tensors, [&](const TensorState& t) { return t.name() == tensor; });
    return found == tensors.end() ? nullptr : &*found;
}

const TensorState* ScheduleState::find(const std::string& tensor) const {
    return const_cast<ScheduleState*>(this)->find(tensor);
}

StageState* ScheduleState::find(const StageRef& stage) {
    TensorState* tensor = find(stage.tensor);
    if (tensor == nullptr || (stage.update && *stage.update < 0)) { return nullptr; }
    const std::size_t index = stage_index(stage);
    if (index >= tensor->stages.size()) { return nullptr; }
    StageState* found = &tensor->stages[index];
    if (!stage.specialization) { return found; }
    const auto branch = static_cast<std::size_t>(*stage.specialization);
    return branch < found->specializations.size() ? &found->specializations[branch] : nullptr;
}

const StageState* ScheduleState::find(const StageRef& stage) const {
    return const_cast<ScheduleState*>(this)->find(stage);
}

StageState initial_stage(const Facts& facts, std::size_t index) {
    StageState stage;
    const StageFacts& known = facts.stages[index];
    if (index > 0) {
        for (const sare::RecurrenceVariable& rvar : facts.function.updates[index - 1].over) {
            stage.nest.loops.push_back({.var = rvar.name,
                                        .kind = LoopKind::serial,
                                        .is_rvar = true,
                                        .reorder_safe = known.rvar_is_pure.at(rvar.name),
                                        .extent = constant_value(rvar.extent),
                                        .path = rvar.name});
        }
    }
    for (const std::string& variable : known.pure_variables) {
        stage.nest.loops.push_back({.var = variable, .extent = std::nullopt, .path = variable});
    }
    return stage;
}

TensorState initial_tensor(std::shared_ptr<const Facts> facts) {
    TensorState tensor;
    for (std::size_t i = 0; i < facts->stages.size(); ++i) { tensor.stages.push_back(initial_stage(*facts, i)); }
    tensor.facts = std::move(facts);
    return tensor;
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

void ScheduleState::breaks(Rule rule, const StageRef& stage, const std::string& words) {
    broken.push_back({rule, directives, said_of(stage, words)});
}

std::string said_of(const StageRef& stage, const std::string& words) { return "\"" + print(stage) + "\": " + words; }

std::unexpected<Error> refuse(const StageRef& stage, const std::string& words) { return fail(said_of(stage, words)); }

std::optional<Reader> only_reader(const ScheduleState& state, const std::string& tensor, OwnReads own_reads) {
    std::optional<Reader> reader;
    for (const TensorState& other : state.tensors) {
        if (own_reads == OwnReads::do_not_count && other.name() == tensor) { continue; }
        for (std::size_t s = 0; s < other.stages.size(); ++s) {
            const auto& accesses = other.facts->stages[s].accesses;
            if (std::ranges::find(accesses, tensor, &TensorAccess::tensor) == accesses.end()) { continue; }
            if (reader) { return std::nullopt; }
            reader = Reader{&other, s};
        }
    }
    return reader;
}

}  // namespace haruspex::schedule::halide
