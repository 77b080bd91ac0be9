#include "oracle/equivalence/graph.h"

#include <algorithm>
#include <utility>

#include "generators/affine/convex.h"
#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::equivalence {

bool always_fits(const Embed& embed, const isl::set& iterations) {
    if (!value::overflow_is_undefined(embed.type)) { return true; }
    const isl::multi_pw_aff index(embed.index.intersect_domain(iterations).as_pw_multi_aff());
    if (index.size() != 1) { return false; }
    const auto range = affine::range(index.at(0));
    if (!range) { return iterations.is_empty(); }
    const std::int64_t bound = std::int64_t{1} << (value::bits(embed.type) - 2);
    return -bound < range->low && range->high < bound;
}

NodeId Graph::add_node(const isl::set& domain, std::string label) {
    std::string tuple = fresh_tuple("S");
    const isl::set there = affine::with_tuple_name(domain.intersect_params(context_), tuple);
    nodes_.push_back({tuple, std::move(label), there, affine::surrounding(there), {}});
    return {node_count() - 1};
}

void Graph::set_root(NodeId node, TermId root) {
    ENSURE(!nodes_.at(node.value).root, "a node computes one term");
    nodes_[node.value].root = root;
}

TermId Graph::add(Term term) {
    if (auto* embed = std::get_if<Embed>(&term.what)) { embed->index = affine::unrestricted(embed->index); }
    terms_.push_back(std::move(term));
    return {static_cast<std::uint32_t>(terms_.size() - 1)};
}

isl::map Graph::over(NodeId id, const std::vector<std::string>& dimensions,
                     const std::vector<isl::pw_aff>& values) const {
    const isl::set& domain = node(id).domain;
    // isl has no functions with an empty tuple of values.
    if (values.empty()) {
        return domain.space().add_unnamed_tuple(0).zero_multi_pw_aff().as_map().intersect_domain(domain);
    }
    return affine::tuple(ctx_, values)
        .unbind_params_insert_domain(affine::tuple_of(ctx_, dimensions))
        .as_map()
        .set_domain_tuple(node(id).tuple)
        .intersect_domain(domain);
}

isl::set Graph::over(NodeId id, const std::vector<std::string>& dimensions, const isl::set& condition) const {
    return affine::with_tuple_name(condition.unbind_params(affine::tuple_of(ctx_, dimensions)), node(id).tuple)
        .intersect(node(id).domain);
}

TermId Graph::apply_symbol(NodeId node, const Operator& op, const std::vector<TermId>& operands) {
    const auto* binary = std::get_if<value::BinaryOp>(&op.what);
    const auto* unary = std::get_if<value::UnaryOp>(&op.what);
    const auto guard = [&](std::size_t i) { return std::get_if<Guard>(&term(operands[i]).what); };
    // a > b is b < a at every type, also for NaN.
    if (binary != nullptr && (*binary == value::BinaryOp::gt || *binary == value::BinaryOp::ge)) {
        const auto turned = *binary == value::BinaryOp::gt ? value::BinaryOp::lt : value::BinaryOp::le;
        return apply_symbol(node, {turned, op.type}, {operands[1], operands[0]});
    }
    if (std::holds_alternative<Choice>(op.what) && guard(0) != nullptr) {
        return add({AffineSelect{op.type, guard(0)->holds, operands[1], operands[2]}, node});
    }
    if (unary != nullptr && *unary == value::UnaryOp::logical_not && guard(0) != nullptr) {
        return add({Guard{this->node(node).domain.subtract(guard(0)->holds)}, node});
    }
    if (binary != nullptr && guard(0) != nullptr && guard(1) != nullptr) {
        const isl::set a = guard(0)->holds, b = guard(1)->holds;
        if (*binary == value::BinaryOp::logical_and) { return add({Guard{a.intersect(b)}, node}); }
        if (*binary == value::BinaryOp::logical_or) { return add({Guard{a.unite(b)}, node}); }
    }
    return add({Apply{op, operands}, node});
}

const std::vector<Edge>& Graph::edges(ReadId id) {
    if (const auto found = edges_.find(id); found != edges_.end()) { return found->second; }
    const MemoryRead& read = memory_.read(id);
    std::vector<Edge> edges;
    const auto add = [&](std::variant<NodeId, InputTensor> to, const isl::map& step) {
        const isl::set domain = step.domain(), all = node(read.node).domain;
        const bool is_whole = all.is_subset(domain);
        edges.push_back(
            {std::move(to), affine::unrestricted(step), is_whole ? domain : affine::gist(domain, all), is_whole});
    };
    const bool is_input = !read.source && memory_.array(read.array).coordinates.has_value();
    if (is_input) {
        const MemoryArray& input = memory_.array(read.array);
        add(InputTensor{input.tensor, input.component}, read.cell->apply_range(*input.coordinates));
    } else {
        for (const Flow& flow : memory_.flow(id)) { add(flow.writer, flow.from); }
    }
    return edges_.emplace(id, std::move(edges)).first->second;
}

