#include "oracle/validator/outline.h"

#include "generators/affine/gist.h"
#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

using namespace sched;

// Of what is known in one piece a value is not known to be one. Does not leave this file.
struct NoOutline {};

class Outline {
public:
    Outline(const Expressions& expressions, const heap::Templates& templates, const heap::Memory& memory)
        : expressions_(expressions), templates_(templates), memory_(memory) {}

    Term of(const Expr& expr, const Scope& scope) {
        const auto part = [&](const Box<Expr>& e) { return of(*e, scope); };
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
                     [&](const LetIn& n) { return of(*n.body, scope.with(n)); },
                     [&](const LetValueIn& n) {
                         Scope inner = scope;
                         inner.declare(n.name, expressions_.family(n.name, n.lanes, n.type, *n.value, scope, memory_));
                         return of(*n.body, inner);
                     },
                     [&](const auto&) { return leaf(expressions_.evaluate(expr, scope, memory_), scope); }},
            expr.node);
    }

private:
    Term leaf(const heap::Value& value, const Scope& scope) const {
        const heap::Value here = value.intersect_params(scope.known());
        if (here.is_empty() || !heap::is_single_valued(here)) { throw NoOutline{}; }
        std::vector<term::Choice::Case> cases;
        for (const heap::Piece& piece : heap::pieces(here)) {
            std::vector<isl::pw_aff> holes;
            for (const isl::pw_aff& hole : piece.holes) {
                const isl::pw_aff narrowed = affine::narrowed(hole, piece.environments);
                holes.push_back(narrowed.isa_aff() ? narrowed : affine::gist(narrowed, piece.environments).coalesce());
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
    const heap::Memory& memory_;
};

}  // namespace

std::optional<Term> outline(const Expr& expr, const Expressions& expressions, const heap::Templates& templates,
                            const Scope& scope, const heap::Memory& memory) {
    try {
        Term term = Outline(expressions, templates, memory).of(expr, scope);
        const bool is_of_use = !term->mentions_uninit && !term->mentions_unknown;
        return is_of_use ? std::optional(std::move(term)) : std::nullopt;
    } catch (const NoOutline&) { return std::nullopt; }
}

}  // namespace haruspex::validator
