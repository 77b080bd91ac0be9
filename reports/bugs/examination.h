#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"
#include "reports/minimize/minimizer.h"

// What becomes of one group of findings, whatever becomes of the others.
namespace haruspex::bugs {

struct Examination {
    std::uint64_t runs = 0;
    std::optional<minimize::Found> best;  // minimised; nothing when the finding does not show again
    minimize::Ending ending = minimize::Ending::fixpoint;
    // Of the symptoms that smaller cases than `best` have, those that it may come of (may_come_of in fingerprint.h),
    // with the smallest case of each; none unless minimisation came to its end.
    std::vector<minimize::Found> beneath;
    bool is_cut = false;  // the budget of all groups ended it before it had its share
};

// How many runs a group may have.
std::uint64_t share_of(const Group& group, const Options& options);

// Minimises the smallest finding, and further to what shows it plainly unless it is one of a known bug, in at most so
// many runs, not 0, and those that `options` grants a group.
[[nodiscard]] Result<Examination> examine_group(const Group& group, const std::vector<Known>& known,
                                                const ExamineFor& examine, const Options& options,
                                                std::uint64_t most_runs);

// One line, with which a process tells another.
std::string to_json(const Result<Examination>& examination);
[[nodiscard]] Result<Examination> parse_examination(const std::string& json);

}  // namespace haruspex::bugs
