#include "generators/affine/parameters.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <algorithm>
#include <functional>
#include <optional>

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

class Cases {
public:
    Cases(const isl::set& context, const std::vector<Definition>& definitions, const isl::set& environments)
        : space_(context.space()), definitions_(definitions), convex_(definitions.size()) {
        space_ = with_parameters_of(space_, environments);
        for (const Definition& definition : definitions_) {
            space_ = with_parameters_of(space_, definition.environments);
        }
        context_ = convex(context);
        environments_ = convex(environments);
    }

    bool is_possible() {
        return std::ranges::any_of(environments_, [&](const Convex& part) {
            return std::ranges::any_of(context_, [&](const Convex& context) {
                return is_possible(intersect(part.set, context.set), part.speaks_of, definitions_.size());
            });
        });
    }

private:
    struct Convex {
        isl::basic_set set;
        std::vector<bool> speaks_of;  // for each definition: whether its parameter occurs
    };

    std::vector<Convex> convex(const isl::set& set) const {
        std::vector<Convex> parts;
        for (const isl::basic_set& part : convex_parts(set, space_)) {
            std::vector<bool> speaks_of;
            for (const Definition& definition : definitions_) {
                const int position =
                    isl_space_find_dim_by_name(space_.get(), isl_dim_param, definition.parameter.c_str());
                speaks_of.push_back(
                    position >= 0 &&
                    isl_basic_set_involves_dims(part.get(), isl_dim_param, static_cast<unsigned>(position), 1) != 0);
            }
            parts.push_back({part, std::move(speaks_of)});
        }
        return parts;
    }

    // Whether `within` meets those of the first `count` definitions whose parameters occur, directly or through later
    // definitions.
    bool is_possible(const isl::basic_set& within, const std::vector<bool>& speaks_of, std::size_t count) {
        if (is_rationally_empty(within)) { return false; }
        while (count > 0 && !speaks_of[count - 1]) { --count; }
        if (count == 0) { return !within.is_empty(); }
        --count;
        if (!convex_[count]) { convex_[count] = convex(definitions_[count].environments); }
        return std::ranges::any_of(*convex_[count], [&](const Convex& one) {
            std::vector<bool> all = speaks_of;
            std::transform(all.begin(), all.end(), one.speaks_of.begin(), all.begin(), std::logical_or());
            return is_possible(intersect(within, one.set), all, count);
        });
    }

    isl::space space_;
    const std::vector<Definition>& definitions_;
    std::vector<Convex> context_, environments_;
    std::vector<std::optional<std::vector<Convex>>> convex_;  // the definitions' parts, computed when needed
};

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
    return Cases(context, definitions, environments).is_possible();
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
