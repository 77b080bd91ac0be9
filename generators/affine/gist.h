#pragma once

#include <isl/cpp.h>

// Simplifies a set, relation or expression for a set `context` that is known to hold: within `context` the result
// equals the original, outside it the result is arbitrary.
//
// isl's own gist writes beyond its memory if a part and the context contradict each other by inequalities between more
// than two variables (isl 0.25: the context is rationally empty on the part's equalities). So the parts that the
// context rules out are removed first. No other code in this tree calls isl's gist.
namespace haruspex::affine {

// All arguments are in one space.
isl::set gist(const isl::set& set, const isl::set& context);
isl::pw_aff gist(const isl::pw_aff& expression, const isl::set& context);
isl::multi_pw_aff gist(const isl::multi_pw_aff& tuple, const isl::set& context);

// `context` is a set of parameters.
isl::union_set gist_params(const isl::union_set& set, const isl::set& context);
isl::union_map gist_params(const isl::union_map& map, const isl::set& context);

// Removes the pieces that `where` rules out; a single remaining piece also loses its condition. The expression must
// have a value everywhere in `where`. There the result equals the expression; elsewhere it is arbitrary. Cheaper than
// gist().
isl::pw_aff narrowed(const isl::pw_aff& expression, const isl::set& where);

}  // namespace haruspex::affine
