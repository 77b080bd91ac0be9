#include "oracle/validator/flow/undefined_writes.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/terms/image.h"

namespace haruspex::validator {
namespace {

using value::Type;

// Arrays of one name count as one, and so do value-lets of one name.
class Undefinedness {
public:
    explicit Undefinedness(const sched::Program& program) {
        for (const sched::Array& array : program.arrays) { types_[array.name].insert(array.type); }
        sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
            std::visit(Overload{[&](const sched::Allocate& n) { types_[n.array].insert(n.type); },
                                [&](const sched::LetValue& n) { lets_[n.name].push_back({n.type, &n.value}); },
                                [&](const sched::Assign& n) {
                                    for (const sched::Write& write : n.writes) { writes_.push_back(&write); }
                                },
                                [](const auto&) {}},
                       stmt.node);
        });
    }

    // The least fixpoint: arrays hold no Undef until a write may leave one.
    std::set<const sched::Write*> find() {
        std::set<const sched::Write*> found;
        for (bool changed = true; changed;) {
            changed = false;
            known_lets_.clear();
            for (const sched::Write* write : writes_) {
                if (found.contains(write) || (!write->accumulation && of(write->value).image.is_total)) { continue; }
                found.insert(write);
                undef_arrays_.insert(write->array);
                changed = true;
            }
        }
        return found;
    }

private:
    // The image of an expression, with the type of its values (bool for an index or a condition). Without a type
    // nothing is known.
    struct Known {
        std::optional<Type> type = Type::boolean;
        Image image;
    };
    struct LetValue {
        Type type;
        const sched::Expr* value;
    };
    static Known any(Type type, bool is_total) { return {type, Image::any(type, is_total)}; }
    static Known unknown() { return {std::nullopt, {}}; }

    Known of(const sched::Expr& expr) {
        return std::visit(
            Overload{[](const sched::Literal& n) { return Known{n.value.type(), Image::of(n.value)}; },
                     [](const sched::Embed& n) { return any(n.type, !value::overflow_is_undefined(n.type)); },
                     [&](const sched::ValueVariable& n) { return let(n.name); },
                     [&](const sched::Load& n) { return load(n.array); },
                     [&](const sched::Unary& n) {
                         const Known a = of(*n.a);
                         const auto type = a.type ? value::result_type(n.op, *a.type) : std::nullopt;
                         return type ? Known{*type, apply(n.op, *a.type, a.image)} : unknown();
                     },
                     [&](const sched::Binary& n) {
                         const Known a = of(*n.a), b = of(*n.b);
                         const auto type = a.type && b.type ? value::result_type(n.op, *a.type, *b.type) : std::nullopt;
                         return type ? Known{*type, apply(n.op, *a.type, a.image, b.image)} : unknown();
                     },
                     [&](const sched::Cast& n) {
                         const Known a = of(*n.a);
                         return a.type ? Known{n.type, cast(*a.type, n.type, a.image)} : any(n.type, false);
                     },
                     [&](const sched::Select& n) {
                         const Known c = of(*n.condition), a = of(*n.if_true), b = of(*n.if_false);
                         const bool is_known = c.type && a.type && a.type == b.type;
                         return is_known ? Known{a.type, select(c.image, *a.type, a.image, b.image)} : unknown();
                     },
                     [&](const sched::LaneReduce& n) {
                         const Known body = of(*n.body);
                         if (!body.type) { return unknown(); }
                         const bool is_total = value::is_total(value::binary_op(n.op), *body.type);
                         return any(*body.type, body.image.is_total && is_total);
                     },
                     [&](const sched::LetIn& n) { return of(*n.body); },
                     [&](const sched::LetValueIn& n) {
                         inner_.emplace_back(n.name, of(*n.value));
                         const Known body = of(*n.body);
                         inner_.pop_back();
                         return body;
                     },
                     [](const sched::TensorAccess&) { return any(Type::boolean, false); },
                     // Indices and conditions, including their parts.
                     [&](const auto&) {
                         bool is_total = true;
                         sched::for_each_part(expr,
                                              [&](const sched::Expr& part) { is_total &= of(part).image.is_total; });
                         return any(Type::boolean, is_total);
                     }},
            expr.node);
    }

    Known load(const std::string& array) {
        const std::set<Type>& types = types_[array];
        return types.size() == 1 ? any(*types.begin(), !undef_arrays_.contains(array)) : unknown();
    }

    Known let(const std::string& name) {
        for (auto inner = inner_.rbegin(); inner != inner_.rend(); ++inner) {
            if (inner->first == name) { return inner->second; }
        }
        // A let may be computed from the let of the same name that it hides: until the name is resolved, nothing is
        // known of it.
        const auto [known, is_new] = known_lets_.emplace(name, unknown());
        if (!is_new) { return known->second; }
        // The names bound in the reading expression mean nothing at the let.
        const auto read_within = std::exchange(inner_, {});
        const std::vector<LetValue>& lets = lets_[name];
        std::optional<Known> all;
        for (const LetValue& one : lets) {
            const Known made = of(*one.value);
            const bool is_known = made.type == one.type && (!all || all->type == one.type);
            if (!is_known) {
                all = unknown();
                break;
            }
            all = Known{one.type, all ? join(all->image, made.image) : made.image};
        }
        inner_ = read_within;
        known->second = all.value_or(unknown());
        return known->second;
    }

    std::map<std::string, std::set<Type>> types_;  // of arrays
    std::map<std::string, std::vector<LetValue>> lets_;
    std::vector<const sched::Write*> writes_;
    std::set<std::string> undef_arrays_;
    std::map<std::string, Known> known_lets_;
    std::vector<std::pair<std::string, Known>> inner_;  // lets in expressions, the innermost last
};

}  // namespace

std::set<const sched::Write*> writes_that_may_be_undef(const sched::Program& program) {
    return Undefinedness(program).find();
}

}  // namespace haruspex::validator
