#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What Halide's documentation asks of a schedule, and who notices when it is not so.
//
// Admission (admission.h) decides what is drawn: a schedule that breaks none of these. What a person wrote is put to
// Halide whatever it breaks, so that each rule says what a program is worth of which it is broken.
namespace haruspex::schedule::halide {

enum class Judgement : std::uint8_t {
    // Halide checks the rule itself and refuses the schedule when it compiles, or the directive has no effect there.
    // Where it takes one that is refused here, it has proved more than our model does: all that goes wrong is its own.
    compiler,
    // The program checks it when it runs: that it refuses to run is documented, and all else that goes wrong is
    // Halide's own.
    program,
    // Nobody checks it, or not in every case: the program may compute something else than the algorithm says, and
    // nothing that goes wrong is Halide's fault.
    nobody,
};

enum class Rule : std::uint8_t {
    // --- one stage's loops ---
    constant_extent,       // of what is unrolled or vectorized
    dependent_iterations,  // parallel or vectorized recurrence variables
    unnoticed_race,        // the same where Halide does not look
    recurrence_order,      // recurrence variables that a reorder names
    unnoticed_order,       // recurrence variables that change their order where Halide does not look
    false_atomic,          // atomic(true)
    recurrence_tail,       // tails of splits of recurrence variables
    shifted_update,        // ShiftInwards
    rounded_update,        // RoundUp of an inner loop
    unread_stores,         // PredicateLoads
    blended_race,          // ShiftInwardsAndBlend, RoundUpAndBlend
    predicated_split,      // a split of what PredicateLoads or PredicateStores made
    positive_factor,       // of a split
    distinct_names,        // of loops
    distinct_loops,        // of reorder and fuse
    distinct_conditions,   // of specializations
    factored_update,       // rfactor
    // --- a tensor ---
    enclosing_level,   // compute_at, store_at
    racing_storage,    // a store level outside of a parallel loop
    output_at_root,    //
    plainly_inlined,   // loops, specializations and storage of what is computed inline
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
    unnoticed_sharing,  // where Halide does not look
};
inline constexpr std::size_t rule_count = 31;

using Rules = std::set<Rule>;

std::string_view name(Rule rule);  // "constant_extent", …
Judgement judgement(Rule rule);
// What the rule asks, as the end of a sentence: "that a loop that is unrolled has a constant extent".
std::string_view asks(Rule rule);

struct BrokenRule {
    Rule rule;
    std::size_t directive = 0;  // index in the schedule: the one without which it would not be broken
    std::string words;          // what is wrong there: "\"f\": only a loop of constant extent can be unrolled"
    bool operator==(const BrokenRule&) const = default;
};
using BrokenRules = std::vector<BrokenRule>;

Rules rules_in(const BrokenRules& broken);

// What a directive names, and what does not exist.
struct UnknownName {
    std::size_t directive = 0;  // index in the schedule
    std::string words;          // "\"f\": there is no loop over \"q\""
};

}  // namespace haruspex::schedule::halide
