#pragma once

#include "reports/campaign/options.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

// Writes the lists of the cases below `past` into the campaign's folder, with a line of JSON for each case:
// rejected.jsonl, faults.jsonl if there are faults, and cases.jsonl if requested. Replaces the lists of an earlier run.
[[nodiscard]] Result<void> write_lists(const Options& options, const store::Database& database, std::uint64_t past);

}  // namespace haruspex::campaign
