#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "generators/base/choice.h"
#include "generators/base/ensure.h"

// Random unions of Presburger relations, as text for isl and as plain data that can be enumerated without isl.
namespace haruspex::testing {

using Row = affine::Point;
using Tuple = std::pair<std::string, Row>;
// A relation in one environment: each tuple's image. A set is the image of the unnamed tuple.
using Concrete = std::map<Tuple, std::set<Tuple>>;
// A relation in all environments of a world; environments where it is empty are left out.
using Family = std::map<Row, Concrete>;

inline const Tuple no_tuple{};

// Parameters, each with the range of values at which relations are compared.
struct Parameter {
    std::string name;
    std::int64_t low = 0, high = 0;
};
using World = std::vector<Parameter>;

inline void for_each_row(const World& world, const std::function<void(const Row&)>& visit) {
    Row row;
    const std::function<void()> extend = [&] {
        if (row.size() == world.size()) {
            visit(row);
            return;
        }
        const Parameter parameter = world[row.size()];
        for (std::int64_t value = parameter.low; value <= parameter.high; ++value) {
            row.push_back(value);
            extend();
            row.pop_back();
        }
    };
    extend();
}

inline Family family(const World& world, const std::function<Concrete(const Row&)>& at) {
    Family result;
    for_each_row(world, [&](const Row& row) {
        Concrete concrete = at(row);
        if (!concrete.empty()) { result.emplace(row, std::move(concrete)); }
    });
    return result;
}

// constant + Σ coefficient·((variable + shift) div or mod divisor); a divisor of 1 with div is the variable itself.
struct Sum {
    struct Term {
        std::int64_t coefficient = 1, shift = 0, divisor = 1;
        std::size_t variable = 0;
        bool remainder = false;
    };
    std::int64_t constant = 0;
    std::vector<Term> terms;

    std::int64_t at(const Row& variables) const {
        std::int64_t sum = constant;
        for (const Term& term : terms) {
            const std::int64_t a = variables[term.variable] + term.shift;
            const std::int64_t remainder = ((a % term.divisor) + term.divisor) % term.divisor;
            sum += term.coefficient * (term.remainder ? remainder : (a - remainder) / term.divisor);
        }
        return sum;
    }

    std::string text(const std::vector<std::string>& names) const {
        std::string text = std::to_string(constant);
        for (const Term& term : terms) {
            const std::string a = "(" + names[term.variable] + " + " + std::to_string(term.shift) + ")";
            const std::string divisor = std::to_string(term.divisor);
            text += " + " + std::to_string(term.coefficient) + "*" +
                    (term.remainder ? "(" + a + " mod " + divisor + ")" : "floor(" + a + "/" + divisor + ")");
        }
        return text;
    }
};

// { in[i0, …] -> out[sums] : exists k : 0 <= i0 <= 2 and … and 0 <= k <= 1 and guards }; without an input tuple, the
// set { out[sums] : … }. The sums and guards are over the parameters, i0, … and k.
struct RandomRelation {
    struct Guard {
        Sum sum;
        bool equality = false;  // sum = 0, otherwise sum >= 0
    };
    static constexpr std::int64_t last_index = 2, last_choice = 1;

    bool is_set = false;
    std::string in, out;
    std::size_t rank = 0;
    bool has_choice = false;
    std::vector<Sum> sums;
    std::vector<Guard> guards;

    std::string text(std::vector<std::string> names) const {
        std::string indices, results, condition;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::string name = "i" + std::to_string(d);
            names.push_back(name);
            indices += (d == 0 ? "" : ", ") + name;
            condition += "0 <= " + name + " <= " + std::to_string(last_index) + " and ";
        }
        if (has_choice) {
            names.emplace_back("k");
            condition += "0 <= k <= " + std::to_string(last_choice) + " and ";
        }
        for (std::size_t h = 0; h < sums.size(); ++h) {
            const std::string name = "h" + std::to_string(h);
            results += (h == 0 ? "" : ", ") + name;
            condition += name + " = " + sums[h].text(names) + " and ";
        }
        for (const Guard& guard : guards) {
            condition += guard.sum.text(names) + (guard.equality ? " = 0 and " : " >= 0 and ");
        }
        return (is_set ? "" : in + "[" + indices + "] -> ") + out + "[" + results +
               "] : " + (has_choice ? "exists k : " : "") + condition + "0 = 0";
    }

    void add_to(Concrete& concrete, const Row& parameters) const {
        World locals;
        for (std::size_t d = 0; d < rank; ++d) { locals.push_back({"", 0, last_index}); }
        if (has_choice) { locals.push_back({"", 0, last_choice}); }
        for_each_row(locals, [&](const Row& local) {
            Row all = parameters;
            all.insert(all.end(), local.begin(), local.end());
            for (const Guard& guard : guards) {
                const std::int64_t value = guard.sum.at(all);
                if (guard.equality ? value != 0 : value < 0) { return; }
            }
            Row results;
            for (const Sum& sum : sums) { results.push_back(sum.at(all)); }
            const Row indices(local.begin(), local.begin() + static_cast<std::ptrdiff_t>(rank));
            concrete[is_set ? no_tuple : Tuple{in, indices}].emplace(out, std::move(results));
        });
    }
};

struct RandomUnion {
    std::vector<std::string> parameters;
    std::vector<RandomRelation> relations;

    std::string text() const {
        std::string text = "[";
        for (const std::string& name : parameters) { text += (text == "[" ? "" : ", ") + name; }
        text += "] -> { ";
        for (const RandomRelation& relation : relations) { text += relation.text(parameters) + "; "; }
        if (!relations.empty()) { text.resize(text.size() - 2); }
        return text + " }";
    }

