#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/schedule/rules.h"

// The rules of Halide's documentation for schedules, and who notices a broken one (schedule/rules.h).
//
// A drawn schedule breaks none of these rules (admission.h). A person's schedule is given to Halide whichever rules it
// breaks, so each rule says how to judge a program that breaks it.
namespace haruspex::schedule::halide {

enum class Rule : std::uint8_t {
    // --- one stage's loops ---
    constant_extent,       // unrolled and vectorized loops have constant extents
    dependent_iterations,  // dependent iterations of a recurrence variable are parallel or vectorized only if atomic
    unnoticed_race,        // no dependent iterations run at once; only the cases that Halide does not check
    recurrence_order,      // a reorder keeps the order of recurrence variables that it names
    unnoticed_order,       // recurrence variables keep their order; only the cases that Halide does not check
    false_atomic,          // atomic(true) only for associative updates
    recurrence_tail,       // recurrence variables are split with GuardWithIf or Predicate
    shifted_update,        // no ShiftInwards in updates
    rounded_update,        // no RoundUp of an inner loop of an update
    unread_stores,         // PredicateLoads only for loops that are rounded up beyond a dimension
    blended_race,          // ShiftInwardsAndBlend and RoundUpAndBlend race with nothing
    predicated_split,      // the inner loop of PredicateLoads or PredicateStores is not split
    positive_factor,       // split factors are positive
    distinct_names,        // the loops of a stage have different names
    distinct_loops,        // reorder and fuse name each loop once
    certain_partition,     // partition(…, Always) only of loops that can be partitioned
    enclosing_fetch,       // the loop from which a prefetch counts is around the one where it is
    stored_fetch,          // a prefetch is of an input, or of a tensor stored outside the loop where it is
    distinct_conditions,   // the specializations of a stage have different conditions
    factored_update,       // rfactor only of associative updates, with serial loops and new names
    // --- a tensor ---
    enclosing_level,     // compute level, store level and hoist level enclose all uses
    racing_storage,      // no parallel or vectorized loop between store or hoist level and compute level
    output_at_root,      // outputs are computed, stored and allocated at root
    plainly_inlined,     // inlined tensors have no parallel, vectorized or unrolled loops, no specializations and no
                         // storage
    bounds_once,         // a variable is bounded once
    positive_extent,     // the extent of a bound is positive
    positive_modulus,    // the modulus of align_bounds is positive
    storage_order,       // reorder_storage names two variables or more, each once
    certain_fold,        // a fold is certain to work (folding.h)
    positive_fold,       // fold factors are positive
    positive_alignment,  // the alignment of align_storage is positive
    hoisted_ring,        // ring_buffer() only of storage that is allocated outside its store level
    positive_ring,       // the extent of ring_buffer is positive
    async_consumers,     // async() only for tensors with consumers
    atomic_storage,      // no predicated stores in atomic parallel updates; not computed inside a vectorized loop
    // --- compute_with ---
    shared_loops,       // stages with the same outer loops, independent of each other, without specializations
    unnoticed_sharing,  // such stages are used together, in order, and in all branches; only the cases that Halide does
                        // not check
};
inline constexpr std::size_t rule_count = 37;

using Rules = std::set<Rule>;

std::string_view name(Rule rule);  // "constant_extent", …
Judgement judgement(Rule rule);
// Returns the rule's demand as the end of a sentence: "that a loop that is unrolled has a constant extent".
std::string_view asks(Rule rule);

struct BrokenRule {
    Rule rule;
    std::size_t directive = 0;  // index in the schedule: the directive without which the rule would not be broken
    std::string words;          // the fault: "\"f\": only a loop of constant extent can be unrolled"
    bool operator==(const BrokenRule&) const = default;
};
using BrokenRules = std::vector<BrokenRule>;

Rules rules_in(const BrokenRules& broken);

}  // namespace haruspex::schedule::halide
