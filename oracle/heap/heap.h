#pragma once

#include <isl/cpp.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/heap/template.h"

// Symbolic locations, values and heaps (thesis 5.2), as unions of isl's sets and relations. Every variable in scope (a
// parameter, a loop's variable, a lane) is an isl parameter. Exceptions of isl pass through: call inside
// affine::guarded or affine::within.
//
//   Location   { a[i, …] : φ }                  one array cell in each environment (5.2)
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

// h1 ▷ h2 (Def. 5.2.2): h2 wins where both write.
Heap update(const Heap& h1, const Heap& h2);

// R1[x := R2] (Def. 5.2.3), for a relation R2 = { location -> [x] }: by Theorem 5.2.8, i -> j is in the result exactly
// when there is a k with i -> k in R2 and i -> j in R1 at x = k.
Heap substitute(const Heap& r1, const std::string& x, const isl::union_map& r2);

// ▶ over x (Def. 5.2.4): the heap that a loop over x leaves if its iteration x leaves h. `iterations` are the
// environments in which the iteration runs; x is among their parameters. Each location has the value left by the last
// iteration that writes it. The last iterations are not computed if, at each location, all iterations that write it
// leave the same template with the same indices. The result is right only within the context.
Heap iterated_update(const Heap& h, const std::string& x, const isl::set& iterations, const isl::set& context);
// ∪ over x: the same without an order of iterations; not single-valued where they leave different expressions.
Heap iterated_union(const Heap& h, const std::string& x, const isl::set& iterations);
Locations iterated_union(const Locations& locations, const std::string& x, const isl::set& iterations);

// ν: a single-valued result that equals the argument wherever that is single-valued. Elsewhere it keeps one of the
// expressions: the template made first, with its lexicographically smallest indices.
Heap choose(const Heap& heap);
Value choose(const Value& value);
bool is_single_valued(const Heap& heap);
bool is_single_valued(const Value& value);

// Removes the cells of an array.
Heap without(const Heap& heap, const std::string& array);
Locations without(const Locations& locations, const std::string& array);
// Keeps only the cells of one array, or of some.
Heap only(const Heap& heap, const std::string& array);
Heap only(const Heap& heap, const std::set<std::string>& arrays);
// The arrays that have cells in the heap, with their ranks.
std::map<std::string, std::size_t> arrays(const Heap& heap);
// Whether the value of some cell is Unknown or depends on Unknown.
bool mentions_unknown(const Heap& heap, const Templates& templates);

// The environments in which the set is not empty, as a set of parameters. (For a heap, pass its domain.)
isl::set environments(const isl::union_set& set);

// The part of a value that has one template. `pieces` returns the parts in the order in which their templates were
// made.
struct Piece {
    Template expr;
    isl::set environments;           // where the value has this template: a set of parameters
    std::vector<isl::pw_aff> holes;  // over the parameters
};
// The value must be single-valued (choose).
std::vector<Piece> pieces(const Value& value);

// Lifting (5.2): applies an operator to all combinations of its operands' expressions whose environments overlap. With
// two or three operands, each combination is charged by its number of holes (affine::spend), since isl's sets have a
// dimension for each; more than 300 holes throw affine::BudgetSpent.
Value lift(const Value& a, const std::function<Template(Template)>& op);
Value lift(const Value& a, const Value& b, const std::function<Template(Template, Template)>& op);
Value lift(const Value& a, const Value& b, const Value& c,
           const std::function<Template(Template, Template, Template)>& op);

// Prints a heap as in thesis Fig. 5.5, one line for each relation and disjunct, sorted by array, template and text.
//   c[i, j] -> R(i, j, -1 + P) : P > 0 and 0 <= i < N and 0 <= j < M
// An index that is the same expression everywhere is printed in place: c[i, 2j], not c[k, l] : k = i and l = 2j. If a
// disjunct allows several indices in a template, the template's holes have names, which occur in the conditions.
std::string to_string(const Heap& heap, const Templates& templates);
// R(i, j, -1 + P) : P > 0, likewise
std::string to_string(const Value& value, const Templates& templates);
// a[i, k] : 0 <= k < P, likewise
std::string to_string(const Locations& locations);
// Prints a set of parameters: "0 <= k < P"; "true" if there is no condition, "false" if the set is empty.
std::string condition_to_string(const isl::set& environments);
// Prints an expression over parameters: "2i + N"; in isl's notation if it has several pieces.
std::string index_to_string(const isl::pw_aff& index);

}  // namespace haruspex::heap
