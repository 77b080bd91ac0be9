#include "oracle/conversion/unfusing.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/overload.h"
#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/reify.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/definitions.h"
#include "oracle/conversion/delinearisation.h"

namespace haruspex::conversion {
namespace {

using sched::Block;
using sched::Expr;
using sched::IndexOp;
using sched::Polynomial;
using sched::Polynomials;

Expr variable(const std::string& name) { return {sched::Variable{name}}; }

Expr binary(IndexOp op, Expr a, Expr b) { return {sched::IndexBinary{op, std::move(a), std::move(b)}}; }

class Unfusing {
public:
    explicit Unfusing(const sched::Program& program) : polynomials_(atoms_), forms_(atoms_) {
        taken_.insert(program.parameters.begin(), program.parameters.end());
        sched::for_each_statement(program.body, [&](const sched::Stmt& statement) {
            if (const auto* loop = std::get_if<sched::For>(&statement.node)) { taken_.insert(loop->variable); }
            sched::for_each_part(statement, [&](const Expr& part) {
                taken_.merge(sched::free_names(part));
                sched::for_each_expr(part, [&](const Expr& e) {
                    if (const auto* let = std::get_if<sched::LetIn>(&e.node)) { taken_.insert(let->name); }
                    if (const auto* let = std::get_if<sched::LetValueIn>(&e.node)) { taken_.insert(let->name); }
                });
            });
        });
    }

    void block(Block& statements) {
        forms_.enter();
        for (std::size_t n = 0; n < statements.size(); ++n) {
            // More than two loops are fused two by two.
            while (const auto inner = unfuse(statements[n])) {
                sched::Assert assertion{{sched::Comparison{sare::Relation::le, Expr{sched::Integer{0}}, *inner}},
                                        "the extent of a fused loop"};
                statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(n++), {std::move(assertion)});
            }
            define(statements[n]);
            sched::for_each_block(statements[n], [&](Block& inner) { block(inner); });
        }
        forms_.leave();
    }

private:
    void define(const sched::Stmt& statement) {
        if (const auto* let = std::get_if<sched::Let>(&statement.node)) {
            conversion::define(forms_, let->name, let->value);
        }
        if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
            conversion::define(forms_, let->name, let->lanes, let->value);
        }
    }

    // A loop that is one of these becomes the outer of the two; returns the extent of the inner one.
    std::optional<Expr> unfuse(sched::Stmt& statement) {
        auto* found = std::get_if<sched::For>(&statement.node);
        if (found == nullptr) { return std::nullopt; }
        sched::For& loop = *found;
        const Polynomial extent = forms_.of(loop.extent);
        if (!forms_.of(loop.min).empty() || !has_product(extent)) { return std::nullopt; }
        std::vector<Polynomial> divisors;
        Divisions{
            *this, loop.variable,
            [&](Expr&, const Polynomial& divisor) {
                if (!Polynomials::as_constant(divisor) && std::ranges::find(divisors, divisor) == divisors.end()) {
                    divisors.push_back(divisor);
                }
            }}
            .block(loop.body);
        for (const Polynomial& divisor : divisors) {
            const auto parts = coordinates(extent, {divisor}, polynomials_);
            if (!parts || !(*parts)[0].empty()) { continue; }
            auto inner = sched::index_of(divisor, atoms_), outer = sched::index_of((*parts)[1], atoms_);
            if (!inner || !outer) { continue; }
            inner = transform::tidied(std::move(*inner));
            split(loop, divisor, *inner, transform::tidied(std::move(*outer)));
            return inner;
        }
        return std::nullopt;
    }

    void split(sched::For& loop, const Polynomial& divisor, const Expr& inner, const Expr& outer) {
        const std::string quotient = fresh(loop.variable + ".quotient"),
                          remainder = fresh(loop.variable + ".remainder");
        Divisions{*this, loop.variable,
                  [&](Expr& expr, const Polynomial& by) {
                      if (by != divisor) { return; }
                      const bool is_quotient = std::get<sched::IndexBinary>(expr.node).op == IndexOp::div;
                      expr = variable(is_quotient ? quotient : remainder);
                  }}
            .block(loop.body);
        const Expr whole = binary(IndexOp::add, binary(IndexOp::mul, variable(quotient), inner), variable(remainder));
        transform::substitute(loop.body, {{loop.variable, whole}});
        sched::For within{loop.kind, remainder, {sched::Integer{0}}, inner, std::move(loop.body)};
        loop.variable = quotient;
        loop.extent = outer;
        loop.body = {{std::move(within)}};
    }

    // Visits the quotients and remainders of a variable, with what it is divided by.
    template <typename Visit>
    struct Divisions {
        Unfusing& all;
        std::string variable;
        Visit visit;

        void block(Block& statements) {
            all.forms_.enter();
            for (sched::Stmt& statement : statements) {
                sched::for_each_part(statement, [&](Expr& part) { expr(part); });
                all.define(statement);
                sched::for_each_block(statement, [&](Block& inner) { block(inner); });
            }
            all.forms_.leave();
        }

        void expr(Expr& e) {
            const auto inside = [&](const auto& define, Expr& body) {
                all.forms_.enter();
                define();
                expr(body);
                all.forms_.leave();
            };
            if (auto* let = std::get_if<sched::LetIn>(&e.node)) {
                expr(*let->value);
                inside([&] { all.forms_.define(let->name, *let->value); }, *let->body);
            } else if (auto* value = std::get_if<sched::LetValueIn>(&e.node)) {
                expr(*value->value);
                inside([&] { all.forms_.define(value->name, value->lanes, *value->value); }, *value->body);
            } else {
                sched::for_each_part(e, [&](Expr& part) { expr(part); });
                const auto* division = std::get_if<sched::IndexBinary>(&e.node);
                const bool is_division =
                    division != nullptr && (division->op == IndexOp::div || division->op == IndexOp::mod);
                if (is_division && all.forms_.of(*division->a) == all.polynomials_.atom(variable)) {
                    visit(e, all.forms_.of(*division->b));
                }
            }
        }
    };
    template <typename Visit>
    Divisions(Unfusing&, std::string, Visit) -> Divisions<Visit>;

    bool has_product(const Polynomial& form) const {
        return std::ranges::any_of(form, [&](const auto& term) { return sched::is_product(term.first, atoms_); });
    }

    std::string fresh(std::string name) {
        while (!taken_.insert(name).second) { name += "$"; }
        return name;
    }

    sched::Atoms atoms_;
    Polynomials polynomials_;
    sched::NormalForms forms_;
    std::set<std::string> taken_;
};

}  // namespace

void unfuse(sched::Program& program) { Unfusing(program).block(program.body); }

}  // namespace haruspex::conversion
