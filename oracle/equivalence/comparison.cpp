#include <optional>
#include <utility>

#include "generators/affine/emptiness.h"
#include "generators/base/overload.h"
#include "oracle/equivalence/prover.h"

// The rules of README.md for one pair of terms: by their forms and along their edges.
namespace haruspex::equivalence {
namespace {

// The relation is often one affine function with only its domain split.
bool is_within(const isl::map& relation, const isl::map& equal) {
    return (relation.n_basic_map() > 1 && isl::map(relation.affine_hull()).is_subset(equal)) ||
           relation.is_subset(equal);
}

template <typename What>
const What* as(const Term& term) {
    return std::get_if<What>(&term.what);
}

// { node[i] -> [index] } of an embedded index, or of an integer literal.
std::optional<isl::map> index_of(const Graph& graph, const Term& term) {
    if (const auto* embed = as<Embed>(term)) { return embed->index; }
    const auto* literal = as<Literal>(term);
    const auto number = literal == nullptr ? std::nullopt : integer(literal->value);
    if (!number) { return std::nullopt; }
    const isl::set& domain = graph.node(term.node).domain;
    return isl::multi_pw_aff(domain.pw_aff_on_domain(static_cast<long>(*number))).as_map();
}

std::optional<value::Type> type_of_leaf(const Term& term) {
    if (const auto* literal = as<Literal>(term)) { return literal->value.type(); }
    if (const auto* embed = as<Embed>(term)) { return embed->type; }
    return as<Guard>(term) != nullptr ? std::optional(value::Type::boolean) : std::nullopt;
}

// { node[i] } on which a bool is true.
isl::set truth_of(const Graph& graph, const Term& term) {
    if (const auto* guard = as<Guard>(term)) { return guard->holds; }
    const isl::set& domain = graph.node(term.node).domain;
    return as<Literal>(term)->value.as_bool() ? domain : isl::set::empty(domain.space());
}

std::string describe(const Graph& graph, const Term& term) {
    return std::visit(Overload{[](const Literal& n) { return value::to_string(n.value); },
                               [](const Embed& n) { return "an index as " + std::string(value::name(n.type)); },
                               [](const Guard&) { return std::string("a condition"); },
                               [&](const Read& n) {
                                   const MemoryRead& read = graph.memory().read(n.read);
                                   return read.source ? std::string("a value-let")
                                                      : "a read of " + graph.memory().array(read.array).name;
                               },
                               [](const Apply& n) { return to_string(n.op); },
                               [](const AffineSelect& n) { return "select " + std::string(value::name(n.type)); }},
                      term.what);
}

}  // namespace

// --- By form --------------------------------------------------------------------------------------------------------

Shown Prover::compare(TermId a, TermId b, const isl::map& relation) {
    if (relation.is_empty()) { return all_of(relation); }
    const Term& first = first_.term(a);
    const Term& second = second_.term(b);
    if (as<AffineSelect>(first) != nullptr) { return compare_selects(a, b, relation); }
    if (as<Read>(first) != nullptr) { return follow(a, b, relation); }
    if (const auto* select = as<AffineSelect>(second)) { return resolve(*select, false, a, b, relation); }
    if (as<Read>(second) != nullptr) { return follow(a, b, relation); }
    if (type_of_leaf(first) && type_of_leaf(second)) { return compare_leaves(a, b, relation); }
    return compare_operators(a, b, relation);
}

// Compares select with select if that shows it; otherwise the chosen alternative.
Shown Prover::compare_selects(TermId a, TermId b, const isl::map& relation) {
    const auto& first = *as<AffineSelect>(first_.term(a));
    const auto* second = as<AffineSelect>(second_.term(b));
    if (second == nullptr) { return resolve(first, true, a, b, relation); }
    const isl::map both = relation.intersect_domain(first.holds).intersect_range(second->holds);
    const isl::map none =
        relation.subtract(relation.intersect_domain(first.holds)).subtract(relation.intersect_range(second->holds));
    const isl::map alike = both.unite(none);
    ++guesses_;
    const Some some = std::exchange(some_, Some::useful);
    const Shown pairwise =
        compare_in_order({first.if_true, first.if_false}, {second->if_true, second->if_false}, alike);
    some_ = some;
    --guesses_;
    if (pairwise.is_all && relation.is_subset(alike)) { return all_of(relation); }
    const Shown chosen = resolve(first, true, a, b, relation.subtract(pairwise.pairs));
    return {pairwise.pairs.unite(chosen.pairs), chosen.is_all};
}

// A select of the specification equals its chosen alternative wherever it is defined. A select of the implementation
// does so only if the other alternative is never Undef. If the two are to be the same, this applies to both.
Shown Prover::resolve(const AffineSelect& select, bool is_first, TermId a, TermId b, const isl::map& relation) {
    const isl::map chosen = is_first ? relation.intersect_domain(select.holds) : relation.intersect_range(select.holds);
    Shown result{empty_of(relation), true};
    const auto add = [&](const Shown& shown) {
        result = {result.pairs.unite(shown.pairs), result.is_all && shown.is_all};
    };
    for (const bool is_true : {true, false}) {
        const isl::map part = is_true ? chosen : relation.subtract(chosen);
        if (part.is_empty()) { continue; }
        if (ends_with(result)) { break; }
        const TermId taken = is_true ? select.if_true : select.if_false;
        const TermId other = is_true ? select.if_false : select.if_true;
        const auto is_never_undef = [&] {
            const isl::map there = existing(a, b, part);
            return is_first ? first_.is_never_undef(other, there.domain())
                            : second_.is_never_undef(other, there.range());
        };
        if ((!is_first || is_same_) && !is_never_undef()) {
            add(nothing("the alternative that is not chosen may be undefined", a, b, part));
            continue;
        }
        add(is_first ? compare(taken, b, part) : compare(a, taken, part));
    }
    return result;
}

Shown Prover::compare_leaves(TermId a, TermId b, const isl::map& relation) {
    const Term& first = first_.term(a);
    const Term& second = second_.term(b);
    const auto different = [&] {
        return nothing(describe(first_, first) + " is not " + describe(second_, second), a, b, relation);
    };
    const auto type = type_of_leaf(first);
    if (type != type_of_leaf(second)) { return different(); }
    const auto* x = as<Literal>(first);
    const auto* y = as<Literal>(second);
    if (x != nullptr && y != nullptr) {
        return value::same_result(x->value, y->value) ? all_of(relation) : different();
    }
    isl::map same = empty_of(relation);
    if (*type == value::Type::boolean) {
        const isl::map p = relation.intersect_domain(truth_of(first_, first));
        const isl::map q = relation.intersect_range(truth_of(second_, second));
        same = relation.subtract(p.subtract(q)).subtract(q.subtract(p));
    } else {
        const auto i = index_of(first_, first), j = index_of(second_, second);
        if (!i || !j) { return different(); }
        const isl::map equal = i->apply_range(j->reverse());
        if (is_within(relation, equal)) { return all_of(relation); }
        same = relation.intersect(equal);
    }
    if (relation.is_subset(same)) { return all_of(relation); }
    return all_but(same, describe(first_, first) + " is not " + describe(second_, second), a, b, relation);
}

Shown Prover::all_but(const isl::map& shown, const std::string& what, TermId a, TermId b, const isl::map& relation) {
    const bool is_all = nothing(what, a, b, relation.subtract(shown)).is_all;
    return is_all ? all_of(relation) : Shown{shown, false};
}

Shown Prover::compare_operators(TermId a, TermId b, const isl::map& relation) {
    const auto* first = as<Apply>(first_.term(a));
    const auto* second = as<Apply>(second_.term(b));
    if (first == nullptr || second == nullptr || !(first->op == second->op)) {
        return nothing(describe(first_, first_.term(a)) + " is not " + describe(second_, second_.term(b)), a, b,
                       relation);
    }
    if (!is_reorderable(first->op)) { return compare_in_order(first->operands, second->operands, relation); }
    return is_associative(first->op) ? compare_before_matching(a, b, first->op, relation)
                                     : match(a, b, first->op, relation);
}

Shown Prover::compare_in_order(const std::vector<TermId>& a, const std::vector<TermId>& b, const isl::map& relation) {
    Shown result = all_of(relation);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Shown shown = compare(a[i], b[i], result.pairs);
        result = {shown.pairs, result.is_all && shown.is_all};
        if (ends_with(result)) { return {empty_of(relation), false}; }
        if (!result.is_all && result.pairs.is_empty()) { return result; }
    }
    return result;
}

