#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/base/ids.h"
#include "generators/value/value.h"
#include "oracle/equivalence/algebra.h"
#include "oracle/equivalence/memory.h"

// A program as a dependence graph.
//
//   node ::= a computation with an iteration domain, { node[i, …] }, and the term that each iteration evaluates
//   term ::= literal | embed(index) | guard(condition)      index and condition are affine in the iteration
//          | read                                           the value last written: edges to nodes and inputs
//          | operator(term, …)
//          | select on an affine condition (term, term)
//
// An edge is a relation from the iterations of the reading node to those of the node that computed the value, or to the
// coordinates of an input. Edges of one read are single-valued and have disjoint domains. They are computed on first
// use (exact array data-flow analysis, memory.h).
//
// Following edges terminates: each goes back in the order of execution, or, in a SARE of general recurrences, in an
// order that generators/affine/descent.h has shown to be well-founded. The prover's inductions rest on that.
namespace haruspex::equivalence {

using TermId = Id<struct TermTag>;

struct Literal {
    value::Value value;
};
// The value of an index at a type.
struct Embed {
    value::Type type = value::Type::i32;
    isl::map index;  // { node[i] -> [index] }, single-valued, possibly on more iterations than exist
};
// The truth of an affine condition, a bool.
struct Guard {
    isl::set holds;  // { node[i] }
};
struct Read {
    ReadId read;
};
struct Apply {
    Operator op;
    std::vector<TermId> operands;
};
// Eager: both alternatives are evaluated, and an Undef in either gives Undef; an Uninit in the one not chosen is
// harmless.
struct AffineSelect {
    value::Type type = value::Type::i32;
    isl::set holds;  // { node[i] }
    TermId if_true, if_false;
};

struct Term {
    std::variant<Literal, Embed, Guard, Read, Apply, AffineSelect> what;
    NodeId node;  // whose iterations it ranges over
};

struct Node {
    std::string tuple;           // the name of its iteration tuples, unique in this graph
    std::string label;           // for people: the statement or the equation
    isl::set domain;             // { tuple[i, …] }
    isl::set around;             // a convex superset of the domain
    std::optional<TermId> root;  // set once it is known
};

// The target of an edge.
struct InputTensor {
    std::string tensor;
    int component = 0;
    auto operator<=>(const InputTensor&) const = default;
};
struct Edge {
    std::variant<NodeId, InputTensor> to;
    isl::map step;          // { reader[i] -> node[j] }, or { reader[i] -> [coordinates] } of an input, possibly on more
                            // iterations than `domain`
    isl::set domain;        // the existing iterations on which the edge applies
    bool is_whole = false;  // the domain is that of the reader
};

struct GraphOutput {
    std::string tensor;
    int component = 0;
    isl::set cells;  // { [coordinates] } that are requested
    TermId value;    // a read, over a node of its own whose iterations are { tuple[coordinates] }
};

// Whether converting the index to its type never gives Undef in these iterations (i32 and i64 can). Conservative.
bool always_fits(const Embed& embed, const isl::set& iterations);

class Graph {
public:
    // Names of tuples, of nodes and arrays, begin with the prefix. Without normal forms, operators are uninterpreted
    // symbols.
    Graph(isl::ctx ctx, std::string prefix, isl::set context, bool normal_forms)
        : ctx_(ctx), prefix_(std::move(prefix)), context_(std::move(context)), normal_forms_(normal_forms) {}

    isl::ctx ctx() const { return ctx_; }
    // The assumptions on parameters, to which domains are restricted.
    const isl::set& context() const { return context_; }

    // Adds a node, and names the tuples of its domain after it.
    NodeId add_node(const isl::set& domain, std::string label);
    void set_root(NodeId node, TermId root);
    TermId add(Term term);
    // Adds the operator on these operands. An operator on affine conditions gives an affine condition, and a choice by
    // an affine condition an affine select.
    TermId apply_symbol(NodeId node, const Operator& op, const std::vector<TermId>& operands);
    bool has_normal_forms() const { return normal_forms_; }
    Memory& memory() { return memory_; }
    const Memory& memory() const { return memory_; }
    // Returns a name that no other tuple has.
    std::string fresh_tuple(const std::string& kind) { return prefix_ + kind + std::to_string(tuples_++); }

    // { node[i] -> [values] }, from expressions over isl parameters; `dimensions` are the parameters that become the
    // node's dimensions.
    isl::map over(NodeId node, const std::vector<std::string>& dimensions,
                  const std::vector<isl::pw_aff>& values) const;
    // { node[i] : condition }, likewise.
    isl::set over(NodeId node, const std::vector<std::string>& dimensions, const isl::set& condition) const;

    const Node& node(NodeId id) const { return nodes_.at(id.value); }
    const Term& term(TermId id) const { return terms_.at(id.value); }
    std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }

    const std::vector<Edge>& edges(ReadId read);
    // The reads in the term and its subterms.
    std::vector<ReadId> reads(TermId term) const;

    // Whether the term's value is never Undef in these iterations, whatever the inputs are. Conservative.
    bool is_never_undef(TermId term, const isl::set& iterations);
    // Whether a node's value may depend on another of its own iterations. Conservative.
    bool is_recurrent(NodeId node);

    std::vector<GraphOutput> outputs;

private:
    // Whether it may be Undef in one of these iterations; in any iteration of the node if none are given.
    bool may_be_undef(TermId term, const isl::set* iterations);
    bool may_read_undef(ReadId read, const isl::set* iterations);
    void find_undef();
    void find_recurrences();

    isl::ctx ctx_;
    std::string prefix_;
    isl::set context_;
    bool normal_forms_;
    std::vector<Node> nodes_;
    std::vector<Term> terms_;
    Memory memory_;
    std::map<ReadId, std::vector<Edge>> edges_;
    std::optional<std::vector<bool>> undef_, recurrent_;  // by node, once they are found
    int tuples_ = 0;
};

}  // namespace haruspex::equivalence
