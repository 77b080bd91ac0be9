#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

// Return name and version of the compiler in these stored settings, as one text and apart; empty if they have none.
std::string compiler_text(const store::Settings& settings);
compiler::Identity compiler_of(const store::Settings& settings);
// Where a campaign's cases come from: "seed 7", or the file.
std::string source_of_cases(const Options& options);

// Returns the stored options of the campaign in this folder; nullopt if there is no campaign. Options that are not
// stored have the values of Options{}, except `out`, which is the folder.
[[nodiscard]] Result<std::optional<Options>> stored_options(const std::filesystem::path& folder);

// Returns the options in these stored settings, likewise. An Error if one of them cannot be read.
[[nodiscard]] Result<Options> options_of(const store::Settings& settings, const std::filesystem::path& folder);

// A campaign that is only read, beside processes that work on it.
struct Opened {
    store::Database database;
    store::Settings settings;
    Options options;
};
// An Error if the folder holds no campaign; one that was killed before it began counts as absent.
[[nodiscard]] Result<Opened> open_to_read(const std::filesystem::path& folder);

}  // namespace haruspex::campaign
