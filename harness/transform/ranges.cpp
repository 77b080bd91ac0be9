#include "harness/transform/ranges.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "harness/transform/indices.h"

namespace haruspex::transform {

using sare::Index;

namespace {

Affine number(std::int64_t value) { return {{}, value}; }

// Returns a bound that is no larger (no smaller) than both, as long as no symbol is negative.
Affine bound(const Affine& a, const Affine& b, const std::function<std::int64_t(std::int64_t, std::int64_t)>& pick) {
    Affine result = number(pick(a.constant, b.constant));
    std::map<std::string, std::int64_t> names = a.coefficients;
    names.insert(b.coefficients.begin(), b.coefficients.end());
    const auto factor = [](const Affine& from, const std::string& name) {
        const auto found = from.coefficients.find(name);
        return found == from.coefficients.end() ? 0 : found->second;
    };
    for (const auto& [name, unused] : names) {
        const std::int64_t c = pick(factor(a, name), factor(b, name));
        if (c != 0) { result.coefficients[name] = c; }
    }
    return result;
}
Affine lower(const Affine& a, const Affine& b) {
    return bound(a, b, [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
}
Affine higher(const Affine& a, const Affine& b) {
    return bound(a, b, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
}

std::optional<Range> range_of_binary(const sare::IndexBinary& n, const Ranges& variables) {
    const auto a = range_of(*n.a, variables);
    const auto b = range_of(*n.b, variables);
    if (!a || !b) { return std::nullopt; }
    const auto is_point = [](const Range& r) { return r.high == r.low + number(1); };
    switch (n.op) {
        case sare::IndexOp::add: return Range{a->low + b->low, a->high + b->high + number(-1)};
        case sare::IndexOp::sub: return Range{a->low + -1 * b->high + number(1), a->high + -1 * b->low};
        // Every lower bound of one side is one of the maximum: if a side is a point, it is as good as any.
        case sare::IndexOp::max:
            return Range{is_point(*b)   ? b->low
                         : is_point(*a) ? a->low
                                        : lower(a->low, b->low),
                         higher(a->high, b->high)};
        case sare::IndexOp::min:
            return Range{lower(a->low, b->low), is_point(*b)   ? b->high
                                                : is_point(*a) ? a->high
                                                               : higher(a->high, b->high)};
    }
    return std::nullopt;
}

}  // namespace

Affine operator+(const Affine& a, const Affine& b) {
    Affine sum = a;
    sum.constant += b.constant;
    for (const auto& [name, c] : b.coefficients) {
        if ((sum.coefficients[name] += c) == 0) { sum.coefficients.erase(name); }
    }
    return sum;
}

Affine operator*(std::int64_t factor, const Affine& a) {
    if (factor == 0) { return {}; }
    Affine product = a;
    product.constant *= factor;
    for (auto& [name, c] : product.coefficients) { c *= factor; }
    return product;
}

Index to_index(const Affine& affine) {
    Index sum = sare::constant(affine.constant);
    for (const auto& [name, c] : affine.coefficients) { sum = sum + c * sare::variable(name); }
    return simplified(sum);
}

std::optional<Affine> to_affine(const Index& index) {
    const auto range = range_of(index, {});
    if (!range || range->high != range->low + number(1)) { return std::nullopt; }
    return range->low;
}

sare::Span to_span(const Range& range) { return {to_index(range.low), to_index(range.high + -1 * range.low)}; }

std::optional<Range> range_of(const Index& index, const Ranges& variables) {
    using Found = std::optional<Range>;
    return std::visit(
        Overload{[](const sare::IndexConstant& n) -> Found { return Range{number(n.value), number(n.value + 1)}; },
                 [&](const sare::IndexVariable& n) -> Found {
                     if (const auto found = variables.find(n.name); found != variables.end()) { return found->second; }
                     return Range{{{{n.name, 1}}, 0}, {{{n.name, 1}}, 1}};
                 },
                 [&](const sare::IndexBinary& n) -> Found { return range_of_binary(n, variables); },
                 [&](const sare::IndexScale& n) -> Found {
                     const auto a = range_of(*n.a, variables);
                     if (!a) { return std::nullopt; }
                     // With an exact end, twice an empty range would end one before its beginning; one more cell avoids
                     // a negative extent.
                     if (n.factor > 1) { return Range{n.factor * a->low, n.factor * a->high}; }
                     if (n.factor >= 0) {
                         return Range{n.factor * a->low, n.factor * (a->high + number(-1)) + number(1)};
                     }
                     return Range{n.factor * (a->high + number(-1)), n.factor * a->low + number(1)};
                 },
                 // Between the dividend and zero, or minus one.
                 [&](const sare::IndexDiv& n) -> Found {
                     const auto a = range_of(*n.a, variables);
                     if (!a) { return std::nullopt; }
                     return Range{lower(a->low, number(0)), higher(a->high, number(0))};
                 },
                 [](const sare::IndexMod& n) -> Found { return Range{number(0), number(n.divisor)}; },
                 [](const sare::IndexSelect&) -> Found { return std::nullopt; }},
        index.node);
}

Range hull(const Range& a, const Range& b) { return {lower(a.low, b.low), higher(a.high, b.high)}; }

namespace {

void widen(std::optional<std::vector<Range>>& box, const std::vector<Index>& indices, const Ranges& variables) {
    std::vector<Range> touched;
    for (const Index& index : indices) {
        const auto range = range_of(index, variables);
        ENSURE(range.has_value(), "an index of a form for which there is no range");
        touched.push_back(*range);
    }
    if (!box) {
        box = touched;
        return;
    }
    for (std::size_t d = 0; d < touched.size(); ++d) { (*box)[d] = hull((*box)[d], touched[d]); }
}

Ranges variables_of(const sare::Function& f, const sare::UpdateDefinition* update, const std::vector<Range>& box) {
    Ranges variables;
    for (std::size_t d = 0; d < f.variables.size(); ++d) {
        if (update == nullptr || sare::is_pure_position(f, *update, d)) { variables[f.variables[d]] = box[d]; }
    }
    if (update != nullptr) {
        for (const sare::RecurrenceVariable& r : update->over) {
            variables[r.name] = {*to_affine(r.min), *to_affine(r.min + r.extent)};
        }
    }
    return variables;
}

}  // namespace

void widen_by_updates(const sare::Function& function, std::vector<Range>& box) {
    std::optional<std::vector<Range>> wide = box;
    for (const sare::UpdateDefinition& update : function.updates) {
        const Ranges variables = variables_of(function, &update, box);
        widen(wide, update.target, variables);
        for (const sare::Expr& value : update.values) {
            sare::for_each_access(value, [&](const sare::Access& access, const auto&) {
                if (access.tensor == function.name) { widen(wide, access.indices, variables); }
            });
        }
    }
    box = *wide;
}

Boxes boxes(const sare::Algorithm& algorithm) {
    std::map<std::string, std::optional<std::vector<Range>>> touched;
    for (const sare::Output& output : algorithm.outputs) {
        std::vector<Range> box;
        for (const sare::Span& span : output.box) {
            box.push_back({*to_affine(span.min), *to_affine(span.min + span.extent)});
        }
        touched[output.tensor] = box;
    }
    Boxes found;
    for (const sare::Function& f : std::views::reverse(algorithm.functions)) {
        ENSURE(touched[f.name].has_value(), "a function that nothing reads");
        std::vector<Range>& box = *touched[f.name];
        widen_by_updates(f, box);
        const auto take = [&](const std::vector<sare::Expr>& values, const sare::UpdateDefinition* update) {
            const Ranges variables = variables_of(f, update, box);
            for (const sare::Expr& value : values) {
                sare::for_each_access(value, [&](const sare::Access& access, const auto&) {
                    if (access.tensor != f.name) { widen(touched[access.tensor], access.indices, variables); }
                });
            }
        };
        take(f.values, nullptr);
        for (const sare::UpdateDefinition& update : f.updates) { take(update.values, &update); }
        found[f.name] = box;
    }
    for (const sare::Input& input : algorithm.inputs) {
        ENSURE(touched[input.name].has_value(), "an input that nothing reads");
        found[input.name] = *touched[input.name];
    }
    return found;
}

}  // namespace haruspex::transform
