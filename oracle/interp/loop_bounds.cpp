#include "oracle/interp/loop_bounds.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "generators/base/overload.h"

namespace haruspex::interp {
namespace {

// Limits: with more parts of a domain bounding fails; with more rows of one part, further rows are not derived.
constexpr std::size_t most_parts = 256;
constexpr std::size_t most_rows = 400;
// Columns from here on stand for the quotients of floor divisions.
constexpr std::uint32_t first_quotient = std::uint32_t{1} << 24;

// A conjunction of rows >= 0. A superset: rows may be missing, but none is too strong.
using Polyhedron = std::vector<Linear>;

Polyhedron joined(const Polyhedron& a, const Polyhedron& b) {
    Polyhedron both = a;
    both.insert(both.end(), b.begin(), b.end());
    return both;
}

// a - b + constant >= 0; no row if a coefficient overflows.
Polyhedron at_least(const Linear& a, const Linear& b, std::int64_t constant = 0) {
    auto row = add(a, b, -1);
    if (row) { row = add(*row, linear_constant(constant)); }
    return row ? Polyhedron{*row} : Polyhedron{};
}

// A case of an index: where `rows` hold it equals `form`.
struct Case {
    Linear form;
    Polyhedron rows;
};

class Splitter {
public:
    explicit Splitter(const Scope& scope) : scope_(scope) {}

    // The condition, or its negation, as a union of polyhedra.
    std::vector<Polyhedron> split(const sare::Condition& condition, bool positive) {
        return std::visit(Overload{[&](const sare::Truth& t) {
                                       return t.value == positive ? std::vector<Polyhedron>{{}}
                                                                  : std::vector<Polyhedron>{};
                                   },
                                   [&](const sare::Comparison& c) { return split(c, positive); },
                                   [&](const sare::And& c) { return junction(positive, *c.a, *c.b, positive); },
                                   [&](const sare::Or& c) { return junction(!positive, *c.a, *c.b, positive); },
                                   [&](const sare::Not& c) { return split(*c.a, !positive); }},
                          condition.node);
    }

    // Whether there were too many parts: the returned union is then incomplete.
    bool gave_up() const { return gave_up_; }

private:
    bool fits(std::size_t parts) {
        gave_up_ |= parts > most_parts;
        return !gave_up_;
    }

    std::vector<Polyhedron> product(const std::vector<Polyhedron>& a, const std::vector<Polyhedron>& b) {
        std::vector<Polyhedron> parts;
        if (!fits(a.size() * b.size())) { return parts; }
        for (const Polyhedron& x : a) {
            for (const Polyhedron& y : b) { parts.push_back(joined(x, y)); }
        }
        return parts;
    }

    std::vector<Polyhedron> junction(bool conjunction, const sare::Condition& a, const sare::Condition& b,
                                     bool positive) {
        std::vector<Polyhedron> left = split(a, positive);
        const std::vector<Polyhedron> right = split(b, positive);
        if (conjunction) { return product(left, right); }
        if (fits(left.size() + right.size())) { left.insert(left.end(), right.begin(), right.end()); }
        return left;
    }

    static Polyhedron rows_of(sare::Relation relation, const Linear& a, const Linear& b) {
        switch (relation) {
            case sare::Relation::lt: return at_least(b, a, -1);
            case sare::Relation::le: return at_least(b, a);
            case sare::Relation::eq: return joined(at_least(a, b), at_least(b, a));
            case sare::Relation::ne: return {};  // bounds nothing by itself
            case sare::Relation::gt: return at_least(a, b, -1);
            case sare::Relation::ge: return at_least(a, b);
        }
        return {};
    }

    static sare::Relation negated(sare::Relation relation) {
        switch (relation) {
            case sare::Relation::lt: return sare::Relation::ge;
            case sare::Relation::le: return sare::Relation::gt;
            case sare::Relation::eq: return sare::Relation::ne;
            case sare::Relation::ne: return sare::Relation::eq;
            case sare::Relation::gt: return sare::Relation::le;
            case sare::Relation::ge: return sare::Relation::lt;
        }
        return relation;
    }

    std::vector<Polyhedron> split(const sare::Comparison& c, bool positive) {
        const sare::Relation relation = positive ? c.relation : negated(c.relation);
        std::vector<Polyhedron> parts;
        each_pair(cases(c.a), cases(c.b), [&](const Case& a, const Case& b) {
            parts.push_back(joined(joined(a.rows, b.rows), rows_of(relation, a.form, b.form)));
        });
        return parts;
    }

