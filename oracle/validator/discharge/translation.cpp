#include "oracle/validator/discharge/translation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generators/affine/coalesce.h"
#include "generators/affine/comparison.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/validator/discharge/alignment.h"
#include "oracle/validator/scope/scope.h"

namespace haruspex::validator {
namespace {

using affine::Interval;
using smt::Definedness;
using value::BinaryOp;
using value::Type;
using value::Value;

affine::Disjunction disjunction(const isl::set& set) {
    auto result = affine::disjunction(set);
    if (!result) { throw Unsupported("numbers beyond 64 bits", result.error().message); }
    return std::move(*result);
}

Definedness definedness(const Specification& specification, const std::string& tensor) {
    return specification.is_total(tensor) ? Definedness::always_defined : Definedness::may_be_undef;
}

// Translates everything but the leaves, in which the two translations differ.
class Translator {
public:
    using Leaf = std::function<smt::Term(const Term&)>;
    Translator(smt::Terms& terms, Leaf leaf) : terms_(terms), leaf_(std::move(leaf)) {}

    smt::Term operator()(const Term& t) {
        if (const auto known = known_.find(t.get()); known != known_.end()) { return known->second; }
        const smt::Term made = translated(t);
        known_.emplace(t.get(), made);
        return made;
    }

private:
    smt::Term translated(const Term& t) {
        const auto part = [&](const Term& operand) { return (*this)(operand); };
        return std::visit(
            Overload{[&](const term::Literal& n) { return terms_.literal(n.value); },
                     [&](const term::Uninit&) { return terms_.uninit(t->type); },
                     [&](const term::Unknown&) -> smt::Term {
                         raise_internal_error(__FILE__, __LINE__, "an unknown value is no question for a solver");
                     },
                     [&](const term::Choice&) -> smt::Term {
                         raise_internal_error(__FILE__, __LINE__, "an outline is no question for a solver");
                     },
                     [&](const term::Unary& n) { return terms_.apply(n.op, part(n.a)); },
                     [&](const term::Binary& n) {
                         const smt::Term a = part(n.a);
                         return terms_.apply(n.op, a, part(n.b));
                     },
                     [&](const term::Cast& n) { return terms_.cast(t->type, part(n.a)); },
                     [&](const term::Select& n) {
                         const smt::Term c = part(n.condition), a = part(n.if_true);
                         return terms_.select(c, a, part(n.if_false));
                     },
                     [&](const auto&) { return leaf_(t); }},
            t->what);
    }

    smt::Terms& terms_;
    Leaf leaf_;
    std::unordered_map<const TermNode*, smt::Term> known_;
};

// --- With indices ---------------------------------------------------------------------------------------------------

class IndexedLeaves {
public:
    IndexedLeaves(smt::Terms& terms, const Specification& specification, isl::set domain)
        : terms_(terms), specification_(specification), domain_(std::move(domain)) {}

    smt::Term operator()(const Term& t) {
        if (const auto* truth = as<term::Truth>(t)) { return terms_.guard(disjunction(truth->condition)); }
        if (const auto* embed = as<term::Embed>(t)) { return terms_.embed(t->type, variable(embed->index)); }
        const auto& cell = std::get<term::Cell>(t->what);
        std::vector<affine::Affine> indices;
        for (const isl::pw_aff& index : cell.indices) { indices.push_back(variable(index)); }
        return terms_.cell(
            {cell.tensor, cell.component, t->type, definedness(specification_, cell.tensor), std::move(indices)});
    }

    const isl::set& domain() const { return domain_; }

private:
    affine::Affine variable(const isl::pw_aff& index) {
        for (const auto& [known, name] : known_) {
            if (known.plain_is_equal(index)) { return affine::variable(name); }
        }
        const std::string name = "?" + std::to_string(known_.size());
        known_.emplace_back(index, name);
        domain_ = domain_.intersect(index.bind(affine::identifier(index.ctx(), name)));
        return affine::variable(name);
    }

    smt::Terms& terms_;
    const Specification& specification_;
    isl::set domain_;
    std::vector<std::pair<isl::pw_aff, std::string>> known_;
};

// --- Without indices ------------------------------------------------------------------------------------------------

bool is_within(const Interval& a, const Interval& b) { return b.low <= a.low && a.high <= b.high; }

class UnknownLeaves {
public:
    UnknownLeaves(smt::Terms& terms, const Specification& specification, isl::set environments, Embedded embedded)
        : terms_(terms), specification_(specification), environments_(std::move(environments)), embedded_(embedded) {}

    smt::Term operator()(const Term& t) {
        if (const auto* truth = as<term::Truth>(t)) { return condition(truth->condition); }
        if (const auto* embed = as<term::Embed>(t)) { return number(t->type, embed->index); }
        return cell(t, std::get<term::Cell>(t->what));
    }

    // The specification is translated first.
    void end_specification() { is_in_specification_ = false; }

private:
    struct Condition {
        isl::set environments;
        smt::Term value;
    };
    struct Number {
        isl::pw_aff index;
        Type type;  // of the value; with Embedded::numbers, wide enough for the index
        smt::Term value;
    };

    smt::Term unknown(const std::string& what, Type type, Definedness definedness) {
        return terms_.cell({what + " #" + std::to_string(unknowns_++), 0, type, definedness, {}});
    }

