#include "harness/sched/idle.h"

#include <algorithm>
#include <optional>
#include <string>

#include "generators/base/overload.h"

namespace haruspex::sched {
namespace {

class IdleCheck {
public:
    explicit IdleCheck(NormalForms& forms) : forms_(forms) {}

    bool holds(const Stmt& stmt) {
        return std::visit(Overload{[&](const Let& s) {
                                       forms_.define(s.name, s.value);
                                       return true;
                                   },
                                   [&](const LetValue& s) {
                                       forms_.define(s.name, s.lanes, s.value);
                                       return true;
                                   },
                                   [&](const Assign& s) {
                                       return inside(s.lanes ? s.lanes->variable : "", [&] {
                                           return std::ranges::all_of(
                                               s.writes, [&](const Write& w) { return keeps(w, s.condition); });
                                       });
                                   },
                                   [&](const For& s) { return inside(s.variable, [&] { return holds(s.body); }); },
                                   [&](const If& s) { return holds(s.then) && holds(s.otherwise); },
                                   [&](const Atomic& s) { return holds(s.body); }, [](const auto&) { return false; }},
                          stmt.node);
    }

private:
    bool holds(const Block& block) {
        return inside("", [&] { return std::ranges::all_of(block, [&](const Stmt& stmt) { return holds(stmt); }); });
    }

    template <typename Check>
    bool inside(const std::string& variable, Check check) {
        forms_.enter();
        if (!variable.empty()) { forms_.represent(variable, "inner " + std::to_string(++variables_)); }
        const bool result = check();
        forms_.leave();
        return result;
    }

    // Whether the written value is read from the same cell, possibly under the assignment's condition.
    bool keeps(const Write& write, const std::optional<Expr>& condition) {
        if (write.accumulation) { return false; }
        Load load{write.array, write.indices, std::nullopt};
        const Polynomial value = forms_.of(write.value);
        if (value == forms_.of(Expr{load})) { return true; }
        if (!condition) { return false; }
        load.guard = *condition;
        return value == forms_.of(Expr{load});
    }

    NormalForms& forms_;
    int variables_ = 0;
};

// A quick check without normal forms, which cost more.
bool may_be_idle(const Block& block);
bool may_be_idle(const Stmt& stmt) {
    return std::visit(Overload{[](const Let&) { return true; }, [](const LetValue&) { return true; },
                               [](const Assign& s) {
                                   return std::ranges::all_of(s.writes, [](const Write& w) {
                                       const auto* load = std::get_if<Load>(&w.value.node);
                                       return std::holds_alternative<ValueVariable>(w.value.node) ||
                                              (load != nullptr && load->array == w.array);
                                   });
                               },
                               [](const For& s) { return may_be_idle(s.body); },
                               [](const If& s) { return may_be_idle(s.then) && may_be_idle(s.otherwise); },
                               [](const Atomic& s) { return may_be_idle(s.body); }, [](const auto&) { return false; }},
                      stmt.node);
}
bool may_be_idle(const Block& block) {
    return std::ranges::all_of(block, [](const Stmt& stmt) { return may_be_idle(stmt); });
}

}  // namespace

bool is_idle(const Stmt& stmt, NormalForms& forms) {
    if (!may_be_idle(stmt)) { return false; }
    forms.enter();
    const bool result = IdleCheck(forms).holds(stmt);
    forms.leave();
    return result;
}

}  // namespace haruspex::sched
