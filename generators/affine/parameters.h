#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <string>
#include <vector>

// Parameters of sets and relations as variables that come into scope, are renamed, and leave it. For isl::set,
// isl::map, isl::union_set and isl::union_map. A parameter that does not occur may always be given.
namespace haruspex::affine {

// { t : there is a value of the parameter such that φ }
isl::set project_out(const isl::set& set, const std::string& parameter);
isl::map project_out(const isl::map& map, const std::string& parameter);
isl::union_set project_out(const isl::union_set& set, const std::string& parameter);
isl::union_map project_out(const isl::union_map& map, const std::string& parameter);

// { t : φ and the definition hold for a value of the parameter }; the same set where the parameter does not occur.
isl::set eliminate(const isl::set& set, const std::string& parameter, const isl::set& definition);
isl::map eliminate(const isl::map& map, const std::string& parameter, const isl::set& definition);
isl::union_set eliminate(const isl::union_set& set, const std::string& parameter, const isl::set& definition);
isl::union_map eliminate(const isl::union_map& map, const std::string& parameter, const isl::set& definition);

// A parameter that has one value in each environment of the others: the environments in which it has that.
struct Definition {
    std::string parameter;
    isl::set environments;
};
// Whether some of the environments are in the context and among those of all definitions. A definition speaks of no
// parameter of a later one; wherever the context allows the other parameters, it allows the defined ones their values.
// Unlike elimination it tries the cases one by one, and gives up those that the context excludes.
bool are_possible(const isl::set& environments, const isl::set& context, const std::vector<Definition>& definitions);

// With another name for the parameter; nothing may have that name yet (ENSURE).
isl::set rename(const isl::set& set, const std::string& from, const std::string& to);
isl::map rename(const isl::map& map, const std::string& from, const std::string& to);
isl::union_set rename(const isl::union_set& set, const std::string& from, const std::string& to);
isl::union_map rename(const isl::union_map& map, const std::string& from, const std::string& to);

// isl's identifier of any name; isl::id's constructor reads its text as isl's syntax.
isl::id identifier(isl::ctx ctx, const std::string& name);

// The parameter as an expression: [x] -> { [(x)] }
isl::pw_aff parameter(isl::ctx ctx, const std::string& name);

// A number as an expression over no variables: { [(n)] }
isl::pw_aff constant(isl::ctx ctx, std::int64_t n);
// All environments: the set of parameters without a condition.
isl::set everywhere(isl::ctx ctx);
// None of them.
isl::set nowhere(isl::ctx ctx);
// { [(x_0), (x_1), …] } of expressions over the parameters
isl::multi_pw_aff tuple(isl::ctx ctx, const std::vector<isl::pw_aff>& elements);

// The same tuple, cut where one of its elements is; isl makes it again for each use otherwise.
isl::pw_multi_aff in_pieces(const isl::multi_pw_aff& tuple);

// The tuple [x, …] of parameters' names, for isl's bind functions.
isl::multi_id tuple_of(isl::ctx ctx, const std::vector<std::string>& parameters);

// λx of a set that depends on the parameter: { t -> [x] : t in the set at x }.
isl::union_map bind(const isl::union_set& set, const std::string& parameter);

// The names of the parameters that a set has, constrained or not, in isl's order.
std::vector<std::string> parameters(const isl::set& set);

// How many basic sets or relations it is a union of.
unsigned disjuncts(const isl::union_set& set);
unsigned disjuncts(const isl::union_map& map);

}  // namespace haruspex::affine
