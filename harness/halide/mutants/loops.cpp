#include <cstdint>
#include <numeric>

#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"

// Mutants of loops: unrolling, vectorisation, partitioning, and hoisting.
namespace haruspex::halide::mutants {
namespace {

bool stores(const Stmt& statement) { return !nodes<Store>(statement).empty(); }

// Changes loops of this type with at least `least` constant iterations.
template <typename Change>
Stmt change_copies(const Stmt& program, ForType type, std::int64_t least, Change change) {
    return rewrite<For>(program, [&](const For* loop) -> Stmt {
        if (loop->for_type != type) { return loop; }
        const auto count = as_const_int(loop->extent);
        return count && *count >= least ? change(loop, static_cast<int>(*count)) : Stmt(loop);
    });
}

Stmt last_repeats(const For* loop, int count) {
    const Expr variable = Variable::make(loop->min.type(), loop->name);
    return with(loop, loop->extent, loop->for_type,
                substitute(loop->name, min(variable, loop->min + (count - 2)), loop->body));
}

// Returns a load that is the same in all iterations of a loop although its body stores to it.
const Load* accumulator(const For* loop) {
    if (!nodes<For>(loop->body).empty()) { return nullptr; }
    Scope<> varying;
    varying.push(loop->name);
    for (const LetStmt* let : nodes<LetStmt>(loop->body)) { varying.push(let->name); }
    for (const Let* let : nodes<Let>(loop->body)) { varying.push(let->name); }
    for (const Store* store : nodes<Store>(loop->body)) {
        for (const Load* load : nodes<Load>(store->value)) {
            if (load->name == store->name && equal(load->index, store->index) && !expr_uses_vars(load, varying) &&
                nodes<Load>(load->index).empty()) {
                return load;
            }
        }
    }
    return nullptr;
}

}  // namespace

Stmt unroll_last_lost(const Stmt& program) {
    return change_copies(program, ForType::Unrolled, 2,
                         [](const For* loop, int count) { return with(loop, count - 1, loop->for_type, loop->body); });
}

Stmt unroll_repeats(const Stmt& program) { return change_copies(program, ForType::Unrolled, 3, last_repeats); }

Stmt last_lane_repeats(const Stmt& program) { return change_copies(program, ForType::Vectorized, 2, last_repeats); }

Stmt lanes_swapped(const Stmt& program) {
    return rewrite<Store>(program, [](const Store* store) -> Stmt {
        if (store->value.type().lanes() < 4) { return store; }
        std::vector<int> order(static_cast<std::size_t>(store->value.type().lanes()));
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[0], order[1]);
        return with_value(store, Shuffle::make({store->value}, order));
    });
}

Stmt stride_ignored(const Stmt& program) {
    return rewrite<Load>(program, [](const Load* load) -> Expr {
        const Ramp* ramp = load->index.as<Ramp>();
        const bool strided = ramp != nullptr && is_positive_const(ramp->stride) && !is_const_one(ramp->stride);
        return strided ? with_index(load, Ramp::make(ramp->base, make_one(ramp->base.type()), ramp->lanes))
                       : Expr(load);
    });
}

Stmt store_predicate_dropped(const Stmt& program) {
    return rewrite<Store>(program, [](const Store* store) -> Stmt {
        return is_const_one(store->predicate) ? Stmt(store)
                                              : with_predicate(store, const_true(store->predicate.type().lanes()));
    });
}

Stmt store_predicate_short(const Stmt& program) {
    auto strict = [](const LE* inside) -> Expr { return inside->a < inside->b; };
    return rewrite<Store>(program, [&](const Store* store) -> Stmt {
        const Expr predicate = Rewriter<LE, decltype(strict)>(strict).mutate(store->predicate);
        return predicate.same_as(store->predicate) ? Stmt(store) : with_predicate(store, predicate);
    });
}

Stmt guard_one_more(const Stmt& program) {
    return rewrite<IfThenElse>(program, [](const IfThenElse* guard) -> Stmt {
        const LE* inside = guard->condition.as<LE>();
        if (inside == nullptr || guard->else_case.defined() || !stores(guard->then_case)) { return guard; }
        return IfThenElse::make(inside->a <= inside->b + 1, guard->then_case);
    });
}

// A partitioned loop consists of a prologue, a steady state and an epilogue, which starts at a variable x.epilogue.
Stmt epilogue_skipped(const Stmt& program) {
    return rewrite<Block>(program, [](const Block* block) -> Stmt {
        const For* epilogue = block->rest.as<For>();
        const Variable* start = epilogue == nullptr ? nullptr : epilogue->min.as<Variable>();
        return start != nullptr && start->name.find(".epilogue") != std::string::npos ? block->first : Stmt(block);
    });
}

Stmt steady_state_longer(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        return let->name.find(".epilogue") != std::string::npos ? with_value(let, let->value + 1) : Stmt(let);
    });
}

// Loops of recurrence variables are called f.s1.r$x. Other dollars belong to the names of functions, and to the loops
// f.s0.x.$n that a sliding window makes.
Stmt reduction_parallel(const Stmt& program) {
    return rewrite<For>(program, [](const For* loop) -> Stmt {
        const std::size_t stage = loop->name.rfind(".s");
        const std::size_t dollar = loop->name.find('$', stage == std::string::npos ? 0 : stage);
        const bool recurrence = dollar != std::string::npos && loop->name[dollar - 1] != '.';
        return recurrence && loop->for_type == ForType::Serial ? with(loop, loop->extent, ForType::Parallel, loop->body)
                                                               : Stmt(loop);
    });
}

Stmt load_hoisted(const Stmt& program) {
    return rewrite<For>(program, [](const For* loop) -> Stmt {
        const Load* load = loop->for_type == ForType::Serial ? accumulator(loop) : nullptr;
        if (load == nullptr) { return loop; }
        const std::string name = load->name + ".hoisted";
        const Stmt body = substitute(Expr(load), Variable::make(load->type, name), loop->body);
        return LetStmt::make(name, load, with(loop, loop->extent, loop->for_type, body));
    });
}

}  // namespace haruspex::halide::mutants
