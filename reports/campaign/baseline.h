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

// The verdict of every case of a file of cases (corpus/baseline), kept so that a later campaign of the same cases can
// be held against it.
namespace haruspex::campaign {

// What the judge says of a case.
struct Judged {
    std::string cls;          // "agrees"
    std::string pass, group;  // of findings and faults; empty when there is none
    auto operator<=>(const Judged&) const = default;
};

struct Baseline {
    std::string compiler;    // "halide 14.0.0"
    std::string cases_from;  // the digest of the file of cases (CaseFile)
    std::uint64_t first = 0, cases = 0, other_sizes = 0;
    Rows rows;  // what the validator makes of each case that was compiled
    // What the judge says, and of which cases. A case may be missing: nothing is known of it.
    std::map<Judged, std::vector<std::uint64_t>> judged;
    bool operator==(const Baseline&) const = default;
};

// Of the campaign in a folder. An Error when it is not done, has no list of its cases (--list), drew them, or was
// without the validator.
[[nodiscard]] Result<Baseline> baseline_of(const std::filesystem::path& campaign);
// What the cases [first, first + cases) of it alone would be. An Error when they are not all of them its own.
[[nodiscard]] Result<Baseline> slice(const Baseline& baseline, std::uint64_t first, std::uint64_t cases);

// It with another campaign's verdicts for that one's cases. An Error when these are not all of them its own, or the two
// differ in anything else.
[[nodiscard]] Result<Baseline> replaced(const Baseline& baseline, const Baseline& part);

std::string to_json(const Baseline& baseline);
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view json, std::string_view file);

struct Comparison {
    std::uint64_t better = 0, worse = 0, other = 0;  // cases in another row, by whether more is decided of them
    std::uint64_t judged_otherwise = 0;              // cases with another class or pass
    std::uint64_t grouped_otherwise = 0;             // cases that share a group with others than before
    std::string table;                               // rows of another length, and from what to what
    bool is_same() const { return better + worse + other + judged_otherwise + grouped_otherwise == 0; }
};
// Groups are compared as a partition of those cases that both have in a group: their names do not matter. An Error when
// the two are of other cases, or of another compiler.
[[nodiscard]] Result<Comparison> compare(const Baseline& before, const Baseline& now);

}  // namespace haruspex::campaign
