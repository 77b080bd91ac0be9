#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/equivalence/graph.h"
#include "oracle/equivalence/verdict.h"

// Compares two graphs, by propagation from outputs towards inputs. Nodes and terms may be added to the graphs
// meanwhile, but existing ones do not change. Both graphs may be the same one.
namespace haruspex::equivalence {

// The pairs of a requested relation that are shown. To have few parts, a relation may contain pairs of iterations that
// do not exist; "all" means all pairs of existing iterations.
struct Shown {
    isl::map pairs;
    bool is_all = false;  // of the requested relation
};
inline Shown all_of(const isl::map& relation) { return {relation, true}; }
inline isl::map empty_of(const isl::map& relation) { return isl::map::empty(relation.space()); }

class Prover {
public:
    // The first graph is the specification. All three are borrowed.
    Prover(Graph& first, Graph& second, const Options& options) : first_(first), second_(second), options_(options) {}

    // Returns pairs of iterations, { first[i] -> second[j] }, in which the second term refines the first: where the
    // first has a value that is neither Undef nor Uninit, the second has the same one.
    Shown prove(TermId first, TermId second, const isl::map& relation);

    // Whether all pairs are shown; gives up once some are not.
    bool proves(TermId first, TermId second, const isl::map& relation);

    // The same for a stronger claim: both terms have the same value, or both are Undef. Floats are IEEE's, whatever the
    // options say. Must not be called after `prove` or `proves` (ENSURE).
    Shown prove_equal(TermId first, TermId second, const isl::map& relation);
    bool proves_same(TermId first, TermId second, const isl::map& relation);

    const Effort& effort() const { return effort_; }
    // The obstacles so far, the most relevant first.
    std::vector<Mismatch> mismatches() const;
    // The types at which operators named as reorderable were not reordered, or not flattened.
    const std::set<std::string>& notes() const { return notes_; }

private:
    using Key = std::pair<TermId, TermId>;
    // Whether a partial result is useful.
    enum class Some : std::uint8_t { useful, useless };
    // A pair of computations, under proof for the pairs of iterations in `hypothesis`.
    struct Frame {
        Key key;
        isl::map hypothesis;
        bool is_used = false;
    };
    // A result that holds if open hypotheses do.
    struct Tentative {
        Key key;
        isl::map pairs;
        std::size_t depends_on;  // the outermost of them: its position in stack_
    };
    // An operand of a flattened operator, and the path to it from the operator's iterations.
    struct Operand {
        TermId term;
        std::optional<isl::map> step;  // { node[i] -> operand's node[j] }
    };
    struct Flattened {
        isl::map relation;
        std::vector<Operand> first, second;
    };

    // Runs `ask` for the stronger claim.
    template <typename Ask>
    auto as_same(const Ask& ask);

    // Each of these compares two terms, and shows as much of the relation as it can.
    Shown compare(TermId a, TermId b, const isl::map& relation);
    Shown compare_selects(TermId a, TermId b, const isl::map& relation);
    Shown resolve(const AffineSelect& select, bool is_first, TermId a, TermId b, const isl::map& relation);
    Shown follow(TermId a, TermId b, const isl::map& relation);
    Shown follow(const Edge* first, const Edge* second, TermId a, TermId b, const isl::map& relation);
    Shown compare_leaves(TermId a, TermId b, const isl::map& relation);
    Shown compare_operators(TermId a, TermId b, const isl::map& relation);
    Shown compare_in_order(const std::vector<TermId>& a, const std::vector<TermId>& b, const isl::map& relation);
    // Returns no pairs, and records the mismatch if any exist.
    Shown nothing(const std::string& what, TermId a, TermId b, const isl::map& relation);
    // Whether to stop with this result, because it is partial and a partial result is useless here.
    bool ends_with(const Shown& shown);
    // All of the relation if no pairs exist besides those shown; otherwise these, and a mismatch is recorded.
    Shown all_but(const isl::map& shown, const std::string& what, TermId a, TermId b, const isl::map& relation);
    // The pairs whose iterations exist in the terms' nodes.
    isl::map existing(TermId a, TermId b, const isl::map& relation) const;

    // Compares two computations that are reached along edges. Pairs that are shown already, or assumed by an open
    // hypothesis, are taken as they are; the others are shown under a new hypothesis.
    Shown visit(Key key, const isl::map& relation);
    // Shows the hypothesis, of which at least the `wanted` pairs are needed. If it fails and a partial result is
    // useful, narrows it and tries again.
    Shown show(Key key, isl::map hypothesis, const isl::map& wanted, Some some);
    // Keeps the pairs that were shown for the frame, and the tentative results that were shown meanwhile (trail_ from
    // `mark` on).
    void settle(Key key, const isl::map& pairs, std::size_t frame, std::size_t mark, std::size_t depends_on);
    // Tries a hypothesis that contains the wanted pairs and more.
    Shown guess(Key key, const isl::map& hull, const isl::map& wanted);
    // Restricts the hull to a convex set around the existing pairs of iterations.
    isl::map inside(Key key, const isl::map& hull) const;

    // Reordering (matching.cpp).
    Shown compare_before_matching(TermId a, TermId b, const Operator& op, const isl::map& relation);
    Shown match(TermId a, TermId b, const Operator& op, const isl::map& relation);
    std::vector<Flattened> flattened(Flattened whole, const Operator& op);
    bool flatten_one(Flattened& state, bool is_first, const Operator& op, bool through_recurrences,
                     std::vector<Flattened>& others);
    isl::map match_from(const Flattened& state, std::size_t position, std::vector<bool>& used,
                        const isl::map& relation);
    isl::map compare_across(const Operand& a, const Operand& b, const isl::map& relation);
    bool may_match(TermId a, TermId b) const;
    bool is_reorderable(const Operator& op);
    bool is_associative(const Operator& op) const;
    bool has_exact_reals() const { return options_.exact_reals && !is_same_; }

    Graph& first_;
    Graph& second_;
    const Options& options_;
    std::vector<Frame> stack_;
    std::vector<Tentative> trail_;
    std::map<Key, isl::map> proved_, refuted_;
    // The outermost hypothesis used since this was reset.
    std::size_t depends_on_ = none;
    std::uint64_t given_up_ = 0;  // hypotheses that were dropped because a limit was reached
    Some some_ = Some::useful;    // of the current proof
    int guesses_ = 0;             // hypotheses and orders of operands under trial
    bool is_same_ = false;        // the stronger claim is under proof
    bool has_refined_ = false;    // the weaker claim was requested: its results do not imply the stronger one
    bool is_in_order_ = false;    // operators are not flattened at the moment
    Effort effort_;
    std::vector<Mismatch> mismatches_;
    std::set<std::string> notes_;

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

}  // namespace haruspex::equivalence
