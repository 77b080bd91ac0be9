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
// The smallest finding of each group is minimised. The groups are ordered so that a budget reaches every symptom: for
// each symptom the group with the smallest finding, then for each symptom the group with the second smallest, and so
// on. A race, an access out of bounds or an overflow that is not a known bug (known.h) is minimised further, to a wrong
// value if possible (triage::shows_plainly). A minimised case is the first of these that applies:
//   - a case of a known bug,
//   - another case of a bug whose minimised case is smaller (is_another in fingerprint.h),
//   - a consequence of such a bug in later passes, if minimisation met a smaller case of that bug,
//   - a bug of its own.
// A case on which haruspex itself fails is reported as new, whatever the budget. A finding that the budget does not
// reach is counted with a known bug that covers it (unless that bug is marked as fixed), else with the first bug that
// goes wrong in the same pass; if there is none, the finding is new. If the budget of all groups cut the minimisation
// of a case short (Examination::is_cut) and the case would be a bug of its own, it is counted with the first bug that
// goes wrong in the same pass, if there is one.
namespace haruspex::bugs {

// The states of a bug, the most important first.
enum class BugState : std::uint8_t {
    regressed,   // a known bug that is marked as fixed
    confirmed,   // its minimised case shows it again
    unexamined,  // "new": the budget was spent, or haruspex itself failed on the case
    known,       // a known bug that is open
    documented,  // a known bug that is not the compiler's fault
    gone,        // does not show when it is judged again
};
inline constexpr int bug_state_count = 6;
std::string_view name(BugState state);  // "regressed", "confirmed", "new", …
// Whether a reader should look at the bug: regressed, confirmed, new.
bool is_reported(BugState state);

struct Bug {
    BugState state = BugState::unexamined;
    minimize::Found smallest;  // minimised; as filed if no case of the bug was minimised
    std::string group;         // the group of `smallest`
    std::uint64_t groups = 0, cases = 0;
    std::uint64_t unexamined = 0;  // further cases that the budget did not reach and that are counted with this bug
    std::uint64_t own_faults = 0;  // of `cases`, those that the campaign took for faults of haruspex itself
    // Symptoms in later passes that are consequences of this bug: minimisation of a case with such a symptom met a
    // smaller case of this bug.
    std::set<triage::Symptom> consequences;
    std::string known;      // the name of the known bug, if this is one
    std::string resembles;  // for a reported bug: the name of a known bug that is similar (find_similar), if any
    std::string failure;    // for a new bug: how haruspex itself failed to examine it, if it did
};

// Called with each group after its examination, in order: its number, from 1, and how many groups are to be examined.
using Listener = std::function<void(std::size_t number, std::size_t count, const Group& group)>;

// Returns the distinct bugs, sorted by state and then by size, the smallest first.
[[nodiscard]] Result<std::vector<Bug>> find_bugs(
    std::vector<Group> groups, const std::vector<Known>& known, const JudgeFor& judge_for, const Options& options,
    const Listener& listener = [](std::size_t, std::size_t, const Group&) {});

}  // namespace haruspex::bugs
