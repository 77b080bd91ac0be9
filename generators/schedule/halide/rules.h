#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The rules of Halide's documentation for schedules, and who notices a broken one.
//
// Admission (admission.h) draws only schedules that break none of these rules. A person's schedule is given to Halide
// whichever it breaks, so each rule says how to judge a program that breaks it.
namespace haruspex::schedule::halide {

enum class Judgement : std::uint8_t {
    // Halide checks the rule itself: it refuses the schedule when it compiles, or the directive has no effect there. If
    // it accepts a schedule that is refused here, it has proved more than our model does, and every error is Halide's
    // own.
    compiler,
    // The program checks the rule when it runs: refusing to run is documented, and every other error is Halide's own.
    program,
    // The rule is not checked, or not in every case: the program may compute something else than the algorithm says,
    // and no error is Halide's fault.
    nobody,
};

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
    enclosing_level,   // compute_at, store_at
    racing_storage,    // a store level outside a parallel loop
    output_at_root,    //
    plainly_inlined,   // loops, specializations and storage of inlined tensors
    bounds_once,       //
    positive_extent,   // of a bound
    positive_modulus,  // of align_bounds
    storage_order,     // reorder_storage
    certain_fold,      // fold_storage
    positive_fold,     //
    async_consumers,   //
    atomic_storage,    // an atomic parallel stage
    // --- compute_with ---
    shared_loops,       //
    unnoticed_sharing,  // where Halide does not check
};
inline constexpr std::size_t rule_count = 31;

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

// A name in a directive that does not exist.
struct UnknownName {
    std::size_t directive = 0;  // index in the schedule
    std::string words;          // "\"f\": there is no loop over \"q\""
};

}  // namespace haruspex::schedule::halide
