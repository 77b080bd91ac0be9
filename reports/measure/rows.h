#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/measure.h"

// Reads a folder of hand-written cases with a list of rows (corpus/benchmarks).
namespace haruspex::measure {

// Why this machine cannot run code for the target, if so.
using RefusalOfTarget = std::function<std::optional<Error>(const std::string& target)>;

// FOLDER/rows.json is a list of objects; all keys but the first two are optional:
//   "row"        its name
//   "case"       CASE: the case is in the folder's file CASE.json
//   "assuming"   a further assumption on the sizes
//   "meant"      the file of the specification by which the program is judged, if not the compiled one
//   "sizes"      large sizes
//   "effort"     multiplies a campaign's budgets
//   "published"  results that the thesis publishes
//   "expected"   expected outcomes, by method and then by question: "own" for the case's own sizes, "large" for the
//                large ones, "all"
//   "because"    why the expected outcome is not a proof
// If the row does not allow a case's own sizes, they are left out.
//
// Returns the rows with these names, or all if `names` is empty. An Error names the file and what is wrong with it, for
// example an unsupported target.
[[nodiscard]] Result<Series> rows_in(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const std::shared_ptr<const Source>& source, const compiler::Identity& identity,
                                     const RefusalOfTarget& refusal = {});

}  // namespace haruspex::measure
