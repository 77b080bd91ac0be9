#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"
#include "oracle/equivalence/prover.h"

// Operators whose operands may be reordered (TOPLAS 2012, sections on associativity and commutativity): both terms are
// flattened, through reads of values that the same operator computed, and operands are matched by backtracking.
namespace haruspex::equivalence {
namespace {

// Terms with more operands, or with more cases of operands, are not flattened.
constexpr std::size_t most_operands = 24;
constexpr std::size_t most_cases = 32;

bool has_operator(const Term& term, const Operator& op) {
    const auto* apply = std::get_if<Apply>(&term.what);
    return apply != nullptr && apply->op == op;
}

// Whether the operator computes the node's value, or a value that the node copies, at least in some iterations. Follows
// copies as long as they terminate.
bool leads_to(Graph& graph, NodeId node, const Operator& op) {
    const Term& root = graph.term(*graph.node(node).root);
    if (has_operator(root, op)) { return true; }
    const auto* copy = std::get_if<Read>(&root.what);
    if (copy == nullptr || graph.is_recurrent(node)) { return false; }
    return std::ranges::any_of(graph.edges(copy->read), [&](const Edge& edge) {
        const auto* from = std::get_if<NodeId>(&edge.to);
        return from != nullptr && leads_to(graph, *from, op);
    });
}

}  // namespace

bool Prover::is_reorderable(const Operator& op) {
    const auto* binary = std::get_if<value::BinaryOp>(&op.what);
    if (binary == nullptr || !options_.reorderable.contains(*binary)) { return false; }
    if (!is_commutative(op, has_exact_reals())) {
        notes_.insert(to_string(op) + " is not commutative: left as it is");
        return false;
    }
    if (!is_associative(op)) { notes_.insert(to_string(op) + " is commutative, but not associative: not flattened"); }
    return true;
}

bool Prover::is_associative(const Operator& op) const { return equivalence::is_associative(op, has_exact_reals()); }

// Compares operands in order before matching, at this level and below. Flattening takes terms apart through
// recurrences, and few terms are in another order; nesting would multiply the attempts.
Shown Prover::compare_before_matching(TermId a, TermId b, const Operator& op, const isl::map& relation) {
    const std::vector<TermId>& first = std::get<Apply>(first_.term(a).what).operands;
    const std::vector<TermId>& second = std::get<Apply>(second_.term(b).what).operands;
    if (is_in_order_) {
        const Shown shown = compare_in_order(first, second, relation);
        // Another order might show it.
        if (!shown.is_all) { ++given_up_; }
        return shown;
    }
    is_in_order_ = true;
    ++guesses_;
    const std::uint64_t given_up = given_up_;
    const Some some = std::exchange(some_, Some::useless);
    const bool is_shown = compare_in_order(first, second, relation).is_all;
    some_ = some;
    // Everything is examined again.
    given_up_ = given_up;
    --guesses_;
    is_in_order_ = false;
    return is_shown ? all_of(relation) : match(a, b, op, relation);
}

Shown Prover::match(TermId a, TermId b, const Operator& op, const isl::map& relation) {
    Flattened whole{existing(a, b, relation), {}, {}};
    for (const TermId operand : std::get<Apply>(first_.term(a).what).operands) { whole.first.push_back({operand, {}}); }
    for (const TermId operand : std::get<Apply>(second_.term(b).what).operands) {
        whole.second.push_back({operand, {}});
    }
    const std::vector<Flattened> cases =
        is_associative(op) ? flattened(whole, op) : std::vector<Flattened>{std::move(whole)};
    isl::map shown = empty_of(relation);
    bool is_all = true;
    ++guesses_;
    const Some some = std::exchange(some_, Some::useful);
    for (const Flattened& state : cases) {
        if (state.first.size() != state.second.size()) {
            is_all = false;
            continue;
        }
        std::vector<bool> used(state.second.size(), false);
        const isl::map matched = match_from(state, 0, used, state.relation);
        is_all = is_all && state.relation.is_subset(matched);
        shown = shown.unite(matched);
    }
    some_ = some;
    --guesses_;
    if (is_all) { return {relation, true}; }
    nothing("no order of the operands of " + to_string(op) + " fits", a, b, relation.subtract(shown));
    return {shown, false};
}

// --- Flattening -----------------------------------------------------------------------------------------------------

std::vector<Prover::Flattened> Prover::flattened(Flattened whole, const Operator& op) {
    std::vector<Flattened> open{std::move(whole)}, done;
    while (!open.empty()) {
        Flattened state = std::move(open.back());
        open.pop_back();
        const bool has_room = open.size() + done.size() < most_cases;
        bool changed =
            has_room && (flatten_one(state, true, op, false, open) || flatten_one(state, false, op, false, open));
        // A recurrence is unrolled while the other side has more operands.
        if (!changed && has_room && state.first.size() != state.second.size()) {
            changed = flatten_one(state, state.first.size() < state.second.size(), op, true, open);
        }
        if (changed && state.first.size() <= most_operands && state.second.size() <= most_operands) {
            open.push_back(std::move(state));
        } else {
            done.push_back(std::move(state));
        }
    }
    return done;
}

// Replaces one operand by its own operands, if the operator computes it. If that depends on the iteration, the other
// iterations become separate cases.
bool Prover::flatten_one(Flattened& state, bool is_first, const Operator& op, bool through_recurrences,
                         std::vector<Flattened>& others) {
    Graph& graph = is_first ? first_ : second_;
    std::vector<Operand>& operands = is_first ? state.first : state.second;
    const auto replace = [&](std::size_t i, TermId by, const std::optional<isl::map>& step) {
        std::vector<Operand> inner;
        if (has_operator(graph.term(by), op)) {
            for (const TermId part : std::get<Apply>(graph.term(by).what).operands) { inner.push_back({part, step}); }
        } else {
            inner.push_back({by, step});
        }
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
        operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(), inner.end());
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Operand operand = operands[i];
        if (has_operator(graph.term(operand.term), op)) {
            replace(i, operand.term, operand.step);
            return true;
        }
        const auto* read = std::get_if<Read>(&graph.term(operand.term).what);
        if (read == nullptr) { continue; }
        for (const Edge& edge : graph.edges(read->read)) {
            const auto* node = std::get_if<NodeId>(&edge.to);
            if (node == nullptr || (!through_recurrences && graph.is_recurrent(*node))) { continue; }
            const TermId root = *graph.node(*node).root;
            if (!leads_to(graph, *node, op)) { continue; }
            const isl::map last = edge.is_whole ? edge.step : edge.step.intersect_domain(edge.domain);
            const isl::map step = operand.step ? operand.step->apply_range(last) : last;
            const isl::map here = is_first ? state.relation.intersect_domain(step.domain())
                                           : state.relation.intersect_range(step.domain());
            if (here.is_empty()) { continue; }
            if (!state.relation.is_subset(here)) {
                Flattened rest = state;
                rest.relation = state.relation.subtract(here);
                others.push_back(std::move(rest));
                state.relation = here;
            }
            replace(i, root, step);
            return true;
        }
    }
    return false;
}

