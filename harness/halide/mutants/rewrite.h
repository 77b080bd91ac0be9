#pragma once

#include <Halide.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Tools with which the mutants of changes.h change statements. Asserts are not changed: they are about buffers, not
// about the computation.
namespace haruspex::halide::mutants {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

template <typename Node>
using Tree = std::conditional_t<std::is_base_of_v<BaseExprNode, Node>, Expr, Stmt>;

// Prophecies (harness/halide/prophecy.h) are calls around a value, opaque to the passes. Mutants see only the value, so
// that they change a program with prophecies in the same way as the plain program.
const Call* as_prophecy(const Expr& value);
Expr with_value(const Call* prophecy, const Expr& value);
Expr without_prophecy(const Expr& value);

// Rewrites each node of a type, children before their parents.
template <typename Node, typename Rewrite>
class Rewriter : public IRMutator {
public:
    explicit Rewriter(Rewrite rewrite) : rewrite_(std::move(rewrite)) {}

    using IRMutator::mutate;
    Expr mutate(const Expr& tree) override {
        const Call* prophecy = as_prophecy(tree);
        return prophecy == nullptr ? IRMutator::mutate(tree) : with_value(prophecy, mutate(prophecy->args.front()));
    }

protected:
    using IRMutator::visit;
    Tree<Node> visit(const Node* node) override {
        const Tree<Node> inner = IRMutator::visit(node);
        const Node* same = inner.template as<Node>();
        return same == nullptr ? inner : rewrite_(same);
    }
    Stmt visit(const AssertStmt* assert) override { return assert; }

private:
    Rewrite rewrite_;
};

// The same, but leaves loads with their indices and predicates alone.
template <typename Node, typename Rewrite>
class ValueRewriter : public Rewriter<Node, Rewrite> {
public:
    using Rewriter<Node, Rewrite>::Rewriter;

protected:
    using Rewriter<Node, Rewrite>::visit;
    Expr visit(const Load* load) override { return load; }
};

// Rewrites each node of a type. `rewrite_node` takes a const Node* and returns an Expr if nodes of the type are
// expressions, a Stmt if they are statements.
template <typename Node, typename Rewrite>
Stmt rewrite(const Stmt& statement, Rewrite rewrite_node) {
    return Rewriter<Node, Rewrite>(std::move(rewrite_node)).mutate(statement);
}

// Returns the nodes of a type, children before their parents.
template <typename Node, typename Anything>
std::vector<const Node*> nodes(const Anything& tree) {
    std::vector<const Node*> found;
    auto keep = [&](const Node* node) {
        found.push_back(node);
        return Tree<Node>(node);
    };
    Rewriter<Node, decltype(keep)>(keep).mutate(tree);
    return found;
}

// Return the node with one part replaced.
Stmt with_value(const LetStmt* let, const Expr& value);
Stmt with_value(const Store* store, const Expr& value);
Stmt with_predicate(const Store* store, const Expr& predicate);
Expr with_index(const Load* load, const Expr& index);

// Returns a copy of the loop with another extent, type and body. In later versions of Halide, Loop::make takes further
// arguments; they are fields of the loop.
template <typename Loop>
Stmt with(const Loop* loop, const Expr& extent, ForType type, const Stmt& body) {
    if constexpr (requires { loop->partition_policy; }) {
        return Loop::make(loop->name, loop->min, extent, type, loop->partition_policy, loop->device_api, body);
    } else {
        return Loop::make(loop->name, loop->min, extent, type, loop->device_api, body);
    }
}

// Rewrites each node of a type in stored values, but not in loads within them.
template <typename Node, typename Rewrite>
Stmt rewrite_values(const Stmt& statement, Rewrite rewrite_node) {
    return rewrite<Store>(statement, [&](const Store* store) -> Stmt {
        const Expr value = ValueRewriter<Node, Rewrite>(rewrite_node).mutate(store->value);
        return value.same_as(store->value) ? Stmt(store) : with_value(store, value);
    });
}

}  // namespace haruspex::halide::mutants
