#include "reports/render/halide/cpp_schedule.h"

#include "generators/base/ensure.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::render::halide {

using namespace schedule::halide;

ScheduleWriter::StageKey ScheduleWriter::key_of(const StageRef& stage) {
    return {stage.tensor, stage.update ? *stage.update + 1 : 0, stage.specialization.value_or(-1)};
}

void ScheduleWriter::declare_function(const std::string& tensor, const std::string& identifier) {
    functions_[tensor] = identifier;
}

void ScheduleWriter::declare_loops(const std::string& tensor, int definition, const LoopNames& loops) {
    loops_[{tensor, definition, -1}] = loops;
}

std::string ScheduleWriter::write(const Directive& directive) {
    here_ = key_of(directive.stage);
    return std::visit([&](const auto& action) { return statement(directive.stage, action); }, directive.action);
}

std::string ScheduleWriter::function(const std::string& tensor) {
    const auto found = functions_.find(tensor);
    ENSURE(found != functions_.end(), "the schedule names " + tensor + ", which is no function");
    return found->second;
}

std::string ScheduleWriter::stage(const StageRef& ref) {
    if (ref.specialization) {
        const auto found = specializations_.find(key_of(ref));
        ENSURE(found != specializations_.end(), "a specialisation is named after it is made");
        return found->second;
    }
    return ref.update ? function(ref.tensor) + ".update(" + std::to_string(*ref.update) + ")" : function(ref.tensor);
}

LoopName ScheduleWriter::loop(const StageKey& key, const std::string& name) {
    const LoopNames& loops = loops_[key];
    const auto found = loops.find(name);
    return found != loops.end() ? found->second : LoopName{var(name), false};
}

std::string ScheduleWriter::var(const std::string& name) {
    const std::string identifier = identifiers_.of("var " + name, name, "v");
    new_vars_[identifier] = name;
    return identifier;
}

// Introduces a variable of the same kind as those of which it is made.
std::string ScheduleWriter::introduce(const std::string& name, bool is_rvar) {
    std::string identifier;
    if (is_rvar) {
        identifier = identifiers_.of("rvar " + name, name, "r");
        new_rvars_[identifier] = name;
    } else {
        identifier = var(name);
    }
    loops_[here_][name] = {identifier, is_rvar};
    return identifier;
}

// Halide finds a loop by function and variable, in any stage.
std::string ScheduleWriter::level(const LoopLevel& level) {
    const StageKey key{level.stage.tensor, level.stage.update ? *level.stage.update + 1 : 0, -1};
    return function(level.stage.tensor) + ", " + loop(key, level.var).identifier;
}

// The variadic overloads of Halide take at least two variables.
std::string ScheduleWriter::list(const std::vector<std::string>& identifiers) {
    const std::string text = joined(identifiers);
    return identifiers.size() < 2 ? "{" + text + "}" : text;
}

std::string ScheduleWriter::factor_and_tail(std::int64_t factor, Tail tail) {
    const std::string strategy = tail == Tail::automatic ? "" : ", TailStrategy::" + std::string(tail_name(tail));
    return std::to_string(factor) + strategy;
}

std::string ScheduleWriter::statement(const StageRef& s, const Split& a) {
    const LoopName old = loop(here_, a.old_var);
    const std::string outer = introduce(a.outer, old.is_rvar);
    const std::string inner = introduce(a.inner, old.is_rvar);
    return stage(s) + ".split(" + old.identifier + ", " + outer + ", " + inner + ", " +
           factor_and_tail(a.factor, a.tail) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Tile& a) {
    const LoopName x = loop(here_, a.x);
    const LoopName y = loop(here_, a.y);
    const std::string xo = introduce(a.x_outer, x.is_rvar);
    const std::string yo = introduce(a.y_outer, y.is_rvar);
    const std::string xi = introduce(a.x_inner, x.is_rvar);
    const std::string yi = introduce(a.y_inner, y.is_rvar);
    return stage(s) + ".tile(" + list({x.identifier, y.identifier, xo, yo, xi, yi}) + ", " +
           std::to_string(a.x_factor) + ", " + factor_and_tail(a.y_factor, a.tail) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Fuse& a) {
    const LoopName inner = loop(here_, a.inner);
    const LoopName outer = loop(here_, a.outer);
    const std::string fused = introduce(a.fused, inner.is_rvar || outer.is_rvar);
    return stage(s) + ".fuse(" + list({inner.identifier, outer.identifier, fused}) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Reorder& a) {
    std::vector<std::string> order;
    for (const std::string& name : a.vars) { order.push_back(loop(name)); }
    return stage(s) + ".reorder(" + list(order) + ");";
}

template <typename Action>
std::string ScheduleWriter::marked(const char* name, const StageRef& s, const Action& a) {
    const std::string factor = a.factor ? ", " + factor_and_tail(*a.factor, a.tail) : "";
    return stage(s) + "." + name + "(" + loop(a.var) + factor + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Vectorize& a) { return marked("vectorize", s, a); }
std::string ScheduleWriter::statement(const StageRef& s, const Unroll& a) { return marked("unroll", s, a); }
std::string ScheduleWriter::statement(const StageRef& s, const Parallel& a) { return marked("parallel", s, a); }

std::string ScheduleWriter::statement(const StageRef& s, const Serial& a) {
    return stage(s) + ".serial(" + loop(a.var) + ");";
}

std::string ScheduleWriter::loops(const std::vector<std::string>& names) {
    std::vector<std::string> identifiers;
    for (const std::string& name : names) { identifiers.push_back(loop(name)); }
    return joined(identifiers);
}

