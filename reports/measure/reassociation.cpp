#include "reports/measure/reassociation.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "generators/value/operators.h"
#include "harness/sched/traverse.h"

namespace haruspex::measure {
namespace {

using sched::Binary;
using sched::Expr;
using value::Type;

// The types of expressions, if each name has the same type everywhere.
class Types {
public:
    explicit Types(const sched::Program& program) {
        for (const sched::Array& array : program.arrays) { add(array.name, array.type); }
        sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
            if (const auto* allocate = std::get_if<sched::Allocate>(&stmt.node)) {
                add(allocate->array, allocate->type);
            }
        });
    }
    // nullopt if it is not known without further analysis.
    std::optional<Type> of(const Expr& expr) const {
        if (const auto* literal = std::get_if<sched::Literal>(&expr.node)) { return literal->value.type(); }
        if (const auto* cast = std::get_if<sched::Cast>(&expr.node)) { return cast->type; }
        if (const auto* embed = std::get_if<sched::Embed>(&expr.node)) { return embed->type; }
        if (const auto* load = std::get_if<sched::Load>(&expr.node)) {
            const auto found = types_.find(load->array);
            return found == types_.end() ? std::nullopt : found->second;
        }
        if (const auto* binary = std::get_if<Binary>(&expr.node)) {
            const auto a = of(*binary->a), b = of(*binary->b);
            return a && b ? value::result_type(binary->op, *a, *b) : std::nullopt;
        }
        return std::nullopt;
    }

private:
    void add(const std::string& name, Type type) {
        const auto [entry, is_new] = types_.try_emplace(name, type);
        if (!is_new && entry->second != type) { entry->second = std::nullopt; }
    }
    std::map<std::string, std::optional<Type>> types_;
};

class Reassociation {
public:
    Reassociation(const Types& types, Choices& choices) : types_(types), choices_(choices) {}

    void apply(Expr& expr) {
        sched::for_each_part(expr, [&](Expr& part) { apply(part); });
        auto* binary = std::get_if<Binary>(&expr.node);
        if (binary == nullptr) { return; }
        const auto a = types_.of(*binary->a), b = types_.of(*binary->b);
        if (!a || a != b) { return; }
        if (value::is_associative(binary->op, *a, false)) { rotate(*binary); }
        if (value::is_commutative(binary->op, *a) && choices_.boolean(500)) { std::swap(binary->a, binary->b); }
    }

private:
    // Rewrites (p + q) + r to p + (q + r), or the other way round.
    void rotate(Binary& outer) {
        auto* left = std::get_if<Binary>(&outer.a->node);
        auto* right = std::get_if<Binary>(&outer.b->node);
        if (left != nullptr && left->op == outer.op && choices_.boolean(600)) {
            Binary inner = *left;
            outer = Binary{outer.op, inner.a, Expr{Binary{outer.op, inner.b, outer.b}}};
        } else if (right != nullptr && right->op == outer.op && choices_.boolean(600)) {
            Binary inner = *right;
            outer = Binary{outer.op, Expr{Binary{outer.op, outer.a, inner.a}}, inner.b};
        }
    }

    const Types& types_;
    Choices& choices_;
};

}  // namespace

sched::Program reassociate(sched::Program program, Choices& choices) {
    const Types types(program);
    Reassociation reassociation(types, choices);
    sched::for_each_statement(program.body, [&](sched::Stmt& stmt) {
        if (auto* assign = std::get_if<sched::Assign>(&stmt.node)) {
            for (sched::Write& write : assign->writes) { reassociation.apply(write.value); }
        }
        if (auto* let = std::get_if<sched::LetValue>(&stmt.node)) { reassociation.apply(let->value); }
    });
    return program;
}

}  // namespace haruspex::measure
