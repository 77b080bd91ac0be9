#include <map>
#include <set>

#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"

// Mutants of storage: folding, tuples, the layout and the lifetime of allocations.
namespace haruspex::halide::mutants {
namespace {

// Dimensions of functions with folded storage, and their numbers of slots: realized from zero, with every coordinate a
// remainder.
using Folds = std::map<std::string, std::map<std::size_t, int>>;

Folds folds(const Stmt& program) {
    Folds found;
    for (const Realize* realize : nodes<Realize>(program)) {
        for (std::size_t d = 0; d < realize->bounds.size(); ++d) {
            const auto slots = as_const_int(realize->bounds[d].extent);
            if (is_const_zero(realize->bounds[d].min) && slots && *slots > 1) {
                found[realize->name][d] = static_cast<int>(*slots);
            }
        }
    }
    for (const Provide* provide : nodes<Provide>(program)) {
        const auto function = found.find(provide->name);
        if (function == found.end()) { continue; }
        std::erase_if(function->second, [&](const std::pair<const std::size_t, int>& dimension) {
            const Mod* slot = provide->args[dimension.first].as<Mod>();
            return slot == nullptr || !is_const(slot->b, dimension.second);
        });
    }
    std::erase_if(found, [](const auto& function) { return function.second.empty(); });
    return found;
}

// Calls change(coordinate, slots) for every folded coordinate of an access.
template <typename Change>
bool change_slots(const Folds& folds, const std::string& function, std::vector<Expr>& coordinates, Change change) {
    const auto found = folds.find(function);
    if (found == folds.end()) { return false; }
    for (const auto& [dimension, slots] : found->second) {
        if (const Mod* slot = coordinates[dimension].template as<Mod>()) {
            coordinates[dimension] = change(slot->a, slots);
        }
    }
    return true;
}

template <typename Change>
Stmt change_folded_loads(const Stmt& program, const Folds& folds, Change change) {
    return rewrite<Provide>(program, [&](const Provide* provide) -> Stmt {
        auto changed = [&](const Call* call) -> Expr {
            std::vector<Expr> coordinates = call->args;
            if (call->call_type != Call::Halide || !change_slots(folds, call->name, coordinates, change)) {
                return call;
            }
            return Call::make(call->type, call->name, coordinates, call->call_type, call->func, call->value_index,
                              call->image, call->param);
        };
        std::vector<Expr> values;
        for (const Expr& value : provide->values) {
            values.push_back(Rewriter<Call, decltype(changed)>(changed).mutate(value));
        }
        return Provide::make(provide->name, values, provide->args, provide->predicate);
    });
}

bool mentions(const Stmt& statement, const std::string& memory) {
    for (const Load* load : nodes<Load>(statement)) {
        if (load->name == memory) { return true; }
    }
    for (const Store* store : nodes<Store>(statement)) {
        if (store->name == memory) { return true; }
    }
    return stmt_uses_var(statement, memory);
}

// Returns the statement with the allocation moved into the body of the outermost serial loop that contains all its
// uses; undefined if there is no such loop.
Stmt moved_into_loop(const Stmt& statement, const Allocate* allocation) {
    if (const For* loop = statement.as<For>()) {
        if (loop->for_type != ForType::Serial) { return {}; }
        return with(loop, loop->extent, loop->for_type,
                    Allocate::make(allocation->name, allocation->type, allocation->memory_type, allocation->extents,
                                   allocation->condition, loop->body, allocation->new_expr, allocation->free_function));
    }
    if (const LetStmt* let = statement.as<LetStmt>()) {
        const Stmt body = moved_into_loop(let->body, allocation);
        // An allocation whose address is itself a value has to stay in scope.
        if (!body.defined() || expr_uses_var(let->value, allocation->name)) { return {}; }
        return LetStmt::make(let->name, let->value, body);
    }
    if (const ProducerConsumer* stage = statement.as<ProducerConsumer>()) {
        const Stmt body = moved_into_loop(stage->body, allocation);
        return body.defined() ? ProducerConsumer::make(stage->name, stage->is_producer, body) : Stmt();
    }
    if (const Block* block = statement.as<Block>()) {
        const bool in_first = mentions(block->first, allocation->name);
        if (in_first == mentions(block->rest, allocation->name)) { return {}; }
        const Stmt part = moved_into_loop(in_first ? block->first : block->rest, allocation);
        if (!part.defined()) { return {}; }
        return in_first ? Block::make(part, block->rest) : Block::make(block->first, part);
    }
    return {};
}

}  // namespace

Stmt realized_extent_short(const Stmt& program) {
    std::set<std::string> extents;
    for (const Realize* realize : nodes<Realize>(program)) {
        if (realize->bounds.size() < 2) { continue; }
        if (const Variable* extent = realize->bounds[1].extent.as<Variable>()) { extents.insert(extent->name); }
    }
    return rewrite<LetStmt>(program, [&](const LetStmt* let) -> Stmt {
        return extents.contains(let->name) && !is_const(let->value) ? with_value(let, let->value - 1) : Stmt(let);
    });
}

Stmt fold_halved(const Stmt& program) {
    const Folds folded = folds(program);
    auto slot = [](const Expr& coordinate, int slots) { return coordinate % (slots / 2); };
    Stmt changed = change_folded_loads(program, folded, slot);
    changed = rewrite<Provide>(changed, [&](const Provide* provide) -> Stmt {
        std::vector<Expr> coordinates = provide->args;
        change_slots(folded, provide->name, coordinates, slot);
        return Provide::make(provide->name, provide->values, coordinates, provide->predicate);
    });
    return rewrite<Realize>(changed, [&](const Realize* realize) -> Stmt {
        const auto found = folded.find(realize->name);
        if (found == folded.end()) { return realize; }
        Halide::Region bounds = realize->bounds;
        for (const auto& [dimension, slots] : found->second) { bounds[dimension].extent = slots / 2; }
        return Realize::make(realize->name, realize->types, realize->memory_type, bounds, realize->condition,
                             realize->body);
    });
}

Stmt fold_slot_off(const Stmt& program) {
    return change_folded_loads(program, folds(program),
                               [](const Expr& coordinate, int slots) { return (coordinate + 1) % slots; });
}

// After this pass, components are functions of their own: f.0, f.1, …
Stmt tuple_component_mixed(const Stmt& program) {
    std::map<std::string, Type> types;
    for (const Realize* realize : nodes<Realize>(program)) {
        if (realize->types.size() == 1) { types[realize->name] = realize->types.front(); }
    }
    return rewrite<Provide>(program, [&](const Provide* provide) -> Stmt {
        auto first = [&](const Call* call) -> Expr {
            if (call->call_type != Call::Halide || !ends_with(call->name, ".1")) { return call; }
            const std::string name = call->name.substr(0, call->name.size() - 1) + "0";
            const auto type = types.find(name);
            if (type == types.end() || type->second != call->type) { return call; }
            return Call::make(call->type, name, call->args, call->call_type, call->func, 0, call->image, call->param);
        };
        std::vector<Expr> values;
        for (const Expr& value : provide->values) {
            values.push_back(Rewriter<Call, decltype(first)>(first).mutate(value));
        }
        return Provide::make(provide->name, values, provide->args, provide->predicate);
    });
}

// Values that depend on each other's components are computed before any is stored, in lets f.0.value, f.1.value, …
Stmt tuple_not_atomic(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        return ends_with(let->name, ".1.value") ? substitute(let->name, let->value, let->body) : Stmt(let);
    });
}

