#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/size.h"
#include "reports/session/judge.h"
#include "reports/triage/symptom.h"

// Structure-aware reduction of a case while its finding stays the same.
//
// A candidate is taken if it is strictly smaller (size.h), and either still shows the finding (Options::shows) or
// locates its fault where the present case does not (triage::locates). So minimisation ends, and the result still has
// the finding and is not larger than the original. A smaller case with another symptom is never followed; it is a
// finding of its own. The passes take turns until each has had a turn since the last case was taken, so the result is a
// fixpoint. The outcome depends only on the case, the verdicts on its candidates, and the budget.
namespace haruspex::minimize {

struct Found {
    cases::Case c;
    verdict::Verdict verdict;
    triage::Symptom symptom;
};

// Returns the verdict on a case that was found, by a look that waits longer.
using LookLonger = std::function<verdict::Verdict(const Found& found)>;

// Whether a candidate with the symptom `found` is taken. `sought` is the symptom of the case; after a candidate is
// taken, `sought` has its interval and trouble.
using Shows = std::function<bool(const triage::Symptom& found, const triage::Symptom& sought)>;

struct Options {
    // If set, judges the candidates in place of `judge`, and gives up sooner on those that hang. Then `patient`, or `judge`
    // if that is not set, judges the result. If that does not show the finding, minimisation is done again with `judge`.
    session::Judge glance;
    // If set, `judge` gives up soon on a case that takes long, and this one decides: a case that came to a limit of time
    // counts as a hang only if it does here, too. Asked of the case itself and of the result, if they came to a limit. A
    // candidate that came to one and does not show the finding is not kept among Minimised::others.
    LookLonger patient;
    // The verdict on the case, if it is a hang for which enough time was spent before: `patient` is not asked again.
    std::optional<verdict::Verdict> waited_for;
    Shows shows = [](const auto& found, const auto& sought) { return triage::still_shows(found, sought); };
    bool keeps_whole_tensors = true;  // a program of whole tensors stays one (requirements.h)
    std::uint64_t most_runs = 3000;   // limit on runs of the pipeline, including the first examination of the case
    int jobs = 1;                     // worker processes; does not influence the outcome
    const schedule::Language* language = nullptr;  // the language of the compiler that examines; must be given
};

enum class Ending : std::uint8_t {
    fixpoint,      // no pass proposes a smaller case with the finding
    budget_spent,  // most_runs were made before a fixpoint was reached
};

struct PassFigures {
    std::uint64_t runs = 0, taken = 0;
    std::array<std::uint64_t, turn_count> turns{};  // by Turn
};

struct Minimised {
    Found best;
    Ending ending = Ending::fixpoint;
    std::uint64_t runs = 0;
    // Runs of other jobs on candidates after one that was taken; a single job would not have made them.
    std::uint64_t surplus_runs = 0;
    std::vector<Found> others;  // the smallest case of every other symptom that was met, in order of the symptoms
    std::vector<PassFigures> figures;  // one for each pass, in the order of Reducer::passes
};

struct Progress {
    std::uint64_t runs = 0;
    std::string_view pass;
};

struct Listener {
    // Called with the original case, and with each smaller case that is taken. An Error ends the minimisation.
    std::function<Result<void>(const Found&)> better = [](const Found&) { return Result<void>(); };
    // Called after each run.
    std::function<void(const Progress&)> progress = [](const Progress&) {};
};

// Minimises a case. Returns nullopt if the case has no finding. An Error if its SARE was not made from an algorithm
// (sare::unstage), if no process can be started, or if the listener returns one. Throws InternalError if the pipeline
// itself fails on the case.
[[nodiscard]] Result<std::optional<Minimised>> minimize(const cases::Case& c, const session::Judge& judge,
                                                        const Options& options, const Listener& listener = {});

}  // namespace haruspex::minimize
