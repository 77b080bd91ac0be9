#include "harness/transform/names.h"

#include <functional>
#include <map>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"

namespace haruspex::transform {

using namespace haruspex::sched;

namespace {

using Renaming = std::map<std::string, std::string>;

void rename(std::string& name, const Renaming& to) {
    if (const auto found = to.find(name); found != to.end()) { name = found->second; }
}

void rename(Expr& expr, const Renaming& to) {
    if (auto* v = std::get_if<Variable>(&expr.node)) { rename(v->name, to); }
    if (auto* v = std::get_if<ValueVariable>(&expr.node)) { rename(v->name, to); }
    if (auto* load = std::get_if<Load>(&expr.node)) { rename(load->array, to); }
    for_each_part(expr, [&](Expr& part) { rename(part, to); });
}

std::string* bound_name(Stmt& stmt) {
    return std::visit(Overload{[](Let& s) { return &s.name; }, [](LetValue& s) { return &s.name; },
                               [](Allocate& s) { return &s.array; }, [](For& s) { return &s.variable; },
                               [](Assign& s) { return s.lanes ? &s.lanes->variable : nullptr; },
                               [](auto&) -> std::string* { return nullptr; }},
                      stmt.node);
}

Block renamed(Block block, const std::function<std::string(const std::string&)>& choose) {
    Renaming to;
    for_each_statement(block, [&](Stmt& stmt) {
        if (std::string* name = bound_name(stmt)) { to.emplace(*name, choose(*name)); }
    });
    for_each_statement(block, [&](Stmt& stmt) {
        if (std::string* name = bound_name(stmt)) { rename(*name, to); }
        if (auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (Write& write : assign->writes) { rename(write.array, to); }
        }
        if (auto* release = std::get_if<Free>(&stmt.node)) { rename(release->array, to); }
        for_each_part(stmt, [&](Expr& part) { rename(part, to); });
    });
    return block;
}

}  // namespace

std::string stem(const std::string& name) { return name.substr(0, name.find('$')); }

std::string Names::fresh(const std::string& base) {
    const std::string first = stem(base);
    for (int i = 0;; ++i) {
        std::string name = i == 0 ? first : first + "$" + std::to_string(i);
        if (taken_.insert(name).second) { return name; }
    }
}

Block refreshed(Block block, Names& names) {
    return renamed(std::move(block), [&](const std::string& name) { return names.fresh(name); });
}

Block normalised(Block block) {
    int count = 0;
    return renamed(std::move(block), [&](const std::string&) { return "$" + std::to_string(count++); });
}

}  // namespace haruspex::transform
