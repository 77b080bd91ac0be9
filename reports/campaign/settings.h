#pragma once

#include <filesystem>
#include <optional>

#include "reports/campaign/options.h"
#include "reports/store/database.h"

// A campaign's options as stored in its folder.
namespace haruspex::campaign {

// Returns the options as they are stored. The fixed settings decide the verdict of a case: seed, first case, oracles,
// limits, and the versions in use (a mutant is part of the compiler's version). The latest settings may change with
// every run: how many cases, when to end, what to list. Time and number of workers belong to one run and are not
// stored.
store::Settings settings_of(const Options& options, const compiler::Identity& compiler,
                            const std::string& cases_digest = {});

// Returns the stored options of the campaign in this folder; nullopt if there is no campaign. Options that are not
// stored have the values of Options{}, except `out`, which is the folder.
[[nodiscard]] Result<std::optional<Options>> stored_options(const std::filesystem::path& folder);

// Returns the options in these stored settings, likewise. An Error if one of them cannot be read.
[[nodiscard]] Result<Options> options_of(const store::Settings& settings, const std::filesystem::path& folder);

}  // namespace haruspex::campaign
