#include "oracle/conversion/definitions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/sched/traverse.h"

namespace haruspex::conversion {
namespace {

// Counts up to `most` nodes.
std::size_t nodes_without_lets(const sched::Expr& expr, const std::map<std::string, std::size_t>& lets,
                               std::size_t most) {
    if (const auto* v = std::get_if<sched::Variable>(&expr.node)) {
        const auto let = lets.find(v->name);
        return let == lets.end() ? 1 : let->second;
    }
    if (const auto* let = std::get_if<sched::LetIn>(&expr.node)) {
        auto inside = lets;
        inside.insert_or_assign(let->name, nodes_without_lets(*let->value, lets, most));
        return nodes_without_lets(*let->body, inside, most);
    }
    std::size_t nodes = 1;
    sched::for_each_part(expr, [&](const sched::Expr& part) {
        if (nodes < most) { nodes += nodes_without_lets(part, lets, most); }
    });
    return std::min(nodes, most);
}

}  // namespace

void define(sched::NormalForms& forms, const std::string& name, const sched::Expr& value) {
    if (sched::arrays_read(value).empty()) {
        forms.define(name, value);
    } else {
        forms.represent(name, name);
    }
}

void define(sched::NormalForms& forms, const std::string& name, const std::optional<sched::Lanes>& lanes,
            const sched::Expr& value) {
    if (sched::arrays_read(value).empty()) {
        forms.define(name, lanes, value);
    } else {
        forms.represent(name, name);
    }
}

void define(sched::NormalForms& forms, const sched::Stmt& statement) {
    if (const auto* let = std::get_if<sched::Let>(&statement.node)) { define(forms, let->name, let->value); }
    if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
        define(forms, let->name, let->lanes, let->value);
    }
}

sched::Expr without_lets(sched::Expr expr) {
    if (auto* let = std::get_if<sched::LetIn>(&expr.node)) {
        return without_lets(sched::substitute(*let->body, {{let->name, *let->value}}));
    }
    sched::for_each_part(expr, [](sched::Expr& part) { part = without_lets(std::move(part)); });
    return expr;
}

bool is_shorter_without_lets(const sched::Expr& expr, std::size_t nodes) {
    return nodes_without_lets(expr, {}, nodes) < nodes;
}

}  // namespace haruspex::conversion
