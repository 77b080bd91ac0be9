#pragma once

#include <isl/cpp.h>

// Return the same set, relation or expression in fewer parts, as far as isl finds a way to join parts.
//
// isl's own coalesce is wrong for some parts with divisions: version 0.25 turns { [i] : 0 <= i <= 1 } and { [4k] : 0 <=
// k <= 1 } into a set that also contains 5. Parts with divisions are therefore joined only if the result is shown to
// add no points; otherwise the original parts stay.
namespace haruspex::affine {

isl::set coalesced(const isl::set& set);
isl::map coalesced(const isl::map& map);
isl::union_set coalesced(const isl::union_set& sets);
isl::union_map coalesced(const isl::union_map& maps);
isl::pw_aff coalesced(const isl::pw_aff& expression);

}  // namespace haruspex::affine
