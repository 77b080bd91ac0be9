#include "oracle/conversion/required.h"

#include <algorithm>
#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/reify.h"
#include "harness/transform/indices.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::Polynomial;
using sched::Polynomials;

class Requirement {
public:
    Requirement(const std::string& min, const std::string& extent, const std::set<std::string>& sizes,
                sched::Atoms& atoms)
        : sizes_(sizes),
          atoms_(atoms),
          polynomials_(atoms),
          forms_(atoms),
          prefix_(min + ".part"),
          min_(polynomials_.atom(min)),
          extent_(polynomials_.atom(extent)) {}

    void take(const Expr& assertion) {
        std::visit(Overload{[&](const sched::And& n) {
                                take(*n.a);
                                take(*n.b);
                            },
                            [&](const sched::Comparison& n) { take(n); }, [](const auto&) {}},
                   assertion.node);
    }

    std::optional<sched::Dimension> dimension() const {
        if (!first_ || !end_) { return std::nullopt; }
        const auto extent = Polynomials::add(*end_, *first_, -1);
        auto length = extent ? sched::index_with_lets(*extent, atoms_, prefix_) : std::nullopt;
        auto from = sched::index_with_lets(*first_, atoms_, prefix_);
        if (!length || !from) { return std::nullopt; }
        return sched::Dimension{transform::tidied(std::move(*length)), transform::tidied(std::move(*from)), {}};
    }

private:
    void take(const sched::Comparison& comparison) {
        const Polynomial a = forms_.of(*comparison.a), b = forms_.of(*comparison.b);
        switch (comparison.relation) {
            case sare::Relation::le: at_most(a, b, 0); break;
            case sare::Relation::lt: at_most(a, b, 1); break;
            case sare::Relation::ge: at_most(b, a, 0); break;
            case sare::Relation::gt: at_most(b, a, 1); break;
            case sare::Relation::eq: at_most(a, b, 0), at_most(b, a, 0); break;
            case sare::Relation::ne: break;
        }
    }

    // a + gap <= b.
    void at_most(const Polynomial& a, const Polynomial& b, std::int64_t gap) {
        const auto difference = Polynomials::add(b, a, -1);
        const auto room = difference ? Polynomials::add(*difference, Polynomials::constant(-gap)) : std::nullopt;
        if (!room) { return; }
        if (const auto first = Polynomials::add(*room, min_); first && is_of_sizes(*first)) {
            const auto least = first_ ? polynomials_.minimum(*first_, *first) : first;
            if (least) { first_ = least; }
        }
        const auto without_min = Polynomials::add(min_, *room, -1);
        const auto end = without_min ? Polynomials::add(*without_min, extent_) : std::nullopt;
        if (end && is_of_sizes(*end)) {
            const auto greatest = end_ ? polynomials_.maximum(*end_, *end) : end;
            if (greatest) { end_ = greatest; }
        }
    }

    bool is_of_sizes(const Polynomial& form) const {
        return std::ranges::all_of(form, [&](const auto& term) {
            return std::ranges::all_of(term.first, [&](sched::Atom atom) {
                const sched::Atoms::Meaning& meaning = atoms_.meaning(atom);
                if (meaning.operands.empty()) { return sizes_.contains(meaning.head); }
                return std::ranges::all_of(meaning.operands,
                                           [&](const Polynomial& operand) { return is_of_sizes(operand); });
            });
        });
    }

    const std::set<std::string>& sizes_;
    sched::Atoms& atoms_;
    sched::Polynomials polynomials_;
    sched::NormalForms forms_;
    std::string prefix_;
    Polynomial min_, extent_;
    std::optional<Polynomial> first_, end_;
};

}  // namespace

std::optional<sched::Dimension> required(const std::vector<Expr>& assertions, const std::string& min,
                                         const std::string& extent, const std::set<std::string>& sizes,
                                         sched::Atoms& atoms) {
    Requirement requirement(min, extent, sizes, atoms);
    for (const Expr& assertion : assertions) { requirement.take(assertion); }
    return requirement.dimension();
}

}  // namespace haruspex::conversion