// --- Along edges ----------------------------------------------------------------------------------------------------

// Follows both sides at once if both read: then the visited pairs are pairs of computations, not of reads.
Shown Prover::follow(TermId a, TermId b, const isl::map& relation) {
    const auto* first = as<Read>(first_.term(a));
    const auto* second = as<Read>(second_.term(b));
    const std::vector<Edge> no_edges;
    const std::vector<Edge>& firsts = first == nullptr ? no_edges : first_.edges(first->read);
    const std::vector<Edge>& seconds = second == nullptr ? no_edges : second_.edges(second->read);
    Shown result{empty_of(relation), true};
    isl::map rest = relation;
    // The pairs of `open` whose reads lead along both edges; a null edge is no restriction.
    const auto add = [&](const Edge* e, const Edge* f, isl::map& open) {
        if (ends_with(result)) { return; }
        const bool is_open = f == nullptr || f->is_whole;
        const isl::map part = is_open ? open : open.intersect_range(f->domain);
        if (affine::is_empty(existing(a, b, part))) { return; }
        const bool is_rest = is_open && (e == nullptr || e->is_whole);
        rest = is_rest ? empty_of(relation) : rest.subtract(part);
        open = is_open ? empty_of(relation) : open.subtract(part);
        const Shown shown = follow(e, f, a, b, part);
        result = {result.pairs.unite(shown.pairs), result.is_all && shown.is_all};
    };
    const auto along = [&](const Edge* e) {
        isl::map open = e != nullptr && !e->is_whole ? rest.intersect_domain(e->domain) : rest;
        if (second == nullptr) {
            add(e, nullptr, open);
            return;
        }
        for (const Edge& f : seconds) {
            if (open.is_empty()) { return; }
            add(e, &f, open);
        }
    };
    if (first == nullptr) { along(nullptr); }
    for (const Edge& e : firsts) { along(&e); }
    if (ends_with(result)) { return result; }
    const Shown unread = nothing("a read of memory that was not written", a, b, rest);
    return {result.pairs.unite(unread.pairs), result.is_all && unread.is_all};
}

