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

// The examination of one group of findings; it does not depend on other groups.
namespace haruspex::bugs {

// Returns the function that judges cases in the way this finding was judged.
using ExamineFor = std::function<minimize::Examine(const store::Finding&)>;

struct Options {
    ExamineFor glance_for;              // minimize::Options::glance for a finding; may be empty
    std::uint64_t runs_of_group = 300;  // runs of the pipeline to minimise one group's case
    std::uint64_t most_runs = std::numeric_limits<std::uint64_t>::max();  // in all
    int jobs = 1;                                                         // does not influence the outcome
    const schedule::Language* language = nullptr;  // of the compiler that examines; must be given
    triage::PassOrder passes;                      // the compiler's
};

struct Examination {
    std::uint64_t runs = 0;
    std::optional<minimize::Found> best;  // minimised; nullopt if the finding does not show again
    minimize::Ending ending = minimize::Ending::fixpoint;
    // Symptoms of cases smaller than `best` whose faults may have caused it (may_come_of in fingerprint.h), each with
    // its smallest case; empty unless minimisation reached a fixpoint.
    std::vector<minimize::Found> beneath;
    bool is_cut = false;  // the budget of all groups ended it before its share was spent
};

// Returns the number of runs that a group may have.
std::uint64_t share_of(const Group& group, const Options& options);

// Minimises the smallest finding. Unless it is one of a known bug, minimises it further to a plainer symptom. Takes at
// most `most_runs` runs in all (not 0), and for each of the two at most the runs that `options` grants a group.
[[nodiscard]] Result<Examination> examine_group(const Group& group, const std::vector<Known>& known,
                                                const ExamineFor& examine, const Options& options,
                                                std::uint64_t most_runs);

// One line of JSON, as a worker process sends it.
std::string to_json(const Result<Examination>& examination);
[[nodiscard]] Result<Examination> parse_examination(const std::string& json);

}  // namespace haruspex::bugs
