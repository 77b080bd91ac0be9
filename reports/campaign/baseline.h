#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "reports/campaign/proofs.h"

// What the validator makes of every case of a campaign, kept so that a later campaign of the same cases can be held
// against it (corpus/baseline.json).
namespace haruspex::campaign {

struct Baseline {
    std::string compiler;  // "halide 14.0.0"
    std::uint64_t seed = 0, first = 0, cases = 0, other_sizes = 0;
    // A digest of the cases: they are others when the seed is, or when they are drawn in another way.
    std::string drawn;
    Rows rows;
    bool operator==(const Baseline&) const = default;
};

// Of the campaign in a folder, whose cases are drawn again. An Error when it is not done, or was without the validator.
[[nodiscard]] Result<Baseline> baseline_of(const std::filesystem::path& campaign);
// What the cases [first, first + cases) of it alone would be. An Error when they are not all of them its own.
[[nodiscard]] Result<Baseline> slice(const Baseline& baseline, std::uint64_t first, std::uint64_t cases);
// What both together would be. An Error when the second does not begin where the first ends, or they differ in anything
// else.
[[nodiscard]] Result<Baseline> joined(const Baseline& baseline, const Baseline& next);

// It with another campaign's rows for that one's cases. An Error when these are not all of them its own, or the two
// differ in anything else.
[[nodiscard]] Result<Baseline> replaced(const Baseline& baseline, const Baseline& part);

std::string to_json(const Baseline& baseline);
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view json, std::string_view file);

struct Comparison {
    std::uint64_t better = 0, worse = 0, other = 0;  // cases in another row, by whether more is decided of them
    std::string table;                               // rows of another length, and from which row to which
};
// An Error when they are of other cases, or of another compiler.
[[nodiscard]] Result<Comparison> compare(const Baseline& before, const Baseline& now);

}  // namespace haruspex::campaign
