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

// Returns why this machine cannot run code for the target; nullopt if it can.
using RefusalOfTarget = std::function<std::optional<Error>(const std::string& target)>;

// FOLDER/rows.json is a list of objects; all keys but the first two are optional:
//   "row"        the row's name
//   "case"       CASE: the case is in the folder's file CASE.json
//   "assuming"   a further assumption on the sizes
//   "meant"      a file with the specification by which the program is judged, if it is not the case's own
//   "sizes"      large sizes, for the question about them
//   "effort"     multiplies a campaign's budgets
//   "published"  results that the thesis publishes
//   "expected"   expected outcomes, by method and then by question: "own", "large" or "all"
//   "because"    why the expected outcome is not a proof
// The question about the case's own sizes is left out if "assuming" excludes these sizes.
//
// Returns the rows with these names, or all if `names` is empty. An Error names the file and says what is wrong with
// it, for example an unsupported target.
[[nodiscard]] Result<Series> rows_in(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const std::shared_ptr<const Source>& source, const compiler::Identity& identity,
                                     const RefusalOfTarget& refusal = {});

}  // namespace haruspex::measure
