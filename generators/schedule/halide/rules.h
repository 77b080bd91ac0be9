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
// Admission (admission.h) draws only schedules that break none of these rules. A person's schedule is given to Halide
// whichever it breaks, so each rule says how to judge a program that breaks it.
namespace haruspex::schedule::halide {

enum class Rule : std::uint8_t {
    // --- one stage's loops ---
    constant_extent,       // of unrolled and vectorized loops
    dependent_iterations,  // parallel or vectorized recurrence variables
    unnoticed_race,        // the same, where Halide does not check
    recurrence_order,      // recurrence variables that a reorder names
    unnoticed_order,       // recurrence variables that change their order, where Halide does not check
    false_atomic,          // atomic(true)
    recurrence_tail,       // tails of splits of recurrence variables
    shifted_update,        // ShiftInwards
    rounded_update,        // RoundUp of an inner loop
    unread_stores,         // PredicateLoads
    blended_race,          // ShiftInwardsAndBlend, RoundUpAndBlend
    predicated_split,      // a split of the inner loop of PredicateLoads or PredicateStores
    positive_factor,       // of a split
    distinct_names,        // of loops
    distinct_loops,        // of reorder and fuse
    distinct_conditions,   // of specializations
    factored_update,       // rfactor
    // --- a tensor ---
    enclosing_level,     // compute_at, store_at
    racing_storage,      // a store level outside a parallel loop
    output_at_root,      //
    plainly_inlined,     // loops, specializations and storage of inlined tensors
    bounds_once,         //
    positive_extent,     // of a bound
    positive_modulus,    // of align_bounds
    storage_order,       // reorder_storage
    certain_fold,        // fold_storage
    positive_fold,       //
    positive_alignment,  // of align_storage
    async_consumers,     //
    atomic_storage,      // an atomic parallel stage
    // --- compute_with ---
    shared_loops,       //
    unnoticed_sharing,  // where Halide does not check
};
inline constexpr std::size_t rule_count = 32;

using Rules = std::set<Rule>;

std::string_view name(Rule rule);  // "constant_extent", …
Judgement judgement(Rule rule);
// The rule's demand, as the end of a sentence: "that a loop that is unrolled has a constant extent".
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
