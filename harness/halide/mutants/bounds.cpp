#include <algorithm>
#include <set>

#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"

// Mutants of the passes from the schedule to sliding windows, which decide what is computed. Bounds are lets with
// telling names there.
namespace haruspex::halide::mutants {
namespace {

std::set<std::string> realized(const Stmt& program) {
    std::set<std::string> names;
    for (const Realize* realize : nodes<Realize>(program)) { names.insert(realize->name); }
    return names;
}

// Changes the region that a pure stage requires of the functions before it, if it is x + c: lets f.s0.x.min or .max.
// The regions of outputs are what the caller requests.
template <typename Change>
Stmt change_footprints(const Stmt& program, const std::string& bound, Change change) {
    const std::set<std::string> functions = realized(program);
    return rewrite<LetStmt>(program, [&](const LetStmt* let) -> Stmt {
        const Add* sum = let->value.as<Add>();
        const bool pure = let->name.find(".s0.") != std::string::npos && ends_with(let->name, bound);
        if (sum == nullptr || !pure || !functions.contains(let->name.substr(0, let->name.find(".s0.")))) { return let; }
        const auto offset = as_const_int(sum->b);
        return offset && change(*offset) != 0 ? with_value(let, let->value + static_cast<int>(change(*offset)))
                                              : Stmt(let);
    });
}

}  // namespace

// The lets are x.loop_extent = (e + factor - 1) / factor, and x.loop_max, which is one less.
Stmt tail_iteration_lost(const Stmt& program) {
    auto rounded_down = [](const Div* quotient) -> Expr {
        const Add* sum = quotient->a.as<Add>();
        return sum != nullptr && equal(sum->b, quotient->b) ? (sum->a + 1) / quotient->b : Expr(quotient);
    };
    return rewrite<LetStmt>(program, [&](const LetStmt* let) -> Stmt {
        const bool bound = ends_with(let->name, ".loop_extent") || ends_with(let->name, ".loop_max");
        if (!bound || let->name.find(".s0.") != std::string::npos) { return let; }
        const Expr value = Rewriter<Div, decltype(rounded_down)>(rounded_down).mutate(let->value);
        return value.same_as(let->value) ? Stmt(let) : with_value(let, value);
    });
}

// A shifted tile has its base in a let: x.base = min(likely(…), x.loop_max + (1 - factor)).
Stmt shifted_tail_short(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        const Min* base = let->value.as<Min>();
        return base != nullptr && ends_with(let->name, ".base") ? with_value(let, min(base->a, base->b - 1))
                                                                : Stmt(let);
    });
}

// The guards of tails are marked as likely; specialisations have an else case.
Stmt where_ignored(const Stmt& program) {
    return rewrite<IfThenElse>(program, [](const IfThenElse* guard) -> Stmt {
        const bool of_domain = !guard->else_case.defined() && guard->condition.as<Call>() == nullptr;
        return of_domain && !nodes<Provide>(guard->then_case).empty() ? guard->then_case : Stmt(guard);
    });
}

Stmt required_max_short(const Stmt& program) {
    return change_footprints(program, ".max", [](auto offset) { return offset > 0 ? -1 : 0; });
}

Stmt required_min_late(const Stmt& program) {
    return change_footprints(program, ".min", [](auto offset) { return offset < 0 ? 1 : 0; });
}

// The part still to be computed starts after the part that earlier iterations have computed: x.min (or x.max when
// sliding backwards) is select(first iteration < loop, likely(next), all of it), or a clamp with x.loop_min.orig in a
// loop that warms up.
Stmt slide_too_far(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        const bool is_min = ends_with(let->name, ".min");
        if (!is_min && !ends_with(let->name, ".max")) { return let; }
        const int step = is_min ? 1 : -1;
        if (const Select* first = let->value.as<Select>()) {
            const Call* next = first->true_value.as<Call>();
            return next != nullptr && next->is_intrinsic(Call::likely_if_innermost)
                       ? with_value(let, select(first->condition, first->true_value + step, first->false_value))
                       : Stmt(let);
        }
        const auto variables = nodes<Variable>(let->value);
        const bool warms_up = std::ranges::any_of(
            variables, [](const Variable* variable) { return ends_with(variable->name, ".loop_min.orig"); });
        return warms_up ? with_value(let, let->value + step) : Stmt(let);
    });
}

// A loop x that warms up is called x.$n.
Stmt warm_up_short(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        return ends_with(let->name, ".$n.loop_min") ? with_value(let, let->value + 1) : Stmt(let);
    });
}

Stmt last_update_lost(const Stmt& program) {
    return rewrite<Block>(program, [](const Block* block) -> Stmt {
        const For* loop = block->rest.as<For>();
        return loop != nullptr && loop->name.find(".s2.") != std::string::npos ? block->first : Stmt(block);
    });
}

}  // namespace haruspex::halide::mutants