std::vector<ReadId> Graph::reads(TermId id) const {
    std::vector<ReadId> found;
    const auto add = [&](TermId part) {
        for (const ReadId read : reads(part)) { found.push_back(read); }
    };
    std::visit(Overload{[](const Literal&) {}, [](const Embed&) {}, [](const Guard&) {},
                        [&](const Read& n) { found.push_back(n.read); },
                        [&](const Apply& n) { std::ranges::for_each(n.operands, add); },
                        [&](const AffineSelect& n) {
                            add(n.if_true);
                            add(n.if_false);
                        }},
               term(id).what);
    return found;
}

// --- Undef ----------------------------------------------------------------------------------------------------------

bool Graph::may_be_undef(TermId id, const isl::set* iterations) {
    const Term& t = term(id);
    const auto below = [&](TermId part) { return may_be_undef(part, iterations); };
    return std::visit(
        Overload{
            [](const Literal& n) { return !n.value.is_defined(); },
            [&](const Embed& n) { return !always_fits(n, iterations != nullptr ? *iterations : node(t.node).domain); },
            [](const Guard&) { return false; }, [&](const Read& n) { return may_read_undef(n.read, iterations); },
            [&](const Apply& n) { return !is_total(n.op) || std::ranges::any_of(n.operands, below); },
            [&](const AffineSelect& n) { return below(n.if_true) || below(n.if_false); }},
        t.what);
}

// Unwritten memory is Uninit, which is different from Undef.
bool Graph::may_read_undef(ReadId id, const isl::set* iterations) {
    const auto is_undef = [&](NodeId node) { return static_cast<bool>((*undef_)[node.value]); };
    if (iterations != nullptr) {
        return std::ranges::any_of(edges(id), [&](const Edge& edge) {
            const auto* to = std::get_if<NodeId>(&edge.to);
            return to != nullptr && is_undef(*to) && !edge.domain.is_disjoint(*iterations);
        });
    }
    const MemoryRead& read = memory_.read(id);
    if (read.source) { return is_undef(*read.source); }
    return std::ranges::any_of(memory_.array(read.array).writes, is_undef, &MemoryWrite::node);
}

// Computes the least set of nodes that is closed under "computes an Undef, or reads one".
void Graph::find_undef() {
    undef_.emplace(nodes_.size(), false);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            if ((*undef_)[n] || !nodes_[n].root || !may_be_undef(*nodes_[n].root, nullptr)) { continue; }
            (*undef_)[n] = has_changed = true;
        }
    }
}

bool Graph::is_never_undef(TermId term, const isl::set& iterations) {
    if (!undef_ || undef_->size() != nodes_.size()) { find_undef(); }
    return !may_be_undef(term, &iterations);
}

// --- Recurrences ----------------------------------------------------------------------------------------------------

// Works on arrays: whether a node reaches itself if every read may see every write of its array.
void Graph::find_recurrences() {
    std::vector<std::vector<std::uint32_t>> next(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (!nodes_[n].root) { continue; }
        for (const ReadId id : reads(*nodes_[n].root)) {
            const MemoryRead& read = memory_.read(id);
            if (read.source) {
                next[n].push_back(read.source->value);
                continue;
            }
            for (const MemoryWrite& write : memory_.array(read.array).writes) { next[n].push_back(write.node.value); }
        }
    }
    recurrent_.emplace(nodes_.size(), false);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        std::vector<bool> reached(nodes_.size(), false);
        std::vector<std::uint32_t> open = next[n];
        while (!open.empty()) {
            const std::uint32_t m = open.back();
            open.pop_back();
            if (reached[m]) { continue; }
            reached[m] = true;
            open.insert(open.end(), next[m].begin(), next[m].end());
        }
        (*recurrent_)[n] = reached[n];
    }
}

bool Graph::is_recurrent(NodeId node) {
    if (!recurrent_ || recurrent_->size() != nodes_.size()) { find_recurrences(); }
    return (*recurrent_).at(node.value);
}

}  // namespace haruspex::equivalence