    template <typename Visit>
    void each_pair(const std::vector<Case>& left, const std::vector<Case>& right, Visit&& visit) {
        if (!fits(left.size() * right.size())) { return; }
        for (const Case& a : left) {
            for (const Case& b : right) { visit(a, b); }
        }
    }

    // An unconstrained quantity: the form of an index whose coefficients overflow.
    Linear unknown() { return linear_column(next_quotient_++); }

    std::vector<Case> cases(const sare::Index& index) {
        return std::visit(
            Overload{[&](const sare::IndexConstant& c) { return std::vector<Case>{{linear_constant(c.value), {}}}; },
                     [&](const sare::IndexVariable& v) { return std::vector<Case>{{scope_.resolve(v.name), {}}}; },
                     [&](const sare::IndexBinary& b) { return binary(b); },
                     [&](const sare::IndexScale& s) {
                         std::vector<Case> scaled = cases(*s.a);
                         for (Case& c : scaled) { c.form = scale(c.form, s.factor).value_or(unknown()); }
                         return scaled;
                     },
                     [&](const sare::IndexDiv& d) { return divided(cases(*d.a), d.divisor, true); },
                     [&](const sare::IndexMod& m) { return divided(cases(*m.a), m.divisor, false); },
                     [&](const sare::IndexSelect& s) {
                         std::vector<Case> both = where(split(*s.condition, true), cases(*s.if_true));
                         const std::vector<Case> other = where(split(*s.condition, false), cases(*s.if_false));
                         both.insert(both.end(), other.begin(), other.end());
                         return both;
                     }},
            index.node);
    }

    std::vector<Case> where(const std::vector<Polyhedron>& parts, const std::vector<Case>& cases) {
        std::vector<Case> restricted;
        if (!fits(parts.size() * cases.size())) { return restricted; }
        for (const Polyhedron& part : parts) {
            for (const Case& c : cases) { restricted.push_back({c.form, joined(part, c.rows)}); }
        }
        return restricted;
    }

    std::vector<Case> binary(const sare::IndexBinary& index) {
        std::vector<Case> result;
        each_pair(cases(*index.a), cases(*index.b), [&](const Case& a, const Case& b) {
            const Polyhedron rows = joined(a.rows, b.rows);
            switch (index.op) {
                case sare::IndexOp::add: result.push_back({add(a.form, b.form).value_or(unknown()), rows}); break;
                case sare::IndexOp::sub: result.push_back({add(a.form, b.form, -1).value_or(unknown()), rows}); break;
                case sare::IndexOp::min:
                    result.push_back({a.form, joined(rows, at_least(b.form, a.form))});
                    result.push_back({b.form, joined(rows, at_least(a.form, b.form))});
                    break;
                case sare::IndexOp::max:
                    result.push_back({a.form, joined(rows, at_least(a.form, b.form))});
                    result.push_back({b.form, joined(rows, at_least(b.form, a.form))});
                    break;
            }
        });
        return result;
    }

    // Adds a column q for floor(a / d): 0 <= a - d * q <= d - 1.
    std::vector<Case> divided(std::vector<Case> dividends, std::int64_t divisor, bool quotient) {
        for (Case& c : dividends) {
            const Linear q = unknown();
            const auto remainder = add(c.form, q, -divisor);
            if (!remainder) {
                c.form = unknown();
                continue;
            }
            c.rows = joined(c.rows, at_least(*remainder, linear_constant(0)));
            c.rows = joined(c.rows, at_least(linear_constant(divisor - 1), *remainder));
            c.form = quotient ? q : *remainder;
        }
        return dividends;
    }

