#include "oracle/conversion/definitions.h"

#include <utility>

#include "harness/sched/traverse.h"

namespace haruspex::conversion {

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

}  // namespace haruspex::conversion