    // The parameters' values are in order.
    Concrete at(const Row& values) const {
        Concrete concrete;
        for (const RandomRelation& relation : relations) { relation.add_to(concrete, values); }
        return concrete;
    }
};

inline Sum random_sum(Choices& choices, std::size_t variables) {
    Sum sum{choices.integer(-1, 2), {}};
    if (variables == 0) { return sum; }
    choices.sequence(0, 2, 700, [&](std::size_t) {
        Sum::Term term;
        term.variable = static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(variables) - 1));
        term.coefficient = choices.boolean(700) ? 1 : choices.integer(-2, 2);
        if (choices.boolean(300)) {
            term.shift = choices.integer(-1, 1);
            term.divisor = choices.integer(2, 4);
            term.remainder = choices.boolean(600);
        }
        sum.terms.push_back(term);
    });
    return sum;
}

// A tuple's name and rank.
using Shape = std::pair<std::string, std::size_t>;

inline RandomRelation random_relation(Choices& choices, std::size_t parameters, const Shape* in, const Shape& out,
                                      int choice_per_mille) {
    RandomRelation relation;
    relation.is_set = in == nullptr;
    if (in != nullptr) { std::tie(relation.in, relation.rank) = *in; }
    relation.out = out.first;
    relation.has_choice = choices.boolean(choice_per_mille);
    const std::size_t variables = parameters + relation.rank + (relation.has_choice ? 1 : 0);
    for (std::size_t h = 0; h < out.second; ++h) { relation.sums.push_back(random_sum(choices, variables)); }
    choices.sequence(0, 2, 600, [&](std::size_t) {
        relation.guards.push_back({random_sum(choices, variables), choices.boolean(250)});
    });
    // Often restrict it to a single cell for each value of the parameters, as in a[x mod 4].
    if (relation.rank > 0 && parameters > 0 && choices.boolean(400)) {
        Sum sum = random_sum(choices, parameters);
        sum.terms.push_back({-1, 0, 1, parameters, false});
        relation.guards.push_back({std::move(sum), true});
    }
    return relation;
}

inline std::vector<std::string> names_of(const World& world) {
    std::vector<std::string> names;
    for (const Parameter& parameter : world) { names.push_back(parameter.name); }
    return names;
}

// Draws a union of `least` to 3 relations from one of the input shapes (sets if there are none) to one of the output
// shapes.
inline RandomUnion random_union(Choices& choices, const World& world, const std::vector<Shape>& in,
                                const std::vector<Shape>& out, std::size_t least = 0, int choice_per_mille = 300) {
    RandomUnion result{names_of(world), {}};
    choices.sequence(least, 3, 700, [&](std::size_t) {
        const Shape* from = in.empty() ? nullptr : &choices.one_of(in);
        result.relations.push_back(random_relation(choices, world.size(), from, choices.one_of(out), choice_per_mille));
    });
    return result;
}

inline isl::set environments(isl::ctx ctx, const World& world) {
    isl::set set = isl::set::universe(isl::space::unit(ctx));
    for (const Parameter& parameter : world) {
        const std::string& name = parameter.name;
        set = set.intersect(isl::set(ctx, "[" + name + "] -> { : " + std::to_string(parameter.low) + " <= " + name +
                                              " <= " + std::to_string(parameter.high) + " }"));
    }
    return set;
}

// Enumerates isl's unions of relations or sets whose parameters are all in the world.
namespace enumeration {

inline isl::multi_id parameter_tuple(isl::ctx ctx, const World& world) {
    isl::id_list ids(ctx, static_cast<int>(world.size()));
    for (const Parameter& parameter : world) { ids = ids.add(isl::id(ctx, parameter.name)); }
    return isl::space::unit(ctx).add_unnamed_tuple(static_cast<unsigned>(world.size())).multi_id(ids);
}

inline std::vector<Row> rows(const isl::set& flat) {
    const auto points = affine::points(flat, 100'000);
    ENSURE(points.has_value(), points.error().message);
    return *points;
}

// Each row has the values of the parameters, followed by those of the tuples.
inline std::vector<Row> rows(const isl::set& set, const World& world) {
    const isl::set bounded = set.intersect_params(environments(set.ctx(), world));
    return rows(bounded.unbind_params_insert_domain(parameter_tuple(set.ctx(), world)).wrap());
}

}  // namespace enumeration

// Enumerates the environments in a set of parameters.
inline std::vector<Row> enumerate_parameters(const isl::set& set, const World& world) {
    const isl::set bounded = set.intersect(environments(set.ctx(), world));
    return enumeration::rows(bounded.unbind_params(enumeration::parameter_tuple(set.ctx(), world)));
}

inline Family enumerate(const isl::union_map& relations, const World& world) {
    Family result;
    relations.foreach_map([&](const isl::map& map) {
        if (map.is_empty()) { return; }
        const auto rank = static_cast<std::ptrdiff_t>(map.domain_tuple_dim());
        const std::string in = map.has_domain_tuple_id() ? map.domain_tuple_id().name() : "";
        const std::string out = map.has_range_tuple_id() ? map.range_tuple_id().name() : "";
        for (const Row& row : enumeration::rows(map.wrap(), world)) {
            const auto cell = row.begin() + static_cast<std::ptrdiff_t>(world.size());
            result[Row(row.begin(), cell)][{in, Row(cell, cell + rank)}].emplace(out, Row(cell + rank, row.end()));
        }
    });
    return result;
}

inline Family enumerate(const isl::union_set& sets, const World& world) {
    return enumerate(isl::union_map::from_range(sets), world);
}

}  // namespace haruspex::testing
