#pragma once

#include "reports/store/sqlite.h"

// Private to reports/store: the tables of campaign.sqlite, and how older ones become these.
//
//   campaign       one row: the index of the first case, the first that no run has taken, the target of the cases
//   settings       what the campaign was begun with: name, value, whether it must stay so
//   runs           each process that worked on it, with the seconds that it did
//   ranges         the indices that a run has taken and not done yet: [first, past), in order
//   cases          index, class, verdict (verdict_json.h), number of directives, what became of the prophecies, and of
//                  what was rejected the reason without particulars
//   findings       findings and faults of haruspex: index, group, folder below the campaign's or nothing, and what it
//                  takes on disk or would take; 0 bytes of a case that killed its worker and left nothing to file
//   features, case_features   names, and which occur in which case
//   stages, times             names, and the seconds that each case spent there
namespace haruspex::store {

// Kept in the database as PRAGMA user_version.
inline constexpr int schema_version = 2;

// Makes the tables, or brings those of an older version up to date, in one transaction: it is done or not begun. Throws
// sqlite::Failure, also when the database is of a newer version or not a campaign's.
void migrate(sqlite::Connection& connection);

}  // namespace haruspex::store
