#pragma once

#include <filesystem>
#include <optional>

#include "reports/campaign/campaign.h"
#include "reports/store/database.h"

// A campaign's options as its folder keeps them.
namespace haruspex::campaign {

// Fixed is what decides the verdict of a case: of the options seed, first case, oracles and limits, and the versions in
// use (a mutant is part of the compiler's). The latest is what was asked for beyond that, which every run may ask anew:
// how many cases, when to end, what to list. Time and number of workers are a run's own and not kept.
store::Settings settings_of(const Options& options, const compiler::Identity& compiler,
                            const std::string& cases_digest = {});

// What the campaign in this folder was begun with and last asked for; nothing when there is none. What is not kept is
// as in Options{}.
[[nodiscard]] Result<std::optional<Options>> stored_options(const std::filesystem::path& folder);

}  // namespace haruspex::campaign
