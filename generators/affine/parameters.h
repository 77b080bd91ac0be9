#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <string>
#include <vector>

// Treats parameters of sets and relations as variables that come into scope, are renamed, and leave the scope. Every
// function also accepts a parameter that does not occur.
namespace haruspex::affine {

// Returns { t : φ holds for some value of the parameter }, where φ is the condition of the given set or relation.
isl::set project_out(const isl::set& set, const std::string& parameter);
isl::map project_out(const isl::map& map, const std::string& parameter);
isl::union_set project_out(const isl::union_set& set, const std::string& parameter);
isl::union_map project_out(const isl::union_map& map, const std::string& parameter);

// Returns { t : φ and `definition` hold for some value of the parameter }; the same set if the parameter does not
// occur.
isl::set eliminate(const isl::set& set, const std::string& parameter, const isl::set& definition);
isl::map eliminate(const isl::map& map, const std::string& parameter, const isl::set& definition);
isl::union_set eliminate(const isl::union_set& set, const std::string& parameter, const isl::set& definition);
isl::union_map eliminate(const isl::union_map& map, const std::string& parameter, const isl::set& definition);

// A parameter that has a single value for each choice of the other parameters, and the environments in which it has
// that value.
struct Definition {
    std::string parameter;
    isl::set environments;
};
// Whether one of the environments lies in `context` and satisfies all definitions. A definition must not mention the
// parameter of a later definition. If `context` allows some values of the other parameters, it must allow the values
// that the definitions then give. Unlike eliminate(), tries the cases of the definitions one by one and drops the cases
// that `context` excludes.
bool are_possible(const isl::set& environments, const isl::set& context, const std::vector<Definition>& definitions);

// Renames the parameter; the new name must be unused (ENSURE).
isl::set rename(const isl::set& set, const std::string& from, const std::string& to);
isl::map rename(const isl::map& map, const std::string& from, const std::string& to);
isl::union_set rename(const isl::union_set& set, const std::string& from, const std::string& to);
isl::union_map rename(const isl::union_map& map, const std::string& from, const std::string& to);

// Returns isl's identifier for any name; isl::id's constructor would parse its text as isl syntax.
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

// Returns the same tuple as pieces, cut wherever one of its elements is cut. Use this before several uses of the tuple,
// for each of which isl would otherwise compute the pieces.
isl::pw_multi_aff in_pieces(const isl::multi_pw_aff& tuple);

// The tuple [x, …] of parameters' names, for isl's bind functions.
isl::multi_id tuple_of(isl::ctx ctx, const std::vector<std::string>& parameters);

// Returns { t -> [x] : t in the set at x } for a set that depends on the parameter x.
isl::union_map bind(const isl::union_set& set, const std::string& parameter);

// Returns the names of all parameters of the set's space, constrained or not, in isl's order.
std::vector<std::string> parameters(const isl::set& set);

// Returns the number of basic sets or basic relations in the union.
unsigned disjuncts(const isl::union_set& set);
unsigned disjuncts(const isl::union_map& map);

}  // namespace haruspex::affine
