// Transformations of single statements and their order.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"
#include "harness/transform/dependence.h"
#include "harness/transform/loop_pieces.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;

namespace {

void replace_all(Expr& expr, const Expr& what, const Expr& by) {
    if (expr == what) {
        expr = by;
        return;
    }
    for_each_part(expr, [&](Expr& part) { replace_all(part, what, by); });
}

std::map<std::string, value::Type> array_types(const Program& program) {
    std::map<std::string, value::Type> types;
    for (const Array& array : program.arrays) { types[array.name] = array.type; }
    for_each_statement(program.body, [&](const Stmt& stmt) {
        if (const auto* allocation = std::get_if<Allocate>(&stmt.node)) { types[allocation->array] = allocation->type; }
    });
    return types;
}

// The lanes that are bound inside the expression.
std::set<std::string> lanes_in(const Expr& expr) {
    std::set<std::string> lanes;
    for_each_expr(expr, [&](const Expr& e) {
        if (const auto* reduce = std::get_if<LaneReduce>(&e.node)) { lanes.insert(reduce->lanes.variable); }
    });
    return lanes;
}

bool mentions(const Expr& expr, const std::set<std::string>& names) {
    const std::set<std::string> free = free_names(expr);
    return std::ranges::any_of(names, [&](const std::string& name) { return free.contains(name); });
}

}  // namespace

bool name_value(Program& program, Workshop& workshop) {
    const auto types = array_types(program);
    return at_some<Assign>(program, workshop, [&](const Site& site, Assign& assign) {
        if (assign.lanes || assign.condition) { return false; }
        std::vector<Expr> loads;
        for (const Write& write : assign.writes) {
            const std::set<std::string> lanes = lanes_in(write.value);
            for_each_expr(write.value, [&](const Expr& part) {
                if (std::holds_alternative<Load>(part.node) && !mentions(part, lanes)) { loads.push_back(part); }
            });
        }
        if (loads.empty()) { return false; }
        const Expr load = workshop.choices.one_of(loads);
        const std::string name = workshop.names.fresh("v");
        LetValue let{name, std::nullopt, types.at(std::get<Load>(load.node).array), load};
        for (Write& write : assign.writes) { replace_all(write.value, load, Expr{ValueVariable{name, std::nullopt}}); }
        // Move it up further, past statements that are independent of it.
        std::size_t position = site.position;
        const auto read = touches(Stmt{let}, site.around);
        while (read && position > 0 && workshop.choices.boolean(workshop.policy.earlier_read_per_mille)) {
            const Stmt& before = (*site.block)[position - 1];
            const auto other = touches(before, site.around);
            const bool is_loop =
                std::holds_alternative<For>(before.node) || std::holds_alternative<Assign>(before.node);
            if (!is_loop || !other || conflict(workshop, *other, *read, sare::truth(true))) { break; }
            --position;
        }
        site.block->insert(site.block->begin() + static_cast<std::ptrdiff_t>(position), Stmt{std::move(let)});
        return true;
    });
}

bool name_index(Program& program, Workshop& workshop) {
    return at_some<Assign>(program, workshop, [&](const Site& site, Assign& assign) {
        std::vector<Expr> indices;
        for_each_part(site.stmt(), [&](const Expr& part) {
            std::set<std::string> lanes = lanes_in(part);
            if (assign.lanes) { lanes.insert(assign.lanes->variable); }
            for_each_expr(part, [&](const Expr& e) {
                if (std::holds_alternative<IndexBinary>(e.node) && !mentions(e, lanes)) { indices.push_back(e); }
            });
        });
        if (indices.empty()) { return false; }
        const Expr index = workshop.choices.one_of(indices);
        const std::string name = workshop.names.fresh("t");
        for_each_part(site.stmt(), [&](Expr& part) { replace_all(part, index, Expr{Variable{name}}); });
        site.block->insert(site.block->begin() + static_cast<std::ptrdiff_t>(site.position), Stmt{Let{name, index}});
        return true;
    });
}

namespace {

// Whether the other statement mentions a name that the statement declares.
bool mentions_declaration(const Stmt& stmt, const Stmt& other) {
    const std::string name =
        std::visit(Overload{[](const Let& s) { return s.name; }, [](const LetValue& s) { return s.name; },
                            [](const Allocate& s) { return s.array; }, [](const auto&) { return std::string(); }},
                   stmt.node);
    if (name.empty()) { return false; }
    bool found = false;
    for_each_statement(Block{other}, [&](const Stmt& s) {
        for_each_part(s, [&](const Expr& part) { found = found || free_names(part).contains(name); });
        if (const auto* assign = std::get_if<Assign>(&s.node)) {
            for (const Write& write : assign->writes) { found = found || write.array == name; }
        }
    });
    return found;
}

}  // namespace

bool reorder(Program& program, Workshop& workshop) {
    const auto swap = [&](const Site& site) {
        if (site.position + 1 >= site.block->size()) { return false; }
        Stmt& a = (*site.block)[site.position];
        Stmt& b = (*site.block)[site.position + 1];
        const auto is_plain = [](const Stmt& s) {
            return !std::holds_alternative<Free>(s.node) && !std::holds_alternative<Assert>(s.node);
        };
        const auto first = touches(a, site.around);
        const auto second = touches(b, site.around);
        if (!is_plain(a) || !is_plain(b) || !first || !second || mentions_declaration(a, b) ||
            conflict(workshop, *first, *second, sare::truth(true))) {
            return false;
        }
        std::swap(a, b);
        return true;
    };
    // Prefers loops and assignments to declarations.
    if (at_some<For>(program, workshop, [&](const Site& site, For&) { return swap(site); })) { return true; }
    if (at_some<Assign>(program, workshop, [&](const Site& site, Assign&) { return swap(site); })) { return true; }
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate&) { return swap(site); });
}

bool assert_fact(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For&) {
        std::vector<sare::Index> variables;
        for (const std::string& p : program.parameters) { variables.push_back(sare::variable(p)); }
        for (const std::string& v : site.around.loops) { variables.push_back(sare::variable(v)); }
        if (variables.empty()) { return false; }
        const sare::Index a = workshop.choices.one_of(variables);
        const sare::Index b = workshop.choices.one_of(variables);
        const sare::Index bound = a == b ? sare::constant(workshop.choices.integer(-2, 1)) : b;
        for (const sare::Relation relation : {sare::Relation::ge, sare::Relation::le}) {
            const sare::Condition fact = sare::compare(relation, a, bound);
            if (workshop.possible(site.around.known && !fact)) { continue; }
            site.block->insert(site.block->begin() + static_cast<std::ptrdiff_t>(site.position),
                               Stmt{Assert{to_code(fact), "as assumed"}});
            return true;
        }
        return false;
    });
}

}  // namespace haruspex::transform