std::string ScheduleWriter::statement(const StageRef& s, const Partition& a) {
    return stage(s) + ".partition(" + loop(a.var) + ", Partition::" + std::string(partitioning_name(a.policy)) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const NeverPartition& a) {
    return stage(s) + ".never_partition(" + loops(a.vars) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const AlwaysPartition& a) {
    return stage(s) + ".always_partition(" + loops(a.vars) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const NeverPartitionAll&) {
    return stage(s) + ".never_partition_all();";
}

std::string ScheduleWriter::statement(const StageRef& s, const AlwaysPartitionAll&) {
    return stage(s) + ".always_partition_all();";
}

std::string ScheduleWriter::statement(const StageRef& s, const Prefetch& a) {
    const auto input = inputs_.find(a.tensor);
    const std::string fetched = input == inputs_.end() ? function(a.tensor) : input->second;
    const std::string bound = a.bound == FetchBound::guard_with_if
                                  ? ""
                                  : ", PrefetchBoundStrategy::" + std::string(fetch_bound_name(a.bound));
    return stage(s) + ".prefetch(" + fetched + ", " + loop(a.at) + ", " + loop(a.from) + ", " +
           std::to_string(a.offset) + bound + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const ComputeRoot&) {
    return function(s.tensor) + ".compute_root();";
}

std::string ScheduleWriter::statement(const StageRef& s, const ComputeInline&) {
    return function(s.tensor) + ".compute_inline();";
}

std::string ScheduleWriter::statement(const StageRef& s, const ComputeAt& a) {
    return function(s.tensor) + ".compute_at(" + level(a.level) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const StoreRoot&) {
    return function(s.tensor) + ".store_root();";
}

std::string ScheduleWriter::statement(const StageRef& s, const StoreAt& a) {
    return function(s.tensor) + ".store_at(" + level(a.level) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const HoistStorage& a) {
    return function(s.tensor) + ".hoist_storage(" + level(a.level) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const HoistStorageRoot&) {
    return function(s.tensor) + ".hoist_storage_root();";
}

std::string ScheduleWriter::statement(const StageRef& s, const Bound& a) {
    return function(s.tensor) + ".bound(" + var(a.var) + ", " + cpp(a.min, parameters_).text + ", " +
           cpp(a.extent, parameters_).text + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const BoundExtent& a) {
    return function(s.tensor) + ".bound_extent(" + var(a.var) + ", " + cpp(a.extent, parameters_).text + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const AlignBounds& a) {
    return function(s.tensor) + ".align_bounds(" + var(a.var) + ", " + std::to_string(a.modulus) + ", " +
           std::to_string(a.remainder) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const ReorderStorage& a) {
    std::vector<std::string> order;
    for (const std::string& name : a.vars) { order.push_back(var(name)); }
    return function(s.tensor) + ".reorder_storage(" + list(order) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const FoldStorage& a) {
    const std::string direction = a.forward ? "" : ", false";
    return function(s.tensor) + ".fold_storage(" + var(a.var) + ", " + std::to_string(a.factor) + direction + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const AlignStorage& a) {
    return function(s.tensor) + ".align_storage(" + var(a.var) + ", " + std::to_string(a.alignment) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const RingBuffer& a) {
    return function(s.tensor) + ".ring_buffer(" + std::to_string(a.extent) + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Specialize& a) {
    StageKey made = here_;
    std::get<2>(made) = specialization_counts_[here_]++;
    const std::string definition = s.update ? "_update" + std::to_string(*s.update) : "";
    const std::string identifier =
        identifiers_.fresh(function(s.tensor) + definition + "_special" + std::to_string(std::get<2>(made)));
    specializations_[made] = identifier;
    // A specialisation starts from the schedule so far.
    const LoopNames so_far = loops_[here_];
    loops_[made] = so_far;
    return "Stage " + identifier + " = " + stage(s) + ".specialize(" + cpp(a.condition, parameters_).text + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Atomic& a) {
    return stage(s) + ".atomic(" + (a.override_associativity_test ? "true" : "") + ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const RFactor& a) {
    LoopNames update_loops = loops_[here_];
    LoopNames pure_loops = loops_[{s.tensor, 0, -1}];
    std::string preserved;
    for (const auto& [old_name, new_name] : a.preserved) {
        const std::string pure = var(new_name);
        preserved += (preserved.empty() ? "{" : ", {") + loop(old_name) + ", " + pure + "}";
        update_loops.erase(old_name);
        update_loops[new_name] = {pure, false};
        pure_loops[new_name] = {pure, false};
    }
    const std::string original = stage(s);
    const std::string identifier = identifiers_.of("function " + a.intermediate, a.intermediate, "f");
    declare_function(a.intermediate, identifier);
    declare_loops(a.intermediate, 0, pure_loops);
    declare_loops(a.intermediate, 1, update_loops);
    return "Func " + identifier + " = " + original + ".rfactor({" + preserved + "});";
}

std::string ScheduleWriter::statement(const StageRef& s, const ComputeWith& a) {
    const StageKey parent{a.level.stage.tensor, a.level.stage.update ? *a.level.stage.update + 1 : 0, -1};
    const std::string align =
        a.align == Align::automatic ? "" : ", LoopAlignStrategy::" + std::string(align_name(a.align));
    return stage(s) + ".compute_with(" + stage(a.level.stage) + ", " + loop(parent, a.level.var).identifier + align +
           ");";
}

std::string ScheduleWriter::statement(const StageRef& s, const Async&) { return function(s.tensor) + ".async();"; }

}  // namespace haruspex::render::halide
