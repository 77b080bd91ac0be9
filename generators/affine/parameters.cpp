#include "generators/affine/parameters.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include "generators/affine/emptiness.h"
#include "generators/base/ensure.h"

namespace haruspex::affine {
namespace {

isl::union_set rebuilt(const isl::union_set& set, const std::function<isl::set(const isl::set&)>& change) {
    isl::union_set result = isl::set::empty(isl::space::unit(set.ctx())).to_union_set();
    set.foreach_set([&](const isl::set& part) { result = result.unite(change(part).to_union_set()); });
    return result;
}

isl::union_map rebuilt(const isl::union_map& map, const std::function<isl::map(const isl::map&)>& change) {
    isl::union_map result = isl::union_map::empty(map.ctx());
    map.foreach_map([&](const isl::map& part) { result = result.unite(change(part).to_union_map()); });
    return result;
}

bool involves(const isl::set& set, const std::string& parameter) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, parameter.c_str());
    return position >= 0 && isl_set_involves_dims(set.get(), isl_dim_param, static_cast<unsigned>(position), 1) != 0;
}

// Whether a part of the environments, which is `within` in the context, meets the first `count` definitions.
bool is_part_possible(const isl::set& part, const isl::set& within, const std::vector<Definition>& definitions,
                      std::size_t count) {
    if (is_rationally_empty(within)) { return false; }
    while (count > 0 && !involves(part, definitions[count - 1].parameter)) { --count; }
    if (count == 0) { return !is_empty(within); }
    bool is_possible = false;
    definitions[count - 1].environments.foreach_basic_set([&](const isl::basic_set& one) {
        const isl::set here(one);
        is_possible =
            is_possible || is_part_possible(part.intersect(here), within.intersect(here), definitions, count - 1);
    });
    return is_possible;
}

}  // namespace

isl::set project_out(const isl::set& set, const std::string& parameter) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, parameter.c_str());
    if (position < 0) { return set; }
    return isl::manage(isl_set_project_out(set.copy(), isl_dim_param, static_cast<unsigned>(position), 1));
}

isl::map project_out(const isl::map& map, const std::string& parameter) {
    const int position = isl_map_find_dim_by_name(map.get(), isl_dim_param, parameter.c_str());
    if (position < 0) { return map; }
    return isl::manage(isl_map_project_out(map.copy(), isl_dim_param, static_cast<unsigned>(position), 1));
}

isl::union_set project_out(const isl::union_set& set, const std::string& parameter) {
    return rebuilt(set, [&](const isl::set& part) { return project_out(part, parameter); });
}

isl::union_map project_out(const isl::union_map& map, const std::string& parameter) {
    return rebuilt(map, [&](const isl::map& part) { return project_out(part, parameter); });
}

isl::set eliminate(const isl::set& set, const std::string& parameter, const isl::set& definition) {
    return project_out(involves(set, parameter) ? set.intersect_params(definition) : set, parameter);
}

isl::map eliminate(const isl::map& map, const std::string& parameter, const isl::set& definition) {
    const int position = isl_map_find_dim_by_name(map.get(), isl_dim_param, parameter.c_str());
    const bool occurs =
        position >= 0 && isl_map_involves_dims(map.get(), isl_dim_param, static_cast<unsigned>(position), 1) != 0;
    return project_out(occurs ? map.intersect_params(definition) : map, parameter);
}

isl::union_set eliminate(const isl::union_set& set, const std::string& parameter, const isl::set& definition) {
    return rebuilt(set, [&](const isl::set& part) { return eliminate(part, parameter, definition); });
}

isl::union_map eliminate(const isl::union_map& map, const std::string& parameter, const isl::set& definition) {
    return rebuilt(map, [&](const isl::map& part) { return eliminate(part, parameter, definition); });
}

bool are_possible(const isl::set& environments, const isl::set& context, const std::vector<Definition>& definitions) {
    bool is_possible = false;
    environments.foreach_basic_set([&](const isl::basic_set& one) {
        const isl::set part(one);
        is_possible = is_possible || is_part_possible(part, part.intersect(context), definitions, definitions.size());
    });
    return is_possible;
}