    const Scope& scope_;
    std::uint32_t next_quotient_ = first_quotient;
    bool gave_up_ = false;
};

// Divides the factors by their greatest common divisor; over integers the constant may be rounded down.
void tighten(Linear& row) {
    std::uint64_t divisor = 0;
    for (const Term& term : row.terms) {
        const auto magnitude = static_cast<std::uint64_t>(term.factor);
        divisor = std::gcd(divisor, term.factor < 0 ? ~magnitude + 1 : magnitude);
    }
    if (divisor <= 1 || divisor > INT64_MAX) { return; }
    for (Term& term : row.terms) { term.factor /= static_cast<std::int64_t>(divisor); }
    row.constant = floor_quotient(row.constant, static_cast<std::int64_t>(divisor));
}

// Keeps the strongest of rows that differ only in the constant. False if a row shows that the polyhedron is empty.
bool reduce_rows(Polyhedron& rows) {
    for (Linear& row : rows) { tighten(row); }
    std::ranges::sort(rows, [](const Linear& a, const Linear& b) {
        return std::tie(a.terms, a.constant) < std::tie(b.terms, b.constant);
    });
    const auto repeated = std::ranges::unique(rows, std::ranges::equal_to{}, &Linear::terms);
    rows.erase(repeated.begin(), repeated.end());
    if (rows.empty() || !rows.front().is_constant()) { return true; }
    const bool possible = rows.front().constant >= 0;
    rows.erase(rows.begin());
    return possible;
}

// Fourier–Motzkin: the shadow of the polyhedron along a column. False when it is empty.
bool eliminate(Polyhedron& rows, std::uint32_t column) {
    Polyhedron shadow;
    Polyhedron lower;
    Polyhedron upper;
    for (Linear& row : rows) {
        const std::int64_t factor = row.factor(column);
        (factor == 0 ? shadow : factor > 0 ? lower : upper).push_back(std::move(row));
    }
    for (const Linear& l : lower) {
        for (const Linear& u : upper) {
            if (shadow.size() >= most_rows) { break; }
            const std::int64_t a = l.factor(column);
            const std::int64_t b = u.factor(column);
            if (b == INT64_MIN) { continue; }
            const std::int64_t common = std::gcd(a, b);
            const auto scaled = scale(l, -b / common);
            if (const auto row = scaled ? add(*scaled, u, a / common) : std::nullopt) { shadow.push_back(*row); }
        }
    }
    rows = std::move(shadow);
    return reduce_rows(rows);
}

// The interval of a column: factor * column + rest >= 0.
Interval interval_of(const Polyhedron& rows, std::uint32_t column) {
    Interval interval;
    for (const Linear& row : rows) {
        const std::int64_t factor = row.factor(column);
        if (factor == 0 || factor == INT64_MIN) { continue; }
        Linear rest = row;
        std::erase_if(rest.terms, [column](const Term& term) { return term.column == column; });
        if (factor < 0) {
            interval.upper.push_back({std::move(rest), -factor});
        } else if (const auto negated = scale(rest, -1)) {
            interval.lower.push_back({*negated, factor});
        }
    }
    return interval;
}

// Adds the polyhedron's interval of every variable to `bounds`.
Result<void> bound_part(Polyhedron rows, const std::vector<std::string>& variables,
                        const std::vector<std::uint32_t>& slots, std::vector<LoopBounds>& bounds) {
    bool possible = reduce_rows(rows);
    while (possible) {
        std::uint32_t quotient = 0;
        for (const Linear& row : rows) {
            if (!row.terms.empty()) { quotient = std::max(quotient, row.terms.back().column); }
        }
        if (quotient < first_quotient) { break; }
        possible = eliminate(rows, quotient);
    }
    std::vector<Interval> intervals(variables.size());
    for (std::size_t i = variables.size(); possible && i-- > 0;) {
        intervals[i] = interval_of(rows, slots[i]);
        if (intervals[i].lower.empty() || intervals[i].upper.empty()) {
            return fail("found no bounds for the variable '" + variables[i] + "' of a reduction");
        }
        possible = eliminate(rows, slots[i]);
    }
    if (!possible) { return {}; }
    for (std::size_t i = 0; i < variables.size(); ++i) { bounds[i].push_back(std::move(intervals[i])); }
    return {};
}

}  // namespace

Result<std::vector<LoopBounds>> loop_bounds(const sare::Condition& domain, const std::vector<std::string>& variables,
                                            const std::vector<std::uint32_t>& slots, const Scope& scope) {
    Splitter splitter(scope);
    std::vector<Polyhedron> parts = splitter.split(domain, true);
    if (splitter.gave_up()) {
        return fail("the domain of a reduction falls into more than " + std::to_string(most_parts) + " parts");
    }
    std::vector<LoopBounds> bounds(variables.size());
    for (Polyhedron& part : parts) {
        if (auto bounded = bound_part(std::move(part), variables, slots, bounds); !bounded) {
            return fail(bounded.error());
        }
    }
    return bounds;
}

}  // namespace haruspex::interp
