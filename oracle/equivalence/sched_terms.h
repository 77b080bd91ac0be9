#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/equivalence/graph.h"
#include "oracle/equivalence/scope.h"

namespace haruspex::equivalence {

// Builds the values of a statement's expressions as terms of a graph. Borrows the graph.
class SchedTerms {
public:
    struct Hooks {
        // Makes a node for a value-let inside the expression, which is evaluated with the statement.
        std::function<ValueInScope(const Scope&, const std::optional<sched::Lanes>&, value::Type, const sched::Expr&)>
            bind;
        // Called for each read of memory.
        std::function<void(ReadId)> reads;
        // Called if a value-let is read at a lane that it does not have, with the iterations that do so.
        std::function<void(const isl::set&)> beyond_lanes;
    };
    // `variables` are the isl parameters that become the dimensions of the statement's nodes.
    SchedTerms(Graph& graph, Scope scope, std::vector<std::string> variables, Hooks hooks)
        : graph_(graph), scope_(std::move(scope)), variables_(std::move(variables)), hooks_(std::move(hooks)) {}

    TermId value(const sched::Expr& expr, NodeId node) const { return typed(expr, node, scope_).first; }
    TermId load(const std::string& array, const std::vector<sched::Expr>& indices, NodeId node) const;
    // { node[i] -> array[c] }
    isl::map cell(const ArrayInScope& array, const std::vector<sched::Expr>& indices, NodeId node) const {
        return cell(array, indices, node, scope_);
    }

private:
    using Typed = std::pair<TermId, value::Type>;

    Typed typed(const sched::Expr& expr, NodeId node, const Scope& scope) const;
    Typed load(const sched::Load& load, NodeId node, const Scope& scope) const;
    Typed variable(const sched::ValueVariable& variable, NodeId node, const Scope& scope) const;
    Typed fold(const sched::LaneReduce& reduce, NodeId node, const Scope& scope) const;
    Typed guard(const sched::Expr& condition, NodeId node, const Scope& scope) const;
    Typed embed(const sched::Embed& embed, NodeId node, const Scope& scope) const;
    Typed select(const sched::Select& select, NodeId node, const Scope& scope) const;
    // The condition of a select: an affine one, or a bool.
    TermId choice(const sched::Expr& condition, NodeId node, const Scope& scope) const;
    isl::map cell(const ArrayInScope& array, const std::vector<sched::Expr>& indices, NodeId node,
                  const Scope& scope) const;

    Graph& graph_;
    Scope scope_;
    std::vector<std::string> variables_;
    Hooks hooks_;
};

}  // namespace haruspex::equivalence
