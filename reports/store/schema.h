#pragma once

#include <filesystem>

#include "reports/store/sqlite.h"

// Private to reports/store: the tables of campaign.sqlite, and the migration of older ones.
//
//   campaign       one row: the index of the first case, the first index that no run took, the target of the cases
//   settings       name, value, and whether the setting is fixed
//   runs           each process that worked on the campaign, and for how many seconds
//   ranges         the indices that a run has taken and not done yet: [first, past)
//   cases          index, class, verdict (verdict_json.h), number of directives, outcome for prophecies, and for a
//                  rejected case the reason without details
//   findings       findings and faults of haruspex: index, group, folder below the campaign's (empty if not filed), and
//                  the bytes that the folder takes or would take; 0 for a case that killed its worker and left nothing
//   features, case_features   names of features, and the features of each case
//   stages, times             names of stages, and the seconds that each case spent in them
namespace haruspex::store {

// Kept in the database as PRAGMA user_version.
inline constexpr int schema_version = 3;

// Creates the tables, or migrates those of an older version, in one transaction. Throws sqlite::Failure, also if the
// database is of a newer version or not a campaign's.
void migrate(sqlite::Connection& connection);
// Opens the database to read it. One with older tables is copied and migrated in memory. Throws as migrate().
sqlite::Connection read_only(const std::filesystem::path& file);

}  // namespace haruspex::store