// --- Matching -------------------------------------------------------------------------------------------------------

isl::map Prover::match_from(const Flattened& state, std::size_t position, std::vector<bool>& used,
                            const isl::map& relation) {
    if (position == state.first.size()) { return relation; }
    isl::map shown = empty_of(relation), rest = relation;
    for (std::size_t j = 0; j < state.second.size(); ++j) {
        if (used[j] || !may_match(state.first[position].term, state.second[j].term)) { continue; }
        ++effort_.permutations;
        const isl::map fits = compare_across(state.first[position], state.second[j], rest);
        if (fits.is_empty()) { continue; }
        used[j] = true;
        const isl::map matched = match_from(state, position + 1, used, fits);
        used[j] = false;
        shown = shown.unite(matched);
        rest = rest.subtract(matched);
        if (rest.is_empty()) { break; }
    }
    return shown;
}

isl::map Prover::compare_across(const Operand& a, const Operand& b, const isl::map& relation) {
    isl::map there = relation;
    if (a.step) { there = there.apply_domain(*a.step); }
    if (b.step) { there = there.apply_range(*b.step); }
    const Shown shown = compare(a.term, b.term, there);
    if (shown.is_all) { return relation; }
    isl::map back = shown.pairs;
    if (a.step) { back = back.apply_domain(a.step->reverse()); }
    if (b.step) { back = back.apply_range(b.step->reverse()); }
    return relation.intersect(back);
}

// Whether the forms do not exclude a match.
bool Prover::may_match(TermId a, TermId b) const {
    const auto& first = first_.term(a).what;
    const auto& second = second_.term(b).what;
    const auto is_open = [](const auto& what) {
        return std::holds_alternative<Read>(what) || std::holds_alternative<AffineSelect>(what);
    };
    if (is_open(first) || is_open(second)) { return true; }
    const auto* x = std::get_if<Apply>(&first);
    const auto* y = std::get_if<Apply>(&second);
    if (x != nullptr && y != nullptr) { return x->op == y->op; }
    return x == nullptr && y == nullptr;
}

}  // namespace haruspex::equivalence
