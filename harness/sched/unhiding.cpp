#include "harness/sched/unhiding.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/sched/traverse.h"

namespace haruspex::sched {
namespace {

class Unhiding {
public:
    void run(Program& program) {
        for_each_statement(program.body, [&](const Stmt& stmt) {
            for_each_part(stmt, [&](const Expr& part) { taken_.merge(free_names(part)); });
        });
        Scope scope;
        for (const std::string& parameter : program.parameters) { enter(parameter, parameter, scope); }
        for (const Array& array : program.arrays) { enter(array.name, array.name, scope); }
        block(program.body, std::move(scope));
    }

private:
    struct Scope {
        std::map<std::string, std::string> names;  // the present names of those in scope
        std::set<std::string> in_use;              // including the names of hidden bindings
    };

    static void enter(const std::string& name, const std::string& called, Scope& scope) {
        scope.names.insert_or_assign(name, called);
        scope.in_use.insert(called);
    }

    void bind(std::string& name, Scope& scope) {
        std::string fresh = name;
        for (int n = 1; scope.in_use.contains(fresh) || (fresh != name && taken_.contains(fresh)); ++n) {
            fresh = name + "$" + std::to_string(n);
        }
        enter(name, fresh, scope);
        name = fresh;
    }

    static void rename(std::string& name, const Scope& scope) {
        if (const auto found = scope.names.find(name); found != scope.names.end()) { name = found->second; }
    }

    void expr(Expr& e, const Scope& scope) {
        if (auto* n = std::get_if<LaneReduce>(&e.node)) {
            Scope inner = scope;
            bind(n->lanes.variable, inner);
            expr(*n->body, inner);
        } else if (auto* n = std::get_if<LetIn>(&e.node)) {
            expr(*n->value, scope);
            Scope inner = scope;
            bind(n->name, inner);
            expr(*n->body, inner);
        } else if (auto* n = std::get_if<LetValueIn>(&e.node)) {
            over_lanes(n->lanes, *n->value, scope);
            Scope inner = scope;
            bind(n->name, inner);
            expr(*n->body, inner);
        } else {
            if (auto* n = std::get_if<Variable>(&e.node)) { rename(n->name, scope); }
            if (auto* n = std::get_if<ValueVariable>(&e.node)) { rename(n->name, scope); }
            if (auto* n = std::get_if<Load>(&e.node)) { rename(n->array, scope); }
            for_each_part(e, [&](Expr& part) { expr(part, scope); });
        }
    }

    void over_lanes(std::optional<Lanes>& lanes, Expr& value, const Scope& scope) {
        Scope inner = scope;
        if (lanes) { bind(lanes->variable, inner); }
        expr(value, inner);
    }

    void block(Block& statements, Scope scope) {
        for (Stmt& stmt : statements) { statement(stmt, scope); }
    }

    // The statement's declaration is in scope from here on.
    void statement(Stmt& stmt, Scope& scope) {
        const auto parts = [&](const Scope& here) { for_each_part(stmt, [&](Expr& part) { expr(part, here); }); };
        if (auto* let = std::get_if<LetValue>(&stmt.node)) {
            over_lanes(let->lanes, let->value, scope);
            bind(let->name, scope);
        } else if (auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (Write& write : assign->writes) { rename(write.array, scope); }
            Scope inner = scope;
            if (assign->lanes) { bind(assign->lanes->variable, inner); }
            parts(inner);
        } else if (auto* loop = std::get_if<For>(&stmt.node)) {
            parts(scope);
            Scope inner = scope;
            bind(loop->variable, inner);
            block(loop->body, std::move(inner));
        } else {
            parts(scope);
            if (auto* let = std::get_if<Let>(&stmt.node)) { bind(let->name, scope); }
            if (auto* array = std::get_if<Allocate>(&stmt.node)) { bind(array->array, scope); }
            if (auto* array = std::get_if<Free>(&stmt.node)) { rename(array->array, scope); }
            if (auto* sum = std::get_if<Accumulate>(&stmt.node)) { rename(sum->array, scope); }
            if (auto* semaphore = std::get_if<Semaphore>(&stmt.node)) { bind(semaphore->name, scope); }
            if (auto* acquire = std::get_if<Acquire>(&stmt.node)) { rename(acquire->semaphore, scope); }
            if (auto* release = std::get_if<Release>(&stmt.node)) { rename(release->semaphore, scope); }
            for_each_block(stmt, [&](Block& inner) { block(inner, scope); });
        }
    }

    std::set<std::string> taken_;  // names that may be free in an expression
};

}  // namespace

Program without_hiding(Program program) {
    Unhiding().run(program);
    return program;
}

}  // namespace haruspex::sched
