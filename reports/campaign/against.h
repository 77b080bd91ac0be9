#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "reports/campaign/disagreement.h"
#include "reports/campaign/options.h"
#include "reports/session/peer.h"

// A change under review: the cases of a campaign, judged by this build and by another one, and those on which the two
// disagree. This build is the one under review: what it does worse than the peer counts as worse.
namespace haruspex::campaign {

// A case on which the builds disagreed in the same way each time that they judged it.
struct Disagreeing {
    std::uint64_t index = 0;
    cases::Case c;
    Disagreement how = Disagreement::judged_otherwise;
    session::Answer here, there;
};

// A case that one of the builds could not judge, because haruspex itself failed.
struct NotJudged {
    std::uint64_t index = 0;
    std::string reason;
};

struct Against {
    session::Greeting here, there;
    std::uint64_t cases = 0;  // judged by both, in the order of their indices
    std::vector<Disagreeing> disagreeing;
    // Cases on which the builds disagreed at first, and not in the same way when they were judged again.
    std::vector<std::uint64_t> not_repeated;
    std::vector<NotJudged> not_judged;
    bool interrupted = false;  // ended before the cases that were asked for

    std::uint64_t count(Change change) const;
};

struct AgainstProgress {
    std::uint64_t cases = 0, worse = 0, better = 0, other = 0;
    std::chrono::seconds elapsed{0};
};

// Judges the cases by both builds, in `options.jobs` workers with a peer each. Of the options, those of cases, time,
// workers and judging count; nothing is written. `found` is called for each disagreeing case as soon as it is known, in
// the order of indices; its error ends the run. `progress` is called after each case. Call it before any thread is
// started. `stop` may be set asynchronously; the cases under way are then left out, as they are when the time is up. An
// Error if the peer does not start, if only one of the builds observes the lowering that is judged (so that what it alone
// sees would look like a change), or if the file of cases is not one for this compiler.
[[nodiscard]] Result<Against> run_against(
    const session::Peer& peer, const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
    const std::function<Result<void>(const Disagreeing&, const Against& so_far)>& found,
    const std::function<void(const AgainstProgress&)>& progress);

// Files a disagreeing case in `folder` as a finding (store::write_finding), with both answers in here.json and
// there.json. The verdict of the finding is that of the build in which the case fails, of this one if it fails in both
// or in neither.
[[nodiscard]] Result<void> file(const Disagreeing& disagreeing, const Against& builds, const Options& options,
                                const std::string& build_flags, const std::filesystem::path& folder);

// Returns everything as JSON, for programs: {"haruspex_against", "here", "there", "seed" (null if cases are
// not drawn), "first", "cases", "worse", "better", "other", "interrupted", "disagreeing": [{"index", "change", "how",
// "here", "there"}, …], "not_repeated": "3 7-9", "not_judged": [{"index", "reason"}, …]}.
std::string to_json(const Against& against, const Options& options);

}  // namespace haruspex::campaign
