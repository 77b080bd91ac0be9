#pragma once

#include <filesystem>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/campaign/summary.h"

namespace haruspex::campaign {

// Joins the campaigns in `folders` into a new folder `out`, which appears complete: database, findings, faults, lists and
// summary are those of one campaign that did the same cases, in whatever order the folders are given. The folders stay
// as they are. Cases that none of them has done are left to whoever goes on with the campaign in `out`.
//
// The campaign begins with the first case of any of them and has as many cases as were asked for in all; shards count
// with all cases of which they are a part. It is listed (Options::list_cases) if one of them is, has a disk quota if all
// have the same one, and does not stop when quiet: each of its cases was asked for.
//
// An Error if a folder has no campaign, or one that a process works on; if two of them differ in a fixed setting other
// than the first case and the shard; if they are not of `compiler` and this version of haruspex; if two have a case in
// common; or if `out` is there.
[[nodiscard]] Result<Summary> merge(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                                    const compiler::Identity& compiler);

}  // namespace haruspex::campaign
