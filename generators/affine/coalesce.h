#pragma once

#include <isl/cpp.h>

// The same sets and expressions in fewer parts, where isl finds them.
//
// isl's own coalesce is not to be trusted where some parts have divisions: version 0.25 makes of
// { [i] : 0 <= i <= 1 } and { [4k] : 0 <= k <= 1 } a set that also has 5. Here what it makes has no more points than
// before, or the parts stay as they are.
namespace haruspex::affine {

isl::set coalesced(const isl::set& set);
isl::map coalesced(const isl::map& map);
isl::union_set coalesced(const isl::union_set& sets);
isl::union_map coalesced(const isl::union_map& maps);
isl::pw_aff coalesced(const isl::pw_aff& expression);

}  // namespace haruspex::affine
