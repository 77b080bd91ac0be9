#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/known.h"
#include "reports/minimize/minimizer.h"
#include "reports/store/store.h"

// The distinct bugs among the findings of a campaign.
//
// The smallest finding of each group is minimised: first the smallest group of each symptom, then the second of each,
// and so on, so that a budget reaches every symptom. When it is none of a known bug (known.h), what shows a race, an
// access out of bounds or an overflow is minimised further, to a wrong value if it can be one (triage::shows_plainly).
// It is one of a known bug, or another one of a bug whose minimised case is smaller (fingerprint.h), or what later
// passes make of such a bug, which what is left of the case without some of its elements has; or a bug of its own. A
// case that haruspex itself fails on is new, whatever the budget. What the budget does not reach, or leaves before a
// group has had its share, is counted with a known bug that covers it, or else with the first bug that goes wrong in
// the same pass; what goes wrong in a pass that no bug has is new, one for each symptom.
namespace haruspex::bugs {

// Findings that look alike as they were filed (reports/triage/signature.h), and the smallest of them.
struct Group {
    std::string name;
    std::uint64_t cases = 0;
    store::Finding smallest;
};

// The groups of findings in a campaign's folder, by name, and then those of the faults of haruspex itself. An Error
// when one cannot be read, or a finding is not the image of a Halide algorithm.
[[nodiscard]] Result<std::vector<Group>> groups_in(const std::filesystem::path& campaign);

// What has become of a bug so far, what matters most first.
enum class BugState : std::uint8_t {
    regressed,   // one of a known bug that is said to be mended
    confirmed,   // shown again, in its minimised case
    fresh,       // "new": filed, and not looked at since; the budget was spent
    known,       // one of a known bug
    documented,  // one of a known bug that is none of the compiler's
    fixed,       // not shown again
};
inline constexpr int state_count = 6;
std::string_view name(BugState state);  // "regressed", "confirmed", "new", …
// Whether somebody should look at it: regressed, confirmed, new.
bool is_reported(BugState state);

struct Bug {
    BugState state = BugState::fresh;
    minimize::Found smallest;  // minimised, unless it is new or fixed: then the finding as it was filed
    std::string group;         // whose case that is
    std::uint64_t groups = 0, cases = 0;
    std::uint64_t unexamined = 0;  // other cases that go wrong in the same pass, and that the budget did not reach
    std::uint64_t own_faults = 0;  // of the cases, those that the campaign took for faults of haruspex itself
    // What later passes make of it, of cases that would do without what those need: other symptoms than the one above.
    std::set<triage::Symptom> consequences;
    std::string known;      // the known bug's name
    std::string resembles;  // of one that is reported, a known bug that has the same symptom and directives
    std::string failure;    // of a new one, how haruspex itself failed to examine it
};

// What the pipeline says of cases like this finding.
using ExamineFor = std::function<minimize::Examine(const store::Finding&)>;

struct Options {
    ExamineFor glance_for;              // minimize::Options::glance; empty where a finding has none
    std::uint64_t runs_of_group = 300;  // of the pipeline, to minimise one group's case
    std::uint64_t most_runs = std::numeric_limits<std::uint64_t>::max();  // in all
    int jobs = 1;                                                         // without influence on the outcome
    schedule::halide::Vocabulary vocabulary;
    triage::PassOrder passes;  // the compiler's
};

// Called with each group when it has been minimised, in order.
using Listener = std::function<void(std::size_t number, const Group& group)>;

// By state; among those of one state the smallest first.
[[nodiscard]] Result<std::vector<Bug>> find_bugs(
    std::vector<Group> groups, const std::vector<Known>& known, const ExamineFor& examine, const Options& options,
    const Listener& listener = [](std::size_t, const Group&) {});

}  // namespace haruspex::bugs
