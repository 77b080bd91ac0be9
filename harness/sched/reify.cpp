#include "harness/sched/reify.h"

#include <string_view>
#include <utility>

#include "harness/sched/names.h"
#include "harness/sched/polynomials.h"

namespace haruspex::sched {
namespace {

using Maybe = std::optional<Expr>;

Expr binary(IndexOp op, Expr a, Expr b) { return {IndexBinary{op, std::move(a), std::move(b)}}; }

class Reification {
public:
    explicit Reification(const Atoms& atoms) : atoms_(atoms) {}

    Maybe index(const Polynomial& form) const {
        Maybe sum;
        // Positive terms first, as people write them, and the constant last.
        for (const bool is_positive : {true, false}) {
            for (const auto& [monomial, coefficient] : form) {
                if (monomial.empty() || (coefficient > 0) != is_positive) { continue; }
                Maybe term = product(monomial, is_positive || !sum ? coefficient : -coefficient);
                if (!term) { return std::nullopt; }
                sum = !sum ? std::move(*term)
                           : binary(is_positive ? IndexOp::add : IndexOp::sub, std::move(*sum), std::move(*term));
            }
        }
        const auto constant = form.find({});
        if (constant == form.end()) { return sum ? std::move(*sum) : Expr{Integer{0}}; }
        if (!sum) { return Expr{Integer{constant->second}}; }
        return binary(IndexOp::add, std::move(*sum), {Integer{constant->second}});
    }

private:
    Maybe product(const Monomial& monomial, std::int64_t coefficient) const {
        Maybe result;
        for (const Atom atom : monomial) {
            if (atoms_.meaning(atom).is_condition) { continue; }
            Maybe factor = number(atoms_.meaning(atom));
            if (!factor) { return std::nullopt; }
            result = result ? binary(IndexOp::mul, std::move(*result), std::move(*factor)) : std::move(*factor);
        }
        if (!result) {
            result = Expr{Integer{coefficient}};
        } else if (coefficient != 1) {
            result = binary(IndexOp::mul, {Integer{coefficient}}, std::move(*result));
        }
        // c*p is p where c holds.
        for (const Atom atom : monomial) {
            if (!atoms_.meaning(atom).is_condition) { continue; }
            Maybe holds = condition(atoms_.meaning(atom));
            if (!holds) { return std::nullopt; }
            result = Expr{Select{std::move(*holds), std::move(*result), Expr{Integer{0}}}};
        }
        return result;
    }

    Maybe number(const Atoms::Meaning& meaning) const {
        if (meaning.operands.empty()) { return is_name(meaning.head) ? Maybe{{Variable{meaning.head}}} : std::nullopt; }
        if (meaning.head == "min") {
            Expr least{Integer{0}};
            for (const Polynomial& part : meaning.operands) {
                Maybe operand = index(part);
                if (!operand) { return std::nullopt; }
                least = binary(IndexOp::min, std::move(least), std::move(*operand));
            }
            return least;
        }
        constexpr std::pair<std::string_view, IndexOp> operators[] = {
            {"/", IndexOp::div},     {"any /", IndexOp::div}, {"any %", IndexOp::mod},   {"any +", IndexOp::add},
            {"any -", IndexOp::sub}, {"any *", IndexOp::mul}, {"any min", IndexOp::min}, {"any max", IndexOp::max}};
        for (const auto& [head, op] : operators) {
            if (meaning.head != head) { continue; }
            Maybe a = index(meaning.operands[0]), b = index(meaning.operands[1]);
            return a && b ? Maybe(binary(op, std::move(*a), std::move(*b))) : std::nullopt;
        }
        return std::nullopt;
    }

    Maybe condition(const Atoms::Meaning& meaning) const {
        if (meaning.head != "<=0" && meaning.head != "=0") { return std::nullopt; }
        Maybe a = index(meaning.operands[0]);
        if (!a) { return std::nullopt; }
        const Relation relation = meaning.head == "=0" ? Relation::eq : Relation::le;
        return Expr{Comparison{relation, std::move(*a), Expr{Integer{0}}}};
    }

    const Atoms& atoms_;
};

}  // namespace

std::optional<Expr> index_of(const Polynomial& form, const Atoms& atoms) { return Reification(atoms).index(form); }

}  // namespace haruspex::sched
