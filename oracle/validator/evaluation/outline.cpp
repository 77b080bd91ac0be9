#include "oracle/validator/evaluation/outline.h"

#include <algorithm>

#include "generators/affine/coalesce.h"
#include "generators/affine/gist.h"
#include "generators/base/overload.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

using namespace sched;

// Thrown if a value is not known to be single-valued in scope.known(), or is too long. Does not leave this file.
struct NoOutline {};

// Nodes of the expression and of the value-lets that it reads, each let counted once for each lane.
constexpr std::size_t most_nodes = 20'000;

class Outline {
public:
    Outline(const Expressions& expressions, const heap::Templates& templates)
        : expressions_(expressions), templates_(templates) {}

    Term of(const Expr& expr, const Scope& scope, const heap::Memory& memory) {
        if (++nodes_ > most_nodes) { throw NoOutline{}; }
        const auto part = [&](const Box<Expr>& e) { return of(*e, scope, memory); };
        return std::visit(
            Overload{[&](const Unary& n) { return make_unary(n.op, part(n.a)); },
                     [&](const Binary& n) {
                         const Term a = part(n.a);
                         return make_binary(n.op, a, part(n.b));
                     },
                     [&](const Cast& n) { return make_cast(n.type, part(n.a)); },
                     [&](const Select& n) {
                         const Term condition = scope.is_condition(*n.condition)
                                                    ? make_truth(scope.condition(*n.condition))
                                                    : part(n.condition);
                         const Term if_true = part(n.if_true);
                         return make_select(condition, if_true, part(n.if_false));
                     },
                     [&](const ValueVariable& n) { return of_let(n, scope); },
                     [&](const LetIn& n) { return of(*n.body, scope.with(n), memory); },
                     [&](const LetValueIn& n) {
                         Scope inner = scope;
                         inner.declare(n.name, expressions_.family(n.name, n.lanes, n.type, *n.value, scope, memory));
                         return of(*n.body, inner, memory);
                     },
                     [&](const LaneReduce& n) { return of_lanes(n, scope, memory); },
                     [&](const auto&) { return leaf(expressions_.evaluate(expr, scope, memory), scope); }},
            expr.node);
    }

private:
    // A let at one lane.
    struct Written {
        std::shared_ptr<const ValueLet> let;
        std::optional<isl::pw_aff> lane;
        Term term;
    };

    // Folds in the order of the lanes.
    Term of_lanes(const LaneReduce& fold, const Scope& scope, const heap::Memory& memory) {
        const auto at = [&](std::int64_t lane) {
            return of(*fold.body, with_lane(scope, fold.lanes.variable, lane), memory);
        };
        const Term first = at(0);
        const bool is_alike = !sched::free_names(*fold.body).contains(fold.lanes.variable);
        Term all = first;
        for (std::int64_t lane = 1; lane < fold.lanes.count; ++lane) {
            all = make_binary(value::binary_op(fold.op), all, is_alike ? first : at(lane));
        }
        return all;
    }

    // The let's value where it stands, with at least the facts that are known where it is read. All reads of one
    // outline are under the same facts.
    Term of_let(const ValueVariable& variable, const Scope& scope) {
        const std::shared_ptr<const ValueLet>& let = scope.value(variable.name).let;
        if (let == nullptr) { return leaf(expressions_.evaluate({variable}, scope, heap::Memory(scope.ctx())), scope); }
        const auto lane = variable.lane ? std::optional(scope.index(**variable.lane)) : std::nullopt;
        const auto known = std::ranges::find_if(written_, [&](const Written& w) {
            return w.let == let && w.lane.has_value() == lane.has_value() && (!lane || lane->plain_is_equal(*w.lane));
        });
        if (known != written_.end()) { return known->term; }
        Scope inner = let->scope;
        inner.assume(scope.known());
        if (lane) {
            const isl::set has_lane =
                lane->ge_set(scope.constant(0)).intersect(lane->lt_set(scope.constant(let->lanes->count)));
            if (!scope.known().is_subset(has_lane)) { throw NoOutline{}; }
            inner.define(let->lanes->variable, *lane);
        }
        const Term term = of(let->value, inner, let->memory);
        written_.push_back({let, lane, term});
        return term;
    }

    Term leaf(const heap::Value& value, const Scope& scope) const {
        const heap::Value here = value.intersect_params(scope.known());
        if (here.is_empty() || !heap::is_single_valued(here)) { throw NoOutline{}; }
        std::vector<term::Choice::Case> cases;
        for (const heap::Piece& piece : heap::pieces(here)) {
            std::vector<isl::pw_aff> holes;
            for (const isl::pw_aff& hole : piece.holes) {
                const isl::pw_aff narrowed = affine::narrowed(hole, piece.environments);
                holes.push_back(narrowed.isa_aff() ? narrowed
                                                   : affine::coalesced(affine::gist(narrowed, piece.environments)));
            }
            cases.push_back(
                {affine::gist(piece.environments, scope.known()), instantiate(templates_, piece.expr, holes)});
        }
        if (cases.size() == 1) { return cases.front().value; }
        const value::Type type = cases.front().value->type;
        return make_choice(type, std::move(cases));
    }

    const Expressions& expressions_;
    const heap::Templates& templates_;
    std::vector<Written> written_;
    std::size_t nodes_ = 0;
};

}  // namespace

std::optional<Term> outline(const Expr& expr, const Expressions& expressions, const heap::Templates& templates,
                            const Scope& scope, const heap::Memory& memory) {
    try {
        Term term = Outline(expressions, templates).of(expr, scope, memory);
        const bool is_of_use = !term->mentions_uninit && !term->mentions_unknown;
        return is_of_use ? std::optional(std::move(term)) : std::nullopt;
    } catch (const NoOutline&) { return std::nullopt; }
}

}  // namespace haruspex::validator
