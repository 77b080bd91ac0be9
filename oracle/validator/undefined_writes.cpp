#include "oracle/validator/undefined_writes.h"

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/totality.h"

namespace haruspex::validator {
namespace {

using value::Type;

// Arrays of one name, and value-lets of one name, are taken together.
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

    // A fixpoint from below: arrays hold no Undef until a write may leave one.
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
    // With the type of its values; of an index or a condition, bool.
    struct Known {
        Type type = Type::boolean;
        Image image;
    };
    struct LetValue {
        Type type;
        const sched::Expr* value;
    };
    static Known any(Type type, bool is_total) { return {type, Image::any(type, is_total)}; }

    Known of(const sched::Expr& expr) {
        return std::visit(
            Overload{[](const sched::Literal& n) { return Known{n.value.type(), Image::of(n.value)}; },
                     [](const sched::Embed& n) { return any(n.type, !value::overflow_is_undefined(n.type)); },
                     [&](const sched::ValueVariable& n) { return let(n.name); },
                     [&](const sched::Load& n) { return load(n.array); },
                     [&](const sched::Unary& n) {
                         const Known a = of(*n.a);
                         return Known{*value::result_type(n.op, a.type), apply(n.op, a.type, a.image)};
                     },
                     [&](const sched::Binary& n) {
                         const Known a = of(*n.a), b = of(*n.b);
                         return Known{*value::result_type(n.op, a.type, b.type), apply(n.op, a.type, a.image, b.image)};
                     },
                     [&](const sched::Cast& n) {
                         const Known a = of(*n.a);
                         return Known{n.type, cast(a.type, n.type, a.image)};
                     },
                     [&](const sched::Select& n) {
                         const Known c = of(*n.condition), a = of(*n.if_true), b = of(*n.if_false);
                         return Known{a.type, select(c.image, a.type, a.image, b.image)};
                     },
                     [&](const sched::LaneReduce& n) {
                         const Known body = of(*n.body);
                         const bool is_total = value::is_total(value::binary_op(n.op), body.type);
                         return any(body.type, body.image.is_total && is_total);
                     },
                     [&](const sched::LetIn& n) { return of(*n.body); },
                     [&](const sched::LetValueIn& n) {
                         inner_.emplace_back(n.name, of(*n.value));
                         const Known body = of(*n.body);
                         inner_.pop_back();
                         return body;
                     },
                     [](const sched::TensorAccess&) { return any(Type::boolean, false); },
                     // Indices and conditions, with what they are made of.
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
        return types.size() == 1 ? any(*types.begin(), !undef_arrays_.contains(array)) : any(Type::boolean, false);
    }

    Known let(const std::string& name) {
        for (auto inner = inner_.rbegin(); inner != inner_.rend(); ++inner) {
            if (inner->first == name) { return inner->second; }
        }
        if (const auto known = known_lets_.find(name); known != known_lets_.end()) { return known->second; }
        const std::vector<LetValue>& lets = lets_[name];
        Known all{lets.at(0).type, of(*lets.at(0).value).image};
        for (const LetValue& other : lets) {
            if (other.type != all.type) { return any(all.type, false); }
            all.image = join(all.image, of(*other.value).image);
        }
        return known_lets_.emplace(name, all).first->second;
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
