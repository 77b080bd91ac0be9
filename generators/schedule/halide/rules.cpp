#include "generators/schedule/halide/rules.h"

#include <algorithm>
#include <array>

#include "generators/base/ensure.h"

namespace haruspex::schedule::halide {
namespace {

struct RuleFacts {
    Rule rule;
    std::string_view name;
    Judgement judgement;
    std::string_view asks;
};

constexpr std::array<RuleFacts, rule_count> all_rules{{
    // UnrollLoops.cpp, VectorizeLoops.cpp: "Can only vectorize loops over a constant extent > 1".
    {Rule::constant_extent, "constant_extent", Judgement::compiler,
     "that a loop that is unrolled has a constant extent, and one that is vectorized a constant extent above 1"},
    // Stage::set_dim_type asks can_parallelize_rvar (ParallelRVar.cpp), which refutes that two iterations touch one
    // cell. A loop that it accepts is proved.
    {Rule::dependent_iterations, "dependent_iterations", Judgement::compiler,
     "that a recurrence variable whose iterations depend on each other is parallel or vectorized only under atomic()"},
    // Stage::fuse does not check again, rfactor keeps the knowledge of the update before, and for a tuple
    // prove_associativity describes its last component.
    {Rule::unnoticed_race, "unnoticed_race", Judgement::nobody,
     "that no loop runs iterations at once that depend on each other"},
    // Stage::reorder checks each pair of loops that the call names.
    {Rule::recurrence_order, "recurrence_order", Judgement::compiler,
     "that recurrence variables change their order only where the update is associative and commutative"},
    {Rule::unnoticed_order, "unnoticed_order", Judgement::nobody,
     "that recurrence variables change their order only where the update is associative and commutative"},
    {Rule::false_atomic, "false_atomic", Judgement::nobody,
     "that atomic(true) is said only of an update that is associative"},
    // Stage::split.
    {Rule::recurrence_tail, "recurrence_tail", Judgement::compiler,
     "that a recurrence variable is split with GuardWithIf or Predicate"},
    {Rule::shifted_update, "shifted_update", Judgement::compiler, "that an update is not split with ShiftInwards"},
    {Rule::rounded_update, "rounded_update", Judgement::compiler,
     "that an inner loop of an update is not split with RoundUp"},
    {Rule::unread_stores, "unread_stores", Judgement::nobody,
     "that PredicateLoads splits only what is rounded up beyond the end of a dimension"},
    {Rule::blended_race, "blended_race", Judgement::nobody,
     "that a blending tail splits a whole dimension, over which nothing runs at once"},
    // build_loop_nest in ScheduleFunctions.cpp.
    {Rule::predicated_split, "predicated_split", Judgement::compiler,
     "that PredicateLoads and PredicateStores are of innermost splits"},
    // ApplySplit.cpp: "Split factors must be strictly positive"; but Halide first asks whether the factor divides a
    // known extent, and 0 divides every extent there.
    {Rule::positive_factor, "positive_factor", Judgement::nobody, "that a split factor is positive"},
    // A fuse accepts an existing name, and so does a split whose two loops get the old loop's name; later directives
    // then refer to one of the loops, or to all.
    {Rule::distinct_names, "distinct_names", Judgement::nobody, "that the loops of a stage have names of their own"},
    {Rule::distinct_loops, "distinct_loops", Judgement::compiler, "that a call names each loop once"},
    // PartitionLoops.cpp: "no loop partitioning was performed". Halide 19 throws that from a destructor.
    {Rule::certain_partition, "certain_partition", Judgement::compiler,
     "that a loop that is always to be partitioned is the outer one of a guarded split"},
    // Prefetch.cpp.
    {Rule::enclosing_fetch, "enclosing_fetch", Judgement::compiler,
     "that the loop from which a prefetch counts is around the one in which it is"},
    {Rule::stored_fetch, "stored_fetch", Judgement::compiler,
     "that a prefetch is of an input, or of a tensor that is stored outside the loop in which it is"},
    // Halide takes the second for the first; our model does not.
    {Rule::distinct_conditions, "distinct_conditions", Judgement::nobody,
     "that the specializations of a stage have conditions of their own"},
    // If a component of an update does not read its old value, Halide only warns.
    {Rule::factored_update, "factored_update", Judgement::nobody,
     "that rfactor is of an associative update with serial loops and new names"},
    // validate_schedule in ScheduleFunctions.cpp; it checks the kinds of loops at one use only.
    {Rule::enclosing_level, "enclosing_level", Judgement::compiler,
     "that a tensor is computed, stored and allocated at loops around all of its uses"},
    {Rule::racing_storage, "racing_storage", Judgement::nobody,
     "that no parallel or vectorized loop stands between the level where a tensor is stored or allocated and that "
     "where it is computed"},
    {Rule::output_at_root, "output_at_root", Judgement::compiler, "that an output is computed and stored at root"},
    // validate_schedule_inlined_function in Inline.cpp; async() has no effect there.
    {Rule::plainly_inlined, "plainly_inlined", Judgement::compiler,
     "that what is computed inline has no loops to mark, no specializations and no storage"},
    {Rule::bounds_once, "bounds_once", Judgement::nobody, "that a variable is bounded once"},
    // At run time the program asserts that the required region lies inside the bounds.
    {Rule::positive_extent, "positive_extent", Judgement::program, "that the extent of a bound is positive"},
    {Rule::positive_modulus, "positive_modulus", Judgement::nobody, "that the modulus of align_bounds is positive"},
    {Rule::storage_order, "storage_order", Judgement::compiler,
     "that reorder_storage names two variables or more, each once"},
    // StorageFolding.cpp: "halide_error_bad_fold", "halide_error_fold_factor_too_small".
    {Rule::certain_fold, "certain_fold", Judgement::program,
     "that storage is folded where the tensor is read in order, and holds what is read at once"},
    {Rule::positive_fold, "positive_fold", Judgement::nobody, "that a fold factor is positive"},
    // StorageFlattening.cpp divides by it: storage that is aligned to 0 is empty.
    {Rule::positive_alignment, "positive_alignment", Judgement::nobody,
     "that the alignment of align_storage is positive"},
    // Checked in validate_schedule, but not where a tensor with updates is computed innermost.
    {Rule::hoisted_ring, "hoisted_ring", Judgement::nobody,
     "that storage with copies is allocated outside the level where it is stored"},
    {Rule::positive_ring, "positive_ring", Judgement::nobody, "that the extent of ring_buffer is positive"},
    {Rule::async_consumers, "async_consumers", Judgement::compiler, "that async() is of a tensor with consumers"},
    {Rule::atomic_storage, "atomic_storage", Judgement::compiler,
     "that an atomic parallel update has no predicated stores and is not computed inside a vectorized loop"},
    // RealizationOrder.cpp, validate_fused_group_schedule in ScheduleFunctions.cpp.
    {Rule::shared_loops, "shared_loops", Judgement::compiler,
     "that stages that are computed together are independent, have the same outer loops and no specializations"},
    {Rule::unnoticed_sharing, "unnoticed_sharing", Judgement::nobody,
     "that stages that are computed together are used together, in order, and in all branches"},
}};

const RuleFacts& facts(Rule rule) {
    const RuleFacts& found = all_rules[static_cast<std::size_t>(rule)];
    ENSURE(found.rule == rule, "the table of rules is in their order");
    return found;
}

}  // namespace

std::string_view name(Rule rule) { return facts(rule).name; }
Judgement judgement(Rule rule) { return facts(rule).judgement; }
std::string_view asks(Rule rule) { return facts(rule).asks; }

Rules rules_in(const BrokenRules& broken) {
    Rules rules;
    for (const BrokenRule& one : broken) { rules.insert(one.rule); }
    return rules;
}

}  // namespace haruspex::schedule::halide
