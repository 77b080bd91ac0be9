#include "harness/sched/reify.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sched/names.h"
#include "harness/sched/polynomials.h"

namespace haruspex::sched {
namespace {

using Maybe = std::optional<Expr>;

Expr binary(IndexOp op, Expr a, Expr b) { return {IndexBinary{op, std::move(a), std::move(b)}}; }

class Reification {
public:
    explicit Reification(const Atoms& atoms) : atoms_(atoms) {}
    // Uses these lets, in the order of their definitions.
    Reification(const Atoms& atoms, const std::vector<std::pair<Atom, std::string>>& lets) : atoms_(atoms) {
        for (const auto& [atom, name] : lets) { lets_.emplace(atom, name); }
    }

    Maybe definition(Atom atom) { return number(atoms_.meaning(atom)); }

    bool is_too_large() const { return operations_ > most_operations; }

    Maybe index(const Polynomial& form) {
        operations_ += form.size();
        if (is_too_large()) { return std::nullopt; }
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
    Maybe product(const Monomial& monomial, std::int64_t coefficient) {
        Maybe result;
        for (const Atom atom : monomial) {
            if (atoms_.meaning(atom).is_condition) { continue; }
            const auto let = lets_.find(atom);
            Maybe factor = let != lets_.end() ? Maybe{{Variable{let->second}}} : number(atoms_.meaning(atom));
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

    Maybe number(const Atoms::Meaning& meaning) {
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

    Maybe condition(const Atoms::Meaning& meaning) {
        if (meaning.head != "<=0" && meaning.head != "=0") { return std::nullopt; }
        Maybe a = index(meaning.operands[0]);
        if (!a) { return std::nullopt; }
        const Relation relation = meaning.head == "=0" ? Relation::eq : Relation::le;
        return Expr{Comparison{relation, std::move(*a), Expr{Integer{0}}}};
    }

    const Atoms& atoms_;
    std::map<Atom, std::string> lets_;
    std::size_t operations_ = 0;
};

// The number atoms that are operations and occur more than once in a form, each after those that it needs.
class Shared {
public:
    explicit Shared(const Atoms& atoms) : atoms_(atoms) {}

    void visit(const Polynomial& form) {
        for (const auto& [monomial, coefficient] : form) {
            for (const Atom atom : monomial) {
                const Atoms::Meaning& meaning = atoms_.meaning(atom);
                if (meaning.operands.empty()) { continue; }
                if (++uses_[atom] > 1) { continue; }
                for (const Polynomial& operand : meaning.operands) { visit(operand); }
                in_order_.push_back(atom);
            }
        }
    }

    std::vector<std::pair<Atom, std::string>> lets(const std::string& prefix) const {
        std::vector<std::pair<Atom, std::string>> lets;
        for (const Atom atom : in_order_) {
            if (uses_.at(atom) > 1 && !atoms_.meaning(atom).is_condition) {
                lets.emplace_back(atom, prefix + std::to_string(lets.size()));
            }
        }
        return lets;
    }

private:
    const Atoms& atoms_;
    std::map<Atom, int> uses_;
    std::vector<Atom> in_order_;
};

}  // namespace

std::expected<Expr, NoIndex> index_of(const Polynomial& form, const Atoms& atoms) {
    Reification reification(atoms);
    Maybe index = reification.index(form);
    if (index) { return std::move(*index); }
    return std::unexpected(reification.is_too_large() ? NoIndex::too_large : NoIndex::value);
}

std::optional<Expr> index_with_lets(const Polynomial& form, const Atoms& atoms, const std::string& prefix) {
    Shared shared(atoms);
    shared.visit(form);
    const auto lets = shared.lets(prefix);
    Reification reification(atoms, lets);
    Maybe result = reification.index(form);
    for (std::size_t i = lets.size(); result && i-- > 0;) {
        Maybe value = reification.definition(lets[i].first);
        if (!value) { return std::nullopt; }
        result = Expr{LetIn{lets[i].second, std::move(*value), std::move(*result)}};
    }
    return result;
}

}  // namespace haruspex::sched
