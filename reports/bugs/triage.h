#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/examination.h"
#include "reports/bugs/groups.h"
#include "reports/bugs/known.h"
#include "reports/minimize/minimizer.h"

// The distinct bugs among the findings of a campaign.
//
// The smallest finding of each group is minimised: first the smallest group of each symptom, then the second smallest
// of each, and so on, so that a budget reaches every symptom. Unless it is one of a known bug (known.h), a race, an
// access out of bounds or an overflow is minimised further, to a wrong value if possible (triage::shows_plainly).
// A minimised case is
//   - one of a known bug,
//   - or another case of a bug whose minimised case is smaller (fingerprint.h),
//   - or a consequence of such a bug in later passes, if minimisation met a smaller case of that bug,
//   - or a bug of its own.
// A case on which haruspex itself fails is new, whatever the budget. A finding that the budget does not reach is
// counted with a known bug that covers it (unless that is fixed), else with the first bug that goes wrong in the same
// pass; if there is none, it is new. A case that was cut short before its group's share was spent, and that is like no
// bug above, is counted with the first bug that goes wrong in the same pass; if there is none, it is a bug of its own.
namespace haruspex::bugs {

// The state of a bug, the most important first.
enum class BugState : std::uint8_t {
    regressed,   // a known bug that is marked as fixed
    confirmed,   // its minimised case shows it again
    fresh,       // "new": filed and not examined; the budget was spent, or haruspex itself failed on it
    known,       // a known bug
    documented,  // a known bug that is not the compiler's
    fixed,       // does not show again
};
inline constexpr int bug_state_count = 6;
std::string_view name(BugState state);  // "regressed", "confirmed", "new", …
// Whether a reader should look at the bug: regressed, confirmed, new.
bool is_reported(BugState state);

struct Bug {
    BugState state = BugState::fresh;
    minimize::Found smallest;  // minimised; the finding as filed if no case of the bug was minimised
    std::string group;         // the group of that case
    std::uint64_t groups = 0, cases = 0;
    std::uint64_t unexamined = 0;  // other cases that go wrong in the same pass and that the budget did not reach
    std::uint64_t own_faults = 0;  // the cases that the campaign took for faults of haruspex itself
    // Other symptoms, which later passes make of this bug: minimising a case of each met a smaller case of this bug.
    std::set<triage::Symptom> consequences;
    std::string known;      // the known bug's name
    std::string resembles;  // for a reported bug: a known bug with the same symptom and directives, or that covers it
    std::string failure;    // for a new bug: how haruspex itself failed to examine it
};

// Called with each group after it was minimised, in order.
using Listener = std::function<void(std::size_t number, const Group& group)>;

// Returns the bugs sorted by state, then by size, the smallest first.
[[nodiscard]] Result<std::vector<Bug>> find_bugs(
    std::vector<Group> groups, const std::vector<Known>& known, const ExamineFor& examine, const Options& options,
    const Listener& listener = [](std::size_t, const Group&) {});

}  // namespace haruspex::bugs
