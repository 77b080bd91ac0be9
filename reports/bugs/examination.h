#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/schedule/language.h"
#include "reports/bugs/groups.h"
#include "reports/bugs/known.h"
#include "reports/minimize/minimizer.h"
#include "reports/store/store.h"
#include "reports/triage/pass_order.h"

// The examination of one group of findings. It does not depend on other groups, except by the runs that they leave.
namespace haruspex::bugs {

// Returns a function that judges cases in the way in which the given finding was judged.
using JudgeFor = std::function<session::Judge(const store::Finding&)>;

struct Options {
    JudgeFor glance_for;                // returns minimize::Options::glance for a finding; may be empty
    JudgeFor patient_for;               // judges as minimize::Options::patient does, for a finding; may be empty
    std::uint64_t runs_of_group = 300;  // runs of the pipeline for each minimisation of a group's case (share_of)
    std::uint64_t most_runs = std::numeric_limits<std::uint64_t>::max();  // for all groups together
    int jobs = 1;                                                         // does not influence the outcome
    const schedule::Language* language = nullptr;  // of the compiler that examines; must be given
    triage::PassOrder passes;                      // the order of the compiler's passes
};

struct Examination {
    std::uint64_t runs = 0;
    std::optional<minimize::Found> best;  // minimised; nullopt if the finding does not show again
    minimize::Ending ending = minimize::Ending::fixpoint;
    // If the finding is a program of whole tensors, `best` is one, too, and may need what only that language asks for. This is
    // `best` minimised on without that limit: its features are those that the bug needs.
    std::optional<minimize::Found> freed;
    // The smallest cases of other symptoms that minimisation met, if they are smaller than `best` and their fault may
    // have caused it (may_come_of in fingerprint.h). Empty if `best` shows a known bug or minimisation reached no
    // fixpoint.
    std::vector<minimize::Found> beneath;
    bool is_cut = false;  // the runs that other groups left were spent before the group's share (share_of)
};

// Returns the case by whose fingerprint the bug is compared with others: `freed` if there is one, else `best`, which there
// must be.
const minimize::Found& told_by(const Examination& examination);

// Returns the group's own limit on the runs of its first minimisation: options.runs_of_group, less for a hang.
std::uint64_t share_of(const Group& group, const Options& options);

// Minimises the smallest finding of the group. If the result shows no known bug and is a program of whole tensors, looks for
// what the bug needs (Examination::freed). If that shows no known bug, either, and the symptom is not plain
// (triage::is_plain), minimises the result further, to a plainer symptom (triage::shows_plainly). Takes at most
// `most_runs` runs in all, which must not be 0: at most share_of(group, options) for the first minimisation, and at
// most options.runs_of_group for each other.
[[nodiscard]] Result<Examination> examine_group(const Group& group, const std::vector<Known>& known,
                                                const JudgeFor& judge_for, const Options& options,
                                                std::uint64_t most_runs);

// Convert an examination to one line of JSON, as a worker process sends it, and back.
std::string to_json(const Result<Examination>& examination);
[[nodiscard]] Result<Examination> parse_examination(const std::string& json);

}  // namespace haruspex::bugs
