#include "oracle/equivalence/prover.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "generators/affine/coalesce.h"
#include "generators/affine/emptiness.h"
#include "generators/affine/sets.h"
#include "generators/affine/widening.h"
#include "generators/base/ensure.h"

// Induction: README.md says why it is sound.
namespace haruspex::equivalence {
namespace {

// Limit on narrowings of a hypothesis; from the second one on, the failing pairs are extrapolated.
constexpr int most_narrowings = 6;
// Limit on open hypotheses about one pair of computations.
constexpr std::size_t most_open = 6;
constexpr std::size_t most_retried = 2;
// A relation with this many parts is first tried as its hull.
constexpr unsigned many_parts = 2;
// A hypothesis with more parts is dropped.
constexpr unsigned most_parts = 24;
// Limit on all open hypotheses; each costs a few stack frames.
constexpr std::size_t most_depth = 400;
constexpr std::size_t most_mismatches = 6;

}  // namespace

Shown Prover::prove(TermId first, TermId second, const isl::map& relation) {
    has_refined_ = has_refined_ || !is_same_;
    const Shown shown = visit({first, second}, relation);
    ENSURE(stack_.empty() && trail_.empty(), "no hypothesis stays open");
    return shown;
}

bool Prover::proves(TermId first, TermId second, const isl::map& relation) {
    ++guesses_;
    some_ = Some::useless;
    const bool is_all = prove(first, second, relation).is_all;
    some_ = Some::useful;
    --guesses_;
    return is_all;
}

template <typename Ask>
auto Prover::as_same(const Ask& ask) {
    ENSURE(!has_refined_, "what refines need not be the same");
    is_same_ = true;
    const auto answer = ask();
    is_same_ = false;
    // Pairs that are not the same may still be refined.
    refuted_.clear();
    return answer;
}

Shown Prover::prove_equal(TermId first, TermId second, const isl::map& relation) {
    return as_same([&] { return prove(first, second, relation); });
}

bool Prover::proves_same(TermId first, TermId second, const isl::map& relation) {
    return as_same([&] { return proves(first, second, relation); });
}

std::vector<Mismatch> Prover::mismatches() const {
    std::vector<Mismatch> sorted = mismatches_;
    std::ranges::stable_partition(sorted, [](const Mismatch& mismatch) { return !mismatch.is_hypothetical; });
    return sorted;
}

isl::map Prover::existing(TermId a, TermId b, const isl::map& relation) const {
    return relation.intersect_domain(first_.node(first_.term(a).node).domain)
        .intersect_range(second_.node(second_.term(b).node).domain);
}

Shown Prover::nothing(const std::string& what, TermId a, TermId b, const isl::map& relation) {
    const isl::map there = existing(a, b, relation);
    if (affine::is_empty(there)) { return all_of(relation); }
    const bool is_hypothetical = guesses_ > 0;
    const auto known = std::ranges::count(mismatches_, is_hypothetical, &Mismatch::is_hypothetical);
    if (static_cast<std::size_t>(known) < most_mismatches) {
        mismatches_.push_back({what, first_.node(first_.term(a).node).label, second_.node(second_.term(b).node).label,
                               affine::to_string(there), is_hypothetical});
    }
    return {empty_of(relation), false};
}

bool Prover::ends_with(const Shown& shown) {
    const bool ends = !shown.is_all && some_ == Some::useless;
    if (ends) { ++given_up_; }
    return ends;
}

Shown Prover::visit(Key key, const isl::map& relation) {
    if (relation.is_empty()) { return all_of(relation); }
    ++effort_.pairs;
    isl::map result = empty_of(relation), rest = relation;
    const auto take = [&](const isl::map& known) {
        const isl::map part = rest.intersect(known);
        if (part.is_empty()) { return false; }
        result = result.unite(part);
        rest = rest.subtract(part);
        return true;
    };
    if (const auto known = proved_.find(key); known != proved_.end()) {
        if (relation.is_subset(known->second)) { return all_of(relation); }
        take(known->second);
    }
    for (const Tentative& tentative : trail_) {
        if (tentative.key == key && take(tentative.pairs)) {
            depends_on_ = std::min(depends_on_, tentative.depends_on);
        }
    }
    std::size_t open = 0, innermost = none;
    for (std::size_t i = stack_.size(); i-- > 0;) {
        if (stack_[i].key != key) { continue; }
        ++open;
        if (innermost == none) { innermost = i; }
        if (take(stack_[i].hypothesis)) {
            stack_[i].is_used = true;
            depends_on_ = std::min(depends_on_, i);
            ++effort_.inductions;
        }
    }
    bool is_all = true;
    if (const auto known = refuted_.find(key); known != refuted_.end() && !rest.is_empty()) {
        const isl::map left = rest.subtract(known->second);
        is_all = rest.is_subset(left);
        rest = left;
    }
    if (rest.is_empty()) { return {result, is_all}; }
    if (open >= most_open || stack_.size() >= most_depth) {
        ++given_up_;
        return {result, false};
    }
    rest = affine::coalesced(rest);
    const auto is_done = [&](const Shown& shown) {
        if (shown.is_all) {
            result = result.unite(rest);
            return true;
        }
        take(shown.pairs);
        return rest.is_empty();
    };
    if (innermost != none) {
        const isl::map hypothesis = stack_[innermost].hypothesis;
        const isl::map hull(hypothesis.unite(rest).affine_hull());
        if (is_done(guess(key, hull.intersect(affine::extrapolated(hypothesis, rest)), rest))) {
            return {result, is_all};
        }
        // A guess that failed twice is not retried further inside.
        if (open > most_retried) {
            ++given_up_;
            return {result, false};
        }
        if (hypothesis.n_basic_map() > 1 || rest.n_basic_map() > 1) {
            if (is_done(guess(key, affine::joined(hypothesis, rest), rest))) { return {result, is_all}; }
        }
    } else if (rest.n_basic_map() >= many_parts) {
        // If the relation is a function, one way or the other, with only its domain split, all later steps are simpler.
        const isl::map hull = inside(key, isl::map(rest.affine_hull()).intersect(rest.unshifted_simple_hull()));
        const bool is_one = hull.is_single_valued() || hull.is_injective();
        if (is_one && is_done(guess(key, hull, rest))) { return {result, is_all}; }
    }
    const bool is_shown = is_done(show(key, rest, rest, some_));
    return {result, is_all && is_shown};
}

isl::map Prover::inside(Key key, const isl::map& hull) const {
    return hull.intersect_domain(first_.node(first_.term(key.first).node).around)
        .intersect_range(second_.node(second_.term(key.second).node).around);
}

// Shows the pair for a hull that contains the wanted pairs and more.
Shown Prover::guess(Key key, const isl::map& hull, const isl::map& wanted) {
    ++effort_.widenings;
    ++guesses_;
    const Shown shown = show(key, inside(key, hull), wanted, Some::useful);
    --guesses_;
    return shown;
}

// Shows the terms under the hypothesis, or under as much of it as turns out to hold.
Shown Prover::show(Key key, isl::map hypothesis, const isl::map& wanted, Some some) {
    const std::size_t outer = std::exchange(depends_on_, none);
    const std::size_t frame = stack_.size(), mark = trail_.size();
    const std::uint64_t given_up = given_up_;
    std::optional<isl::map> failed;
    for (int attempt = 0;; ++attempt) {
        depends_on_ = none;
        stack_.push_back({key, hypothesis});
        const Some outer_some = std::exchange(some_, some);
        const Shown shown = compare(key.first, key.second, hypothesis);
        some_ = outer_some;
        const bool is_used = stack_.back().is_used;
        stack_.pop_back();
        if (shown.is_all || !is_used) {
            const std::size_t depends_on = depends_on_ < frame ? depends_on_ : none;
            settle(key, shown.pairs, frame, mark, depends_on);
            if (!shown.is_all && depends_on == none && given_up == given_up_) {
                const isl::map refuted = existing(key.first, key.second, hypothesis.subtract(shown.pairs));
                const auto [known, is_new] = refuted_.emplace(key, refuted);
                if (!is_new) { known->second = affine::coalesced(known->second.unite(refuted)); }
            }
            depends_on_ = std::min(outer, depends_on);
            return {shown.pairs, shown.is_all && attempt == 0};
        }
        // Results that used the failed hypothesis are invalid now.
        trail_.resize(mark);
        ++effort_.narrowings;
        isl::map narrowed = affine::coalesced(shown.pairs);
        const isl::map failing = affine::coalesced(existing(key.first, key.second, hypothesis.subtract(narrowed)));
        if (failed) { narrowed = narrowed.subtract(affine::extrapolated(*failed, failing)); }
        failed = failing;
        const bool gives_up =
            some == Some::useless || attempt == most_narrowings || narrowed.n_basic_map() > most_parts;
        if (gives_up) { ++given_up_; }
        if (gives_up || narrowed.is_disjoint(wanted)) {
            depends_on_ = outer;
            return {empty_of(wanted), false};
        }
        hypothesis = narrowed;
    }
}

// The pairs hold if the hypotheses outside of the frame do, of which `depends_on` is the outermost. So do the results
// shown meanwhile.
void Prover::settle(Key key, const isl::map& pairs, std::size_t frame, std::size_t mark, std::size_t depends_on) {
    std::vector<Tentative> shown(std::make_move_iterator(trail_.begin() + static_cast<std::ptrdiff_t>(mark)),
                                 std::make_move_iterator(trail_.end()));
    trail_.resize(mark);
    if (!pairs.is_empty()) { shown.push_back({key, pairs, frame}); }
    for (Tentative& tentative : shown) {
        if (tentative.depends_on >= frame) { tentative.depends_on = none; }
        tentative.depends_on = std::min(tentative.depends_on, depends_on);
        if (tentative.depends_on != none) {
            trail_.push_back(std::move(tentative));
            continue;
        }
        const auto [known, is_new] = proved_.emplace(tentative.key, tentative.pairs);
        if (!is_new) { known->second = affine::coalesced(known->second.unite(tentative.pairs)); }
    }
}

}  // namespace haruspex::equivalence
