#pragma once

#include <isl/cpp.h>

// What is left to be said of an object where a context is known to hold: in the context it is the same object, and
// outside it anything. isl's own gist writes beyond its memory when a part of the object and the context contradict
// each other by inequalities between more than two variables (isl 0.25: context rationally empty on the part's
// equalities); so the parts that the context rules out are taken away first. Nothing else in this tree calls isl's.
namespace haruspex::affine {

// In one space.
isl::set gist(const isl::set& set, const isl::set& context);
isl::pw_aff gist(const isl::pw_aff& expression, const isl::set& context);
isl::multi_pw_aff gist(const isl::multi_pw_aff& tuple, const isl::set& context);

// In a context that is a set of parameters.
isl::union_set gist_params(const isl::union_set& set, const isl::set& context);
isl::union_map gist_params(const isl::union_map& map, const isl::set& context);

// Of an expression that has a value everywhere in the set, the pieces that the set does not rule out; the condition of
// a single one goes. In the set it is the same expression, and outside it anything: less work than a gist.
isl::pw_aff narrowed(const isl::pw_aff& expression, const isl::set& where);

}  // namespace haruspex::affine
