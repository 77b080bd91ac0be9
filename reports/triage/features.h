#pragma once

#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/schedule/language.h"

// The features of a case, as names. Their counts show whether a campaign covers whole languages or only a corner.
//
//   directive:NAME …     and other names that the schedule's language gives (schedule/language.h)
//   type:u8 …             of inputs, tensors, casts and literals
//   op:+  op:unary -  select:value  select:affine  cast  embed  guard  reduce:sum …
//   access:point          every index is the variable of that position
//   access:stencil        a variable plus a constant
//   access:diagonal       two variables in one index, or one variable in two indices
//   access:reversed       a variable with a negative factor
//   access:strided        a variable with a factor beyond 1
//   access:divided  access:modulo  access:clamped  access:select
//                         floor division, %, min or max, select in an index
//   access:broadcast      a variable of the definition occurs in no index
//   access:transposed     the definition's variables in another order
//   access:self           reads the tensor that is being defined
//   access:input  access:tensor
//   update  update:predicate  update:two-rvars  tuple  rank:2 …
//   strict_float  special_values  not_compared
//   form:…                how features are joined (forms.h, and the schedule's language)
namespace haruspex::triage {

std::set<std::string> features(const cases::Case& c);
// Returns the features that a case of this language can have; of ranks, those up to 4.
std::set<std::string> all_features(const schedule::Language& language);
// Whether the feature says how a cell is read, that is, begins with "access:".
bool is_access(const std::string& feature);

}  // namespace haruspex::triage
