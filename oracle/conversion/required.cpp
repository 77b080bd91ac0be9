#include "oracle/conversion/required.h"

#include <algorithm>
#include <map>
#include <utility>

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
        left_.emplace_back(std::in_place);
        const auto* comparison = std::get_if<sched::Comparison>(&assertion.node);
        if (comparison == nullptr || !take(*comparison)) { left_.back().reset(); }
    }

    std::optional<Required> result() const {
        if (!first_ || !end_) { return std::nullopt; }
        const auto cells = Polynomials::add(*end_, *first_, -1);
        auto length = cells ? sched::index_with_lets(*cells, atoms_, prefix_) : std::nullopt;
        auto from = sched::index_with_lets(*first_, atoms_, prefix_);
        if (!length || !from) { return std::nullopt; }
        Required all{{transform::tidied(std::move(*length)), transform::tidied(std::move(*from)), {}}, {}};
        for (std::size_t i = 0; i < left_.size(); ++i) {
            bool needs_nonnegative_extent = false;
            const auto is_met = [&](const Polynomial& room) {
                if (has_room(room, *cells)) { return true; }
                const bool is_extent = is_of_extent(room);
                needs_nonnegative_extent = needs_nonnegative_extent || is_extent;
                return is_extent;
            };
            if (!left_[i] || !std::ranges::all_of(*left_[i], is_met)) { continue; }
            all.met.insert(i);
            all.needs_nonnegative_extent = all.needs_nonnegative_extent || needs_nonnegative_extent;
        }
        return all;
    }

private:
    // Returns false if the comparison is not understood.
    bool take(const sched::Comparison& comparison) {
        const Polynomial a = forms_.of(*comparison.a), b = forms_.of(*comparison.b);
        switch (comparison.relation) {
            case sare::Relation::le: return at_most(a, b, 0);
            case sare::Relation::lt: return at_most(a, b, 1);
            case sare::Relation::ge: return at_most(b, a, 0);
            case sare::Relation::gt: return at_most(b, a, 1);
            case sare::Relation::eq: {
                const bool below = at_most(a, b, 0), above = at_most(b, a, 0);
                return below && above;
            }
            case sare::Relation::ne: return false;
        }
        return false;
    }

    // Takes a + gap <= b.
    bool at_most(const Polynomial& a, const Polynomial& b, std::int64_t gap) {
        const auto difference = Polynomials::add(b, a, -1);
        const auto room = difference ? Polynomials::add(*difference, Polynomials::constant(-gap)) : std::nullopt;
        if (!room) { return false; }
        if (const auto first = Polynomials::add(*room, min_); first && is_of_sizes(*first)) {
            const auto least = first_ ? polynomials_.minimum(*first_, *first) : first;
            if (least) { first_ = least; }
            return least.has_value();
        }
        const auto without_min = Polynomials::add(min_, *room, -1);
        const auto end = without_min ? Polynomials::add(*without_min, extent_) : std::nullopt;
        if (end && is_of_sizes(*end)) {
            const auto greatest = end_ ? polynomials_.maximum(*end_, *end) : end;
            if (greatest) { end_ = greatest; }
            return greatest.has_value();
        }
        left_.back()->push_back(*room);
        return true;
    }

    // Whether the room is nonnegative whenever the extent is.
    bool is_of_extent(const Polynomial& room) const {
        const std::int64_t of_extent = coefficient(room, extent_);
        const auto rest = Polynomials::add(room, extent_, -of_extent);
        const auto number = rest ? Polynomials::as_constant(*rest) : std::nullopt;
        return number && *number >= 0 && of_extent >= 0;
    }

    // Whether the room is nonnegative for the buffer that starts at the first and has `cells` cells, or none if that
    // number is negative.
    bool has_room(const Polynomial& room, const Polynomial& cells) const {
        const std::int64_t of_min = coefficient(room, min_), of_extent = coefficient(room, extent_);
        const auto rest = Polynomials::add(room, extent_, -of_extent);
        const auto length = Polynomials::as_constant(cells);
        if (!rest || (of_extent < 0 && (!length || *length < 0))) { return false; }
        const auto without = Polynomials::add(*rest, min_, -of_min);
        const auto with_min = without ? Polynomials::add(*without, *first_, of_min) : std::nullopt;
        const auto with_both = with_min ? Polynomials::add(*with_min, cells, of_extent) : std::nullopt;
        const auto left = with_both ? Polynomials::as_constant(*with_both) : std::nullopt;
        return left && *left >= 0;
    }

    static std::int64_t coefficient(const Polynomial& form, const Polynomial& atom) {
        const auto term = form.find(atom.begin()->first);
        return term == form.end() ? 0 : term->second;
    }

    bool is_of_sizes(const Polynomial& form) {
        return std::ranges::all_of(form, [&](const auto& term) {
            return std::ranges::all_of(term.first, [&](sched::Atom atom) { return is_of_sizes(atom); });
        });
    }
    // Visits each atom once: nested minima share operands.
    bool is_of_sizes(sched::Atom atom) {
        if (const auto known = of_sizes_.find(atom); known != of_sizes_.end()) { return known->second; }
        const sched::Atoms::Meaning& meaning = atoms_.meaning(atom);
        const bool is_it = meaning.operands.empty()
                               ? sizes_.contains(meaning.head)
                               : std::ranges::all_of(meaning.operands,
                                                     [&](const Polynomial& operand) { return is_of_sizes(operand); });
        of_sizes_.emplace(atom, is_it);
        return is_it;
    }

    const std::set<std::string>& sizes_;
    sched::Atoms& atoms_;
    sched::Polynomials polynomials_;
    sched::NormalForms forms_;
    std::map<sched::Atom, bool> of_sizes_;
    std::string prefix_;
    Polynomial min_, extent_;
    std::optional<Polynomial> first_, end_;
    // For each assertion, the terms that must not be negative apart from those that define first and end; nullopt if it
    // is not understood.
    std::vector<std::optional<std::vector<Polynomial>>> left_;
};

}  // namespace

std::optional<Required> required(const std::vector<Expr>& assertions, const std::string& min, const std::string& extent,
                                 const std::set<std::string>& sizes, sched::Atoms& atoms) {
    Requirement requirement(min, extent, sizes, atoms);
    for (const Expr& assertion : assertions) { requirement.take(assertion); }
    return requirement.result();
}

}  // namespace haruspex::conversion
