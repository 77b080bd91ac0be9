#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/measure.h"

// A folder of cases that people have written, with a list of rows beside them (corpus/benchmarks).
namespace haruspex::measure {

// Why nobody here runs what is compiled for the target, if so.
using RefusalOfTarget = std::function<std::optional<Error>(const std::string& target)>;

// FOLDER/rows.json is a list of {"row": its name, "case": of the file CASE.json in the folder, "assuming": what else is
// assumed of the sizes, "meant": by which specification it is judged, "sizes": large ones, "effort": so many times the
// budgets of a campaign, "expected": what the validator is expected to say, by the question: "own" for the case's own
// sizes, "large" for the large ones, "all", "because": why that is not a proof}; all but the first two may be absent. A
// case's own sizes that the row does not allow are left out.
//
// Those of these names, all of them when none is given. An Error names the file and what is wrong with it, which may be
// its target.
[[nodiscard]] Result<Series> rows_in(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const std::shared_ptr<const Source>& source, const compiler::Identity& identity,
                                     const RefusalOfTarget& refusal = {});

}  // namespace haruspex::measure
