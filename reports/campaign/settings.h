#pragma once

#include <filesystem>
#include <optional>

#include "reports/campaign/options.h"
#include "reports/store/database.h"

// A campaign's options as stored in its folder.
namespace haruspex::campaign {

// The fixed settings decide the verdict of a case: seed, first case, oracles and limits, and the versions in use (a
// mutant is part of the compiler's). The latest settings are those that every run may change: how many cases, when to
// end, what to list. Time and number of workers belong to one run and are not kept.
store::Settings settings_of(const Options& options, const compiler::Identity& compiler,
                            const std::string& cases_digest = {});

// Returns the fixed and latest options of the campaign in this folder; nullopt if there is none. Options that are not
// kept have the values of Options{}.
[[nodiscard]] Result<std::optional<Options>> stored_options(const std::filesystem::path& folder);

}  // namespace haruspex::campaign
