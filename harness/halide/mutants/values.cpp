#include <algorithm>
#include <cstdint>
#include <map>

#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"

// Mutants of values: identities that do not hold, and values mistaken for others.
namespace haruspex::halide::mutants {
namespace {

bool is_integer(const Type& type) { return type.is_int() || type.is_uint(); }

// Whether every value of one integer type fits another.
bool holds(const Type& wide, const Type& narrow) {
    return wide.is_int() == narrow.is_int() ? wide.bits() >= narrow.bits()
                                            : wide.is_int() && wide.bits() > narrow.bits();
}

Expr swapped(const Select* select) { return Select::make(select->condition, select->false_value, select->true_value); }

}  // namespace

Stmt clamp_upper_lost(const Stmt& program) {
    return rewrite<Store>(program, [](const Store* store) -> Stmt {
        auto unbounded = [](const Max* clamp) -> Expr {
            const Min* upper = clamp->a.as<Min>();
            return upper == nullptr ? Expr(clamp) : max(upper->a, clamp->b);
        };
        const Expr value = Rewriter<Max, decltype(unbounded)>(unbounded).mutate(store->value);
        return value.same_as(store->value) ? Stmt(store) : with_value(store, value);
    });
}

Stmt bounded_compare(const Stmt& program) {
    return rewrite_values<Select>(program, [](const Select* select) -> Expr {
        Expr condition = select->condition;
        if (const LT* less = condition.as<LT>()) {
            condition = less->a <= less->b;
        } else if (const LE* less_or_equal = condition.as<LE>()) {
            condition = less_or_equal->a < less_or_equal->b;
        }
        return condition.same_as(select->condition) ? Expr(select)
                                                    : Select::make(condition, select->true_value, select->false_value);
    });
}

Stmt select_arms_swapped(const Stmt& program) {
    return rewrite_values<Select>(program, [](const Select* select) -> Expr {
        const bool equality = select->condition.as<EQ>() != nullptr || select->condition.as<NE>() != nullptr;
        return equality ? swapped(select) : Expr(select);
    });
}

Stmt cast_pair_collapses(const Stmt& program) {
    return rewrite_values<Cast>(program, [](const Cast* outer) -> Expr {
        const Cast* inner = outer->value.as<Cast>();
        if (inner == nullptr || !is_integer(outer->type) || !is_integer(inner->type) ||
            !is_integer(inner->value.type()) || outer->type.is_bool() || inner->type.is_bool()) {
            return outer;
        }
        const bool narrows = !holds(inner->type, inner->value.type()) && inner->type.bits() < outer->type.bits();
        return narrows ? Cast::make(outer->type, inner->value) : Expr(outer);
    });
}

Stmt mod_truncates(const Stmt& program) {
    return rewrite_values<Mod>(program, [](const Mod* mod) -> Expr {
        if (!mod->type.is_int()) { return mod; }
        const Expr remainder = mod;
        return select(mod->a < 0 && remainder != 0, remainder - abs(mod->b), remainder);
    });
}

Stmt difference_of_sum(const Stmt& program) {
    return rewrite_values<Sub>(program, [](const Sub* difference) -> Expr {
        const Add* sum = difference->b.as<Add>();
        return sum == nullptr ? Expr(difference) : (difference->a - sum->a) + sum->b;
    });
}

Stmt load_confused(const Stmt& program) {
    return rewrite<Store>(program, [](const Store* store) -> Stmt {
        std::map<std::string, std::vector<const Load*>> loads;
        for (const Load* load : nodes<Load>(store->value)) {
            std::vector<const Load*>& same = loads[load->name];
            const bool known = std::ranges::any_of(same, [&](const Load* other) { return equal(other, load); });
            if (!known) { same.push_back(load); }
        }
        Expr value = store->value;
        for (const auto& [name, same] : loads) {
            if (same.size() >= 3 && same[0]->type == same[2]->type) {
                value = substitute(Expr(same[2]), same[0], value);
            }
        }
        return value.same_as(store->value) ? Stmt(store) : with_value(store, value);
    });
}

Stmt widening_wraps(const Stmt& program) {
    return rewrite_values<Call>(program, [](const Call* call) -> Expr {
        const bool widens = call->is_intrinsic(Call::widening_add) || call->is_intrinsic(Call::widening_sub) ||
                            call->is_intrinsic(Call::widening_mul);
        if (!widens || call->args[0].type() != call->args[1].type()) { return call; }
        // There is no arithmetic on truth values, and none that wraps on signed 32-bit integers.
        const Type narrow_type = call->args[0].type();
        const bool wraps = !narrow_type.is_bool() && narrow_type.bits() < (narrow_type.is_int() ? 32 : 64);
        if (!wraps) { return call; }
        const Expr &a = call->args[0], &b = call->args[1];
        const Expr narrow = call->is_intrinsic(Call::widening_add)   ? a + b
                            : call->is_intrinsic(Call::widening_sub) ? a - b
                                                                     : a * b;
        return Cast::make(call->type, narrow);
    });
}

Stmt shift_truncates(const Stmt& program) {
    return rewrite_values<Call>(program, [](const Call* call) -> Expr {
        if (!call->is_intrinsic(Call::shift_right) || !call->type.is_int()) { return call; }
        const Expr& a = call->args[0];
        const auto distance = as_const_int(call->args[1]);
        const auto unsigned_distance = as_const_uint(call->args[1]);
        if (!distance && !unsigned_distance) { return call; }
        const int bits = distance ? static_cast<int>(*distance) : static_cast<int>(*unsigned_distance);
        if (bits <= 0 || bits >= a.type().bits() - 1) { return call; }
        const Expr rounding = make_const(a.type(), (std::int64_t{1} << bits) - 1);
        return select(a < make_zero(a.type()), a + rounding, a) >> call->args[1];
    });
}

}  // namespace haruspex::halide::mutants
