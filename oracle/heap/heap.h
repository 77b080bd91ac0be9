#pragma once

#include <isl/cpp.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/heap/template.h"

// Symbolic locations, values and heaps (thesis 5.2), as unions of isl's sets and relations. All variables in scope, of
// the program's parameters, loops and lanes, are isl parameters. Exceptions of isl pass through: call inside
// affine::guarded or affine::within.
//
//   Location   { a[i, …] : φ }                  array cells; a single one in each environment (5.2)
//   Value      { E[j, …] : φ }                  templates with the affine indices in their holes
//   Heap       { a[i, …] -> E[j, …] : φ }       a location in no relation is not written
//   Locations  like Location, any number of cells
namespace haruspex::heap {

using Location = isl::union_set;
using Locations = isl::union_set;
using Value = isl::union_set;
using Heap = isl::union_map;

Heap empty_heap(isl::ctx ctx);
Locations no_locations(isl::ctx ctx);

// { a[indices] }, on the environments where all indices are defined.
Location location(isl::ctx ctx, const std::string& array, const std::vector<isl::pw_aff>& indices);
// { E[holes] }
Value value(isl::ctx ctx, Template expr, const std::vector<isl::pw_aff>& holes);

// ĥ(ℓ̂): the value at a location; empty where it is not written.
Value apply(const Heap& heap, const Location& location);
Locations domain(const Heap& heap);

// h1 ▷ h2 (Def. 5.2.2): where both write, h2 does.
Heap update(const Heap& h1, const Heap& h2);

// R1[x := R2] (Def. 5.2.3), for a relation R2 = { location -> [x] }: by Theorem 5.2.8, i -> j is in it exactly when
// there is a k with i -> k in R2 and i -> j in R1 at x = k.
Heap substitute(const Heap& r1, const std::string& x, const isl::union_map& r2);

// ▶ over x (Def. 5.2.4): what a loop over x leaves whose iteration x leaves h; `iterations` are the environments in
// which the iteration runs, x among their parameters. Each location has what its last iteration left. When all
// iterations that write a location leave the same template with the same indices there, no last one has to be found.
// Only what it is within the context means anything.
Heap iterated_update(const Heap& h, const std::string& x, const isl::set& iterations, const isl::set& context);
// ∪ over x: the same without an order, not single-valued where iterations leave different expressions.
Heap iterated_union(const Heap& h, const std::string& x, const isl::set& iterations);
Locations iterated_union(const Locations& locations, const std::string& x, const isl::set& iterations);

// ν: single-valued, and equal to what is given wherever that is; elsewhere one of the expressions (the template made
// first, its lexicographically smallest indices).
Heap choose(const Heap& heap);
Value choose(const Value& value);
bool is_single_valued(const Heap& heap);
bool is_single_valued(const Value& value);

// Without the cells of an array.
Heap without(const Heap& heap, const std::string& array);
Locations without(const Locations& locations, const std::string& array);
// The cells of some arrays only.
Heap only(const Heap& heap, const std::string& array);
Heap only(const Heap& heap, const std::set<std::string>& arrays);
// The arrays of which it has cells, with their ranks.
std::map<std::string, std::size_t> arrays(const Heap& heap);
// Whether a cell's value is, or depends on, one of which nothing is prophesied.
bool mentions_unknown(const Heap& heap, const Templates& templates);

// Where it is not empty: a set of parameters. (Of a heap: of its domain.)
isl::set environments(const isl::union_set& set);

// A value's or heap's parts by template, the templates in the order in which they were made.
struct Piece {
    Template expr;
    isl::set environments;           // where the value is this one: a set of parameters
    std::vector<isl::pw_aff> holes;  // over the parameters
};
// The value is single-valued; see choose.
std::vector<Piece> pieces(const Value& value);

// Lifting (5.2): an operator on all combinations of its operands' expressions, where their environments meet. Paid for
// by the holes (affine::spend), of which there may be 300: isl's sets have a dimension for each.
Value lift(const Value& a, const std::function<Template(Template)>& op);
Value lift(const Value& a, const Value& b, const std::function<Template(Template, Template)>& op);
Value lift(const Value& a, const Value& b, const Value& c,
           const std::function<Template(Template, Template, Template)>& op);

// As in thesis Fig. 5.5, a line for each relation and disjunct: by array, template and text.
//   c[i, j] -> R(i, j, -1 + P) : P > 0 and 0 <= i < N and 0 <= j < M
// An index that is the same expression everywhere stands in its place: c[i, 2j], not c[k, l] : k = i and l = 2j. Where
// a disjunct leaves several indices in a template, the names of its holes stand among its conditions.
std::string to_string(const Heap& heap, const Templates& templates);
// R(i, j, -1 + P) : P > 0, likewise
std::string to_string(const Value& value, const Templates& templates);
// a[i, k] : 0 <= k < P, likewise
std::string to_string(const Locations& locations);
// 0 <= k < P, of a set of parameters; "true" where there is no condition, "false" where it never holds.
std::string condition_to_string(const isl::set& environments);
// 2i + N, of an expression over parameters; in isl's notation where it has several pieces.
std::string index_to_string(const isl::pw_aff& index);

}  // namespace haruspex::heap
