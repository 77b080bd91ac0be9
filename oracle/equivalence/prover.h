#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/equivalence/equivalence.h"
#include "oracle/equivalence/graph.h"

// Propagation from outputs towards inputs. Nodes and terms may be added to the graphs meanwhile, but what they have
// does not change; they may be one and the same.
namespace haruspex::equivalence {

// Some pairs of a relation. Relations say nothing of iterations that there are not: of those, a relation may have any
// pairs, so that it has few parts, and "all" is all pairs of iterations that there are.
struct Shown {
    isl::map pairs;
    bool is_all = false;  // of the relation that was asked for
};
inline Shown all_of(const isl::map& relation) { return {relation, true}; }
inline isl::map empty_of(const isl::map& relation) { return isl::map::empty(relation.space()); }

class Prover {
public:
    // The first graph is the specification. All three are borrowed.
    Prover(Graph& first, Graph& second, const Options& options) : first_(first), second_(second), options_(options) {}

    // Pairs of iterations, { first[i] -> second[j] }, in which the second term refines the first: where the first has a
    // value that is neither Undef nor Uninit, the second has the same one.
    Shown prove(TermId first, TermId second, const isl::map& relation);

    // All of them or not: what does not hold is given up sooner.
    bool proves(TermId first, TermId second, const isl::map& relation);

    // The same of a stronger claim, which is asked for before any other: both terms have the same value, or are both
    // Undef; floats are IEEE's, whatever the options say.
    Shown prove_same(TermId first, TermId second, const isl::map& relation);
    bool proves_same(TermId first, TermId second, const isl::map& relation);

    const Effort& effort() const { return effort_; }
    // What stood in the way so far, those that count first.
    std::vector<Mismatch> mismatches() const;
    // Of reorderable operators: at which types they are not.
    const std::set<std::string>& notes() const { return notes_; }

private:
    using Key = std::pair<TermId, TermId>;
    // Whether some of what is asked for is of use, where not all of it is shown.
    enum class Some : std::uint8_t { useful, useless };
    // A pair of computations that is being shown for the pairs of iterations in `hypothesis`.
    struct Frame {
        Key key;
        isl::map hypothesis;
        bool is_used = false;
    };
    // What was shown while hypotheses were open, the outermost of which is `depends_on`.
    struct Tentative {
        Key key;
        isl::map pairs;
        std::size_t depends_on;
    };
    // An operand of a flattened operator, and how to get there from where the operator stands.
    struct Operand {
        TermId term;
        std::optional<isl::map> step;  // { node[i] -> operand's node[j] }
    };
    struct Flattened {
        isl::map relation;
        std::vector<Operand> first, second;
    };

    // What is asked, of the stronger claim.
    template <typename Ask>
    auto as_same(const Ask& ask);

    // Each shows what it can of the relation.
    Shown compare(TermId a, TermId b, const isl::map& relation);
    Shown compare_selects(TermId a, TermId b, const isl::map& relation);
    Shown resolve(const AffineSelect& select, bool is_first, TermId a, TermId b, const isl::map& relation);
    Shown follow(TermId a, TermId b, const isl::map& relation);
    Shown follow(const Edge* first, const Edge* second, TermId a, TermId b, const isl::map& relation);
    Shown compare_leaves(TermId a, TermId b, const isl::map& relation);
    Shown compare_operators(TermId a, TermId b, const isl::map& relation);
    Shown compare_in_order(const std::vector<TermId>& a, const std::vector<TermId>& b, const isl::map& relation);
    // None of these pairs, if there are any.
    Shown nothing(const std::string& what, TermId a, TermId b, const isl::map& relation);
    // Whether to stop with what is shown so far, and nothing said of the rest.
    bool ends_with(const Shown& shown);
    // All of the relation if no more than what is shown is there, else that.
    Shown all_but(const isl::map& shown, const std::string& what, TermId a, TermId b, const isl::map& relation);
    // Of the pairs of iterations of the terms' nodes, those of iterations that there are.
    isl::map existing(TermId a, TermId b, const isl::map& relation) const;

    // Two computations that were reached along edges: shown already, assumed, or to be shown under a hypothesis.
    Shown visit(Key key, const isl::map& relation);
    // Of the hypothesis, which is wanted at least in part. It is narrowed where some of it is of use.
    Shown show(Key key, isl::map hypothesis, const isl::map& wanted, Some some);
    void settle(Key key, const isl::map& pairs, std::size_t frame, std::size_t mark, std::size_t depends_on);
    Shown guess(Key key, const isl::map& hull, const isl::map& wanted);
    // In a convex set around the pairs of iterations that there are.
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
    std::uint64_t given_up_ = 0;  // hypotheses that were dropped for want of patience
    Some some_ = Some::useful;    // of what is being shown
    int guesses_ = 0;             // hypotheses and orders of operands that are being tried
    bool is_same_ = false;        // the stronger claim is being shown
    bool has_refined_ = false;    // the weaker one was asked for: what was shown need not be the same
    bool is_in_order_ = false;    // nothing is flattened now
    Effort effort_;
    std::vector<Mismatch> mismatches_;
    std::set<std::string> notes_;

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

}  // namespace haruspex::equivalence