// The relation lies in the edges' domains.
Shown Prover::follow(const Edge* first, const Edge* second, TermId a, TermId b, const isl::map& relation) {
    const auto* first_input = first == nullptr ? nullptr : std::get_if<InputTensor>(&first->to);
    const auto* second_input = second == nullptr ? nullptr : std::get_if<InputTensor>(&second->to);
    if (first_input != nullptr && second_input != nullptr) {
        if (*first_input != *second_input) {
            return nothing("input " + first_input->tensor + " is not input " + second_input->tensor, a, b, relation);
        }
        const isl::map equal = first->step.apply_range(second->step.reverse());
        if (is_within(relation, equal)) { return all_of(relation); }
        return all_but(relation.intersect(equal), "other cells of input " + first_input->tensor, a, b, relation);
    }
    // An input stays in place while the other side advances.
    const bool first_goes = first != nullptr && first_input == nullptr;
    const bool second_goes = second != nullptr && second_input == nullptr;
    if (!first_goes && !second_goes) {
        if (const auto* select = as<AffineSelect>(second_.term(b))) { return resolve(*select, false, a, b, relation); }
        // One side is an input; the other is neither an input nor a read.
        const InputTensor& input = first_input != nullptr ? *first_input : *second_input;
        const std::string other =
            first_input != nullptr ? describe(second_, second_.term(b)) : describe(first_, first_.term(a));
        return nothing("input " + input.tensor + " is not " + other, a, b, relation);
    }
    isl::map next = relation;
    TermId x = a, y = b;
    if (first_goes) {
        next = next.apply_domain(first->step);
        x = *first_.node(std::get<NodeId>(first->to)).root;
    }
    if (second_goes) {
        next = next.apply_range(second->step);
        y = *second_.node(std::get<NodeId>(second->to)).root;
    }
    const Shown shown = visit({x, y}, next);
    if (shown.is_all) { return all_of(relation); }
    isl::map back = shown.pairs;
    if (first_goes) { back = back.apply_domain(first->step.reverse()); }
    if (second_goes) { back = back.apply_range(second->step.reverse()); }
    const isl::map reached = relation.intersect(back);
    // The pairs that are not shown may not exist.
    const bool is_all = affine::is_empty(existing(a, b, relation.subtract(reached)));
    return is_all ? all_of(relation) : Shown{reached, false};
}

}  // namespace haruspex::equivalence
