#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/size.h"
#include "reports/minimize/trial.h"
#include "reports/triage/symptom.h"

// Structure-aware reduction of a case while its finding stays the same.
//
// A candidate is taken when it is strictly smaller (size.h) and still shows the finding (Options::shows), or tells
// where it goes wrong when that could not be known (triage::locates). So it ends, and what comes out still has the
// finding and is no larger than what went in. A smaller case of another symptom is never followed; it is a finding of
// its own. The passes take turns until each has had one since the last case was taken: what comes out is a fixpoint.
// The outcome depends on the case, what is said of its candidates, and the budget.
namespace haruspex::minimize {

struct Found {
    cases::Case c;
    verdict::Verdict verdict;
    triage::Symptom symptom;
};

struct Options {
    // What candidates are examined by, where that is not `examine` itself: sooner done with what does not come to its
    // end. `examine` has the last word on what comes out; when it does not say the same of it, all is examined by that.
    Examine glance;
    // Whether a candidate of the symptom `found` is taken, where `sought` is that of the case; once one is taken that
    // goes wrong in a narrower interval or shows another trouble, what is sought has these.
    std::function<bool(const triage::Symptom& found, const triage::Symptom& sought)> shows =
        [](const auto& found, const auto& sought) { return triage::still_shows(found, sought); };
    std::uint64_t most_runs = 3000;  // of the pipeline, the first examination of the case included
    int jobs = 1;                    // worker processes; without influence on the outcome
    schedule::halide::Vocabulary vocabulary;
};

enum class Ending : std::uint8_t {
    fixpoint,      // nothing that any pass proposes is smaller and has the finding
    budget_spent,  // most_runs were made before that
};

struct PassFigures {
    std::uint64_t runs = 0, taken = 0;
    std::array<std::uint64_t, turn_count> turns{};  // by Turn
};

struct Minimised {
    Found best;
    Ending ending = Ending::fixpoint;
    std::uint64_t runs = 0;
    // Made by other jobs behind a case that was taken: a sequential minimiser would not have made them.
    std::uint64_t surplus_runs = 0;
    std::vector<Found> others;  // of every other symptom that was met the smallest case, in order of the symptoms
    std::vector<PassFigures> figures;  // one for each pass
};

struct Progress {
    std::uint64_t runs = 0;
    std::string_view pass;
};

struct Listener {
    // Called with the case itself, and with each better one when it is found; an Error ends the minimisation.
    std::function<Result<void>(const Found&)> better = [](const Found&) { return Result<void>(); };
    // Called after each run.
    std::function<void(const Progress&)> progress = [](const Progress&) {};
};

// Nothing when the case has no finding. An Error when its SARE is not the image of a Halide algorithm, when no process
// can be started, or what the listener answers.
// When the pipeline itself fails on the case, InternalError.
[[nodiscard]] Result<std::optional<Minimised>> minimize(const cases::Case& c, const Examine& examine,
                                                        const Options& options, const Listener& listener = {});

}  // namespace haruspex::minimize
