#pragma once

#include "reports/campaign/options.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

// Writes the lists of cases below `past` into the campaign's folder, a line of JSON for each: rejected.jsonl,
// faults.jsonl if there are any, and cases.jsonl if it is requested. Lists of an earlier run are replaced.
[[nodiscard]] Result<void> write_lists(const Options& options, const store::Database& database, std::uint64_t past);

}  // namespace haruspex::campaign