    smt::Term condition(const isl::set& condition) {
        const isl::set holds = environments_.intersect(condition), fails = environments_.subtract(condition);
        if (fails.is_empty()) { return terms_.literal(Value::boolean(true)); }
        if (holds.is_empty()) { return terms_.literal(Value::boolean(false)); }
        for (const Condition& known : conditions_) {
            if (known.environments.is_equal(holds)) { return known.value; }
            if (known.environments.is_equal(fails)) { return terms_.apply(value::UnaryOp::logical_not, known.value); }
        }
        const smt::Term value = unknown("condition", Type::boolean, Definedness::always_defined);
        conditions_.push_back({holds, value});
        return value;
    }

    smt::Term cell(const Term& t, const term::Cell& cell) {
        auto& known = cells_[{cell.tensor, cell.component}];
        for (const auto& [other, value] : known) {
            if (have_same_values(cell.indices, other.indices, environments_)) { return value; }
        }
        // Where a subterm of the specification is Undef, the whole is, and nothing is claimed.
        const Definedness is_defined =
            is_in_specification_ ? Definedness::always_defined : definedness(specification_, cell.tensor);
        const auto range = embedded_ == Embedded::numbers ? numbers_of(cell, t->type) : std::nullopt;
        const smt::Term value = range ? terms_.cast(t->type, bounded(cell.tensor, *range, is_defined))
                                      : unknown(cell.tensor, t->type, is_defined);
        known.emplace_back(cell, value);
        return value;
    }

    // nullopt if no more is known than the type.
    std::optional<Interval> numbers_of(const term::Cell& cell, Type type) const {
        const auto range = specification_.range(cell.tensor, cell.component);
        if (!range || !value::is_integer(type) || *range == value::full_range(type)) { return std::nullopt; }
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        if (range->high > most) { return std::nullopt; }
        return Interval{static_cast<std::int64_t>(range->low), static_cast<std::int64_t>(range->high)};
    }

    smt::Term number(Type type, const isl::pw_aff& index) {
        const auto range = affine::range(index.intersect_params(environments_));
        if (range && range->low == range->high) {
            const Value whole = Value::integer(Type::i64, range->low);
            const auto exact = value::cast_exactly(type, whole);
            return exact ? terms_.literal(*exact) : terms_.cast(type, terms_.literal(whole));
        }
        return embedded_ == Embedded::numbers && range ? computed(type, index, *range) : opaque(type, index, range);
    }

    smt::Term opaque(Type type, const isl::pw_aff& index, const std::optional<Interval>& range) {
        for (const Number& known : opaque_) {
            if (known.type == type && affine::are_same(index, known.index, environments_)) { return known.value; }
        }
        const bool fits = is_in_specification_ || !value::overflow_is_undefined(type) ||
                          (range && is_within(*range, integers_of(type)));
        const smt::Term value = unknown("index", type, fits ? Definedness::always_defined : Definedness::may_be_undef);
        opaque_.push_back({index, type, value});
        return value;
    }

    // Machine integers wide enough for computing the index: nothing overflows but the conversion to the type.
    smt::Term computed(Type type, const isl::pw_aff& index, const Interval& range) {
        for (const Number& known : numbers_) {
            if (!is_within(range, integers_of(known.type))) { continue; }
            const auto distance = affine::range(index.sub(known.index).intersect_params(environments_));
            if (!distance || distance->low != distance->high || !is_within(*distance, integers_of(known.type))) {
                continue;
            }
            const smt::Term apart = terms_.literal(Value::integer(known.type, distance->low));
            const smt::Term moved = distance->low == 0 ? known.value : terms_.apply(BinaryOp::add, known.value, apart);
            return terms_.cast(type, moved);
        }
        const Type wide = is_within(range, integers_of(Type::i32)) ? Type::i32 : Type::i64;
        numbers_.push_back({index, wide, terms_.cast(wide, bounded("index", range, Definedness::always_defined))});
        return terms_.cast(type, numbers_.back().value);
    }

    // An arbitrary number of the range, in as few bits as it needs.
    smt::Term bounded(const std::string& what, const Interval& range, Definedness is_defined) {
        static constexpr std::array types{Type::u8, Type::i8, Type::u16, Type::i16, Type::i32, Type::i64};
        const Type type = *std::ranges::find_if(types, [&](Type t) { return is_within(range, integers_of(t)); });
        smt::Term value = unknown(what, type, is_defined);
        const auto literal = [&](std::int64_t n) { return terms_.literal(Value::integer(type, n)); };
        if (range.low > integers_of(type).low) { value = terms_.apply(BinaryOp::max, value, literal(range.low)); }
        if (range.high < integers_of(type).high) { value = terms_.apply(BinaryOp::min, value, literal(range.high)); }
        return value;
    }

    smt::Terms& terms_;
    const Specification& specification_;
    isl::set environments_;
    Embedded embedded_;
    bool is_in_specification_ = true;
    int unknowns_ = 0;
    std::vector<Condition> conditions_;
    std::map<std::pair<std::string, int>, std::vector<std::pair<term::Cell, smt::Term>>> cells_;
    std::vector<Number> opaque_, numbers_;
};

}  // namespace

Translation with_indices(const Question& question, const Specification& specification) {
    Translation result;
    IndexedLeaves leaves(result.terms, specification, question.environments);
    Translator translate(result.terms, std::ref(leaves));
    result.specification = translate(question.specification);
    result.implementation = translate(question.implementation);
    result.domain = disjunction(affine::coalesced(leaves.domain()));
    return result;
}

Translation without_indices(const Question& question, const Specification& specification, Embedded embedded) {
    Translation result;
    UnknownLeaves leaves(result.terms, specification, question.environments, embedded);
    Translator translate(result.terms, std::ref(leaves));
    result.specification = translate(question.specification);
    leaves.end_specification();
    result.implementation = translate(question.implementation);
    result.domain = {{}};
    return result;
}

}  // namespace haruspex::validator
