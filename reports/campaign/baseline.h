#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/campaign/proofs.h"

// The verdicts on all cases of a file (corpus/baseline), kept so that a later campaign of the same cases can be
// compared with them.
namespace haruspex::campaign {

// The judge's verdict on a case.
struct Judged {
    std::string cls;          // "agrees"
    std::string pass, group;  // of findings and faults; empty if there is none
    auto operator<=>(const Judged&) const = default;
};

struct Baseline {
    std::string compiler;    // name and version
    std::string cases_from;  // the digest of the file of cases (CaseFile)
    std::uint64_t first = 0, cases = 0, other_sizes = 0;
    Rows rows;  // the validator's result for each case that was compiled
    // The judge's verdicts, each with its cases. A case without a known verdict is in none of the lists.
    std::map<Judged, std::vector<std::uint64_t>> judged;
    bool operator==(const Baseline&) const = default;
};

// Makes the baseline of a campaign from the summary and the list of cases in its folder. An Error if the campaign is
// not done, has no list of cases (--list), drew its cases, or ran without the validator.
[[nodiscard]] Result<Baseline> baseline_of(const std::filesystem::path& campaign);
// Returns the part of a baseline for the cases [first, first + cases). An Error if the baseline lacks one of them.
[[nodiscard]] Result<Baseline> slice(const Baseline& baseline, std::uint64_t first, std::uint64_t cases);

// Returns `baseline`, with the verdicts of `part` for the cases of `part`. An Error if `baseline` lacks one of these
// cases, or the two differ in compiler, file of cases or number of other sizes.
[[nodiscard]] Result<Baseline> replaced(const Baseline& baseline, const Baseline& part);

std::string to_json(const Baseline& baseline);
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view json, std::string_view file);

struct Comparison {
    // Cases that are now in another row of the validator's table (proofs.h). `better`: more is decided about them.
    // `worse`: less is decided, or the two rows contradict each other. `other`: neither.
    std::uint64_t better = 0, worse = 0, other = 0;
    std::uint64_t judged_otherwise = 0;   // cases with another class or pass
    std::uint64_t grouped_otherwise = 0;  // cases in a group with other cases than before
    std::string table;                    // rows whose number of cases changed, and which cases moved where
    bool is_same() const { return better + worse + other + judged_otherwise + grouped_otherwise == 0; }
};
// Compares two baselines. Groups are compared as partitions of the cases that are in a group in both baselines: the
// names of groups do not matter. An Error if the two differ in their cases, their file of cases or their compiler.
[[nodiscard]] Result<Comparison> compare(const Baseline& before, const Baseline& now);

}  // namespace haruspex::campaign
