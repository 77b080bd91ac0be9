#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <string>
#include <vector>

// Parameters of sets and relations as variables that come into scope, are renamed, and leave it. For isl::set,
// isl::map, isl::union_set and isl::union_map. Any function also accepts a parameter that does not occur.
namespace haruspex::affine {

// { t : there is a value of the parameter such that φ }
isl::set project_out(const isl::set& set, const std::string& parameter);
isl::map project_out(const isl::map& map, const std::string& parameter);
isl::union_set project_out(const isl::union_set& set, const std::string& parameter);
isl::union_map project_out(const isl::union_map& map, const std::string& parameter);

// { t : φ and the definition hold for a value of the parameter }; the same set if the parameter does not occur.
isl::set eliminate(const isl::set& set, const std::string& parameter, const isl::set& definition);
isl::map eliminate(const isl::map& map, const std::string& parameter, const isl::set& definition);
isl::union_set eliminate(const isl::union_set& set, const std::string& parameter, const isl::set& definition);
isl::union_map eliminate(const isl::union_map& map, const std::string& parameter, const isl::set& definition);

// A parameter that has one value in each environment of the others, and the environments in which it has this value.
struct Definition {
    std::string parameter;
    isl::set environments;
};
// Whether some of the environments are in the context and satisfy all definitions. A definition must not mention the
// parameter of a later one. Wherever the context allows the other parameters, it must allow the values of the defined
// ones. Unlike elimination, this tries the cases one by one and drops those that the context excludes.
bool are_possible(const isl::set& environments, const isl::set& context, const std::vector<Definition>& definitions);

// Renames the parameter; the new name must be unused (ENSURE).
isl::set rename(const isl::set& set, const std::string& from, const std::string& to);
isl::map rename(const isl::map& map, const std::string& from, const std::string& to);
isl::union_set rename(const isl::union_set& set, const std::string& from, const std::string& to);
isl::union_map rename(const isl::union_map& map, const std::string& from, const std::string& to);

// isl's identifier for any name; isl::id's constructor would parse its text as isl syntax.
isl::id identifier(isl::ctx ctx, const std::string& name);

// The parameter as an expression: [x] -> { [(x)] }
isl::pw_aff parameter(isl::ctx ctx, const std::string& name);

// A number as an expression over no variables: { [(n)] }
isl::pw_aff constant(isl::ctx ctx, std::int64_t n);
// All environments: the set of parameters without a condition.
isl::set everywhere(isl::ctx ctx);
// No environment.
isl::set nowhere(isl::ctx ctx);
// The tuple { [(x_0), (x_1), …] } of expressions over the parameters.
isl::multi_pw_aff tuple(isl::ctx ctx, const std::vector<isl::pw_aff>& elements);

// The same tuple as pieces, cut wherever one of its elements is; without this isl recomputes it for each use.
isl::pw_multi_aff in_pieces(const isl::multi_pw_aff& tuple);

// The tuple [x, …] of parameters' names, for isl's bind functions.
isl::multi_id tuple_of(isl::ctx ctx, const std::vector<std::string>& parameters);

// λx of a set that depends on the parameter x: { t -> [x] : t in the set at x }.
isl::union_map bind(const isl::union_set& set, const std::string& parameter);

// The names of the parameters that a set has, constrained or not, in isl's order.
std::vector<std::string> parameters(const isl::set& set);

// The number of basic sets or relations in the union.
unsigned disjuncts(const isl::union_set& set);
unsigned disjuncts(const isl::union_map& map);

}  // namespace haruspex::affine