Stmt row_stride_short(const Stmt& program) {
    return rewrite<LetStmt>(program, [](const LetStmt* let) -> Stmt {
        const Mul* stride = let->value.as<Mul>();
        return stride != nullptr && ends_with(let->name, ".stride.1") ? with_value(let, stride->a * (stride->b - 1))
                                                                      : Stmt(let);
    });
}

Stmt allocation_short(const Stmt& program) {
    return rewrite<Allocate>(program, [](const Allocate* allocation) -> Stmt {
        if (allocation->extents.size() < 2) { return allocation; }
        Expr cells = allocation->extents.front();
        for (std::size_t d = 1; d < allocation->extents.size(); ++d) { cells = cells * allocation->extents[d]; }
        return Allocate::make(allocation->name, allocation->type, allocation->memory_type, {cells - 1},
                              allocation->condition, allocation->body, allocation->new_expr, allocation->free_function);
    });
}

Stmt allocation_in_loop(const Stmt& program) {
    return rewrite<Allocate>(program, [](const Allocate* allocation) -> Stmt {
        Stmt body = allocation->body;
        // The buffer that describes the memory is used only by calls of external stages.
        const LetStmt* buffer = body.as<LetStmt>();
        if (buffer != nullptr && buffer->name == allocation->name + ".buffer" &&
            !stmt_uses_var(buffer->body, buffer->name)) {
            body = buffer->body;
        }
        const Stmt moved = moved_into_loop(body, allocation);
        return moved.defined() ? moved : Stmt(allocation);
    });
}

Stmt update_doubled(const Stmt& program) {
    return rewrite<Store>(program, [](const Store* store) -> Stmt {
        const Expr value = without_prophecy(store->value);
        const Add* sum = value.as<Add>();
        const Load* old = sum == nullptr ? nullptr : sum->a.as<Load>();
        return old != nullptr && old->name == store->name && equal(old->index, store->index) ? Block::make(store, store)
                                                                                             : Stmt(store);
    });
}

}  // namespace haruspex::halide::mutants