isl::set rename(const isl::set& set, const std::string& from, const std::string& to) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, from.c_str());
    if (position < 0) { return set; }
    ENSURE(isl_set_find_dim_by_name(set.get(), isl_dim_param, to.c_str()) < 0, "the name " + to + " is taken");
    isl_id* const id = isl_id_alloc(set.ctx().get(), to.c_str(), nullptr);
    return isl::manage(isl_set_set_dim_id(set.copy(), isl_dim_param, static_cast<unsigned>(position), id));
}

isl::map rename(const isl::map& map, const std::string& from, const std::string& to) {
    const int position = isl_map_find_dim_by_name(map.get(), isl_dim_param, from.c_str());
    if (position < 0) { return map; }
    ENSURE(isl_map_find_dim_by_name(map.get(), isl_dim_param, to.c_str()) < 0, "the name " + to + " is taken");
    isl_id* const id = isl_id_alloc(map.ctx().get(), to.c_str(), nullptr);
    return isl::manage(isl_map_set_dim_id(map.copy(), isl_dim_param, static_cast<unsigned>(position), id));
}

isl::union_set rename(const isl::union_set& set, const std::string& from, const std::string& to) {
    return rebuilt(set, [&](const isl::set& part) { return rename(part, from, to); });
}

isl::union_map rename(const isl::union_map& map, const std::string& from, const std::string& to) {
    return rebuilt(map, [&](const isl::map& part) { return rename(part, from, to); });
}

isl::id identifier(isl::ctx ctx, const std::string& name) {
    return isl::manage(isl_id_alloc(ctx.get(), name.c_str(), nullptr));
}

isl::pw_aff parameter(isl::ctx ctx, const std::string& name) {
    return isl::pw_aff(
        isl::space::unit(ctx).add_param(identifier(ctx, name)).param_aff_on_domain(identifier(ctx, name)));
}

isl::pw_aff constant(isl::ctx ctx, std::int64_t n) {
    return isl::pw_aff(isl::space::unit(ctx).zero_aff_on_domain().add_constant(static_cast<long>(n)));
}

isl::set everywhere(isl::ctx ctx) { return isl::set::universe(isl::space::unit(ctx)); }
isl::set nowhere(isl::ctx ctx) { return isl::set::empty(isl::space::unit(ctx)); }

isl::multi_pw_aff tuple(isl::ctx ctx, const std::vector<isl::pw_aff>& elements) {
    isl::multi_pw_aff all =
        isl::space::unit(ctx).add_unnamed_tuple(static_cast<unsigned>(elements.size())).zero_multi_pw_aff();
    for (std::size_t i = 0; i < elements.size(); ++i) { all = all.set_at(static_cast<int>(i), elements[i]); }
    return all;
}

isl::pw_multi_aff in_pieces(const isl::multi_pw_aff& tuple) {
    return isl::manage(isl_pw_multi_aff_from_multi_pw_aff(tuple.copy()));
}

isl::multi_id tuple_of(isl::ctx ctx, const std::vector<std::string>& parameters) {
    isl::id_list ids(ctx, static_cast<int>(parameters.size()));
    for (const std::string& parameter : parameters) { ids = ids.add(identifier(ctx, parameter)); }
    return isl::space::unit(ctx).add_unnamed_tuple(static_cast<unsigned>(parameters.size())).multi_id(ids);
}

isl::union_map bind(const isl::union_set& set, const std::string& parameter) {
    isl::union_map result = isl::union_map::empty(set.ctx());
    set.foreach_set([&](const isl::set& part) {
        const isl::map bound =
            isl::manage(isl_set_unbind_params_insert_domain(part.copy(), tuple_of(set.ctx(), {parameter}).release()));
        result = result.unite(bound.reverse().to_union_map());
    });
    return result;
}

std::vector<std::string> parameters(const isl::set& set) {
    std::vector<std::string> names;
    const unsigned count = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_param));
    for (unsigned i = 0; i < count; ++i) { names.emplace_back(isl_set_get_dim_name(set.get(), isl_dim_param, i)); }
    return names;
}

unsigned disjuncts(const isl::union_set& set) {
    unsigned count = 0;
    set.foreach_set([&](const isl::set& part) { count += part.n_basic_set(); });
    return count;
}

unsigned disjuncts(const isl::union_map& map) {
    unsigned count = 0;
    map.foreach_map([&](const isl::map& part) { count += part.n_basic_map(); });
    return count;
}

}  // namespace haruspex::affine
