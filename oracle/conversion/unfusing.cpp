#include "oracle/conversion/unfusing.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/reify.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/definitions.h"
#include "oracle/conversion/delinearisation.h"
#include "oracle/conversion/in_scope.h"

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
            if (const auto* let = std::get_if<sched::Let>(&statement.node)) { taken_.insert(let->name); }
            if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) { take(let->name, let->lanes); }
            if (const auto* array = std::get_if<sched::Allocate>(&statement.node)) { taken_.insert(array->array); }
            if (const auto* semaphore = std::get_if<sched::Semaphore>(&statement.node)) {
                taken_.insert(semaphore->name);
            }
            if (const auto* assign = std::get_if<sched::Assign>(&statement.node)) { take({}, assign->lanes); }
            sched::for_each_part(statement, [&](const Expr& part) {
                taken_.merge(sched::free_names(part));
                sched::for_each_expr(part, [&](const Expr& e) {
                    if (const auto* let = std::get_if<sched::LetIn>(&e.node)) { taken_.insert(let->name); }
                    if (const auto* let = std::get_if<sched::LetValueIn>(&e.node)) { take(let->name, let->lanes); }
                    if (const auto* reduce = std::get_if<sched::LaneReduce>(&e.node)) { take({}, reduce->lanes); }
                });
            });
        });
    }

    void block(Block& statements) {
        forms_.enter();
        for (std::size_t n = 0; n < statements.size(); ++n) {
            // More than two fused loops are split two by two.
            while (const auto inner = unfuse(statements[n])) {
                sched::Assert assertion{{sched::Comparison{sare::Relation::le, Expr{sched::Integer{0}}, *inner}},
                                        "the extent of a fused loop"};
                statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(n++), {std::move(assertion)});
            }
            define(forms_, statements[n]);
            sched::for_each_block(statements[n], [&](Block& inner) { block(inner); });
        }
        forms_.leave();
    }

private:
    // Splits a fused loop: the statement becomes the outer loop; returns the extent of the inner one.
    std::optional<Expr> unfuse(sched::Stmt& statement) {
        auto* found = std::get_if<sched::For>(&statement.node);
        if (found == nullptr) { return std::nullopt; }
        sched::For& loop = *found;
        const Polynomial extent = forms_.of(loop.extent);
        if (!forms_.of(loop.min).empty() || Polynomials::as_constant(extent)) { return std::nullopt; }
        for (const Polynomial& divisor : sizes_within(loop)) {
            const auto parts = coordinates(extent, {divisor}, polynomials_);
            if (!parts || !(*parts)[0].empty()) { continue; }
            auto inner = sched::index_of(divisor, atoms_), outer = sched::index_of((*parts)[1], atoms_);
            if (!inner || !outer) { continue; }
            Expr size = transform::tidied(std::move(*inner));
            split(loop, divisor, size, transform::tidied(std::move(*outer)));
            return size;
        }
        return std::nullopt;
    }

    // The divisors of a fused loop's variable, sizes first; a constant only if a size divides its quotient.
    std::vector<Polynomial> sizes_within(sched::For& loop) {
        std::vector<Polynomial> sizes, constants;
        std::set<Polynomial> divided;
        const auto insert = [](std::vector<Polynomial>& divisors, const Polynomial& divisor) {
            if (std::ranges::find(divisors, divisor) == divisors.end()) { divisors.push_back(divisor); }
        };
        const Polynomial variable = polynomials_.atom(loop.variable);
        for_each_division(loop.body, forms_, [&](Expr&, const Polynomial& dividend, const Polynomial& divisor) {
            const bool is_constant = Polynomials::as_constant(divisor).has_value();
            if (!is_constant) { divided.insert(dividend); }
            if (dividend == variable) { insert(is_constant ? constants : sizes, divisor); }
        });
        for (const Polynomial& constant : constants) {
            const auto by = *Polynomials::as_constant(constant);
            const auto quotient = by > 0 ? polynomials_.quotient(variable, by) : std::nullopt;
            if (quotient && divided.contains(*quotient)) { sizes.push_back(constant); }
        }
        return sizes;
    }

    void split(sched::For& loop, const Polynomial& divisor, const Expr& inner, const Expr& outer) {
        const std::string quotient = fresh(loop.variable + ".quotient"),
                          remainder = fresh(loop.variable + ".remainder");
        const Polynomial fused = polynomials_.atom(loop.variable);
        for_each_division(loop.body, forms_, [&](Expr& expr, const Polynomial& dividend, const Polynomial& by) {
            if (dividend != fused || by != divisor) { return; }
            const bool is_quotient = std::get<sched::IndexBinary>(expr.node).op == IndexOp::div;
            expr = variable(is_quotient ? quotient : remainder);
        });
        find_first_iteration(loop.body, fused, quotient, remainder);
        const Expr whole = binary(IndexOp::add, binary(IndexOp::mul, variable(quotient), inner), variable(remainder));
        transform::substitute(loop.body, {{loop.variable, whole}});
        sched::For within{loop.kind, remainder, {sched::Integer{0}}, inner, std::move(loop.body)};
        loop.variable = quotient;
        loop.extent = outer;
        loop.body = {{std::move(within)}};
    }

    // Rewrites tests for the first iteration, v <= 0 or v = 0, as conditions without products.
    void find_first_iteration(Block& body, const Polynomial& fused, const std::string& quotient,
                              const std::string& remainder) {
        const auto none_before = polynomials_.at_most_zero(fused), is_zero = polynomials_.is_zero(fused);
        const auto is = [](const Polynomial& condition, const std::optional<Polynomial>& this_one) {
            return this_one && condition == *this_one;
        };
        const auto is_not = [](const Polynomial& condition, const std::optional<Polynomial>& this_one) {
            return this_one && condition == Polynomials::add(Polynomials::constant(1), *this_one, -1);
        };
        const auto at_most_zero = [](const std::string& name) {
            return Expr{sched::Comparison{sare::Relation::le, variable(name), Expr{sched::Integer{0}}}};
        };
        const Expr is_first{sched::And{at_most_zero(quotient), at_most_zero(remainder)}};
        for_each_in_scope(body, forms_, [&](Expr& expr) {
            if (!std::holds_alternative<sched::Comparison>(expr.node)) { return; }
            const Polynomial condition = forms_.of(expr);
            if (is(condition, none_before) || is(condition, is_zero)) {
                expr = is_first;
            } else if (is_not(condition, none_before) || is_not(condition, is_zero)) {
                expr = {sched::Not{is_first}};
            }
        });
    }

    void take(const std::string& name, const std::optional<sched::Lanes>& lanes) {
        if (!name.empty()) { taken_.insert(name); }
        if (lanes) { taken_.insert(lanes->variable); }
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
