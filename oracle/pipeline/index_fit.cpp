#include "oracle/pipeline/index_fit.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "generators/value/range.h"
#include "harness/sched/operators.h"
#include "harness/sched/traverse.h"
#include "harness/sched/unhiding.h"
#include "oracle/conversion/conversion.h"
#include "oracle/conversion/denoted.h"
#include "oracle/pipeline/assumptions.h"

namespace haruspex::pipeline {
namespace {

using sched::Expr;
using value::Range;

// Ends the walk. Does not leave this file.
struct DoesNotFit {};

// The range of an index; nullopt for a condition or a value.
using Reach = std::optional<Range>;

Range reach(std::int64_t low, std::int64_t high) { return {value::Type::i64, low, high, 0}; }

random::Intervals of_parameters(const sched::Program& program, const random::Intervals& intervals) {
    random::Intervals result;
    for (const std::string& name : program.parameters) {
        const auto given = intervals.find(name);
        ENSURE(given != intervals.end(), "every parameter has an interval: " + name);
        result.insert(*given);
    }
    return result;
}

class Walk {
public:
    Walk(const random::Intervals& variables, int bits)
        : most_(reach(-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1)) {
        for (const auto& [name, values] : variables) { bind(name, fitting(reach(values.low, values.high))); }
    }
    Walk(const sched::Program& program, const random::Intervals& parameters, int bits)
        : Walk(of_parameters(program, parameters), bits) {
        for (const sched::Array& array : program.arrays) { types_.insert_or_assign(array.name, array.type); }
    }

    void program(const sched::Program& program) {
        for (const sched::Array& array : program.arrays) {
            // The machine computes addresses from several indices; in linear memory the program does.
            const bool is_linear = !array.dimensions.empty() && array.dimensions.front().stride;
            if (!is_linear) { dimensions(array.dimensions); }
        }
        block(program.body);
    }

    void block(const sched::Block& statements) {
        for (const sched::Stmt& statement : statements) { this->statement(statement); }
    }

    // Checks that every operation in the expression fits, and returns its range.
    Reach look(const Expr& expr) {
        return std::visit(Overload{[&](const sched::Integer& n) -> Reach { return fitting(reach(n.value, n.value)); },
                                   [&](const sched::Variable& n) -> Reach { return variables_.at(n.name); },
                                   [&](const sched::IndexBinary& n) -> Reach {
                                       const Reach a = look(*n.a), b = look(*n.b);
                                       const Range result = apply(n.op, a, b);
                                       return n.op == sched::IndexOp::div ? of_fused(n, result) : result;
                                   },
                                   [&](const sched::IntegerOf& n) -> Reach {
                                       look(*n.a);
                                       const value::Type type = type_of(*n.a);
                                       if (type == value::Type::boolean) { return std::nullopt; }
                                       const Range full = value::full_range(type);
                                       return fitting({value::Type::i64, full.low, full.high, 0});
                                   },
                                   [&](const sched::Select& n) -> Reach {
                                       look(*n.condition);
                                       const Reach a = look(*n.if_true), b = look(*n.if_false);
                                       return a && b ? Reach(value::join(*a, *b)) : std::nullopt;
                                   },
                                   [&](const sched::LaneReduce& n) -> Reach {
                                       bind(n.lanes);
                                       look(*n.body);
                                       return std::nullopt;
                                   },
                                   [&](const sched::LetIn& n) -> Reach {
                                       bind(n.name, look(*n.value));
                                       return look(*n.body);
                                   },
                                   [&](const sched::LetValueIn& n) -> Reach {
                                       define(n.name, n.lanes, n.type, *n.value);
                                       return look(*n.body);
                                   },
                                   [&](const auto&) -> Reach {
                                       sched::for_each_part(expr, [&](const Expr& part) { look(part); });
                                       return std::nullopt;
                                   }},
                          expr.node);
    }

private:
    // --- Expressions ------------------------------------------------------------------------------------------------

    Range fitting(const Range& range) const {
        if (range.low < most_.low || range.high > most_.high) { throw DoesNotFit{}; }
        return range;
    }

    Range apply(sched::IndexOp op, const Reach& a, const Reach& b) const {
        const Reach result = a && b ? value::apply(sched::counterpart(op), *a, *b) : std::nullopt;
        if (!result) { throw DoesNotFit{}; }
        return fitting(*result);
    }

    // A variable that had the name before is out of scope: no name hides another.
    void bind(const std::string& name, Reach reach) {
        variables_.insert_or_assign(name, std::move(reach));
        lets_.erase(name);
        factors_.erase(name);
    }
    void bind(const std::optional<sched::Lanes>& lanes) {
        if (lanes) { bind(lanes->variable, reach(0, lanes->count - 1)); }
    }

    void define(const std::string& name, const std::optional<sched::Lanes>& lanes, value::Type type,
                const Expr& value) {
        bind(lanes);
        look(value);
        types_.insert_or_assign(name, type);
    }

    // The type of a value from which an index is made.
    value::Type type_of(const Expr& expr) const {
        return std::visit(
            Overload{[](const sched::Literal& n) { return n.value.type(); },
                     [](const sched::Embed& n) { return n.type; }, [](const sched::Cast& n) { return n.type; },
                     [](const sched::Guard&) { return value::Type::boolean; },
                     [&](const sched::ValueVariable& n) { return types_.at(n.name); },
                     [&](const sched::Load& n) { return types_.at(n.array); },
                     // Sums and the like; not worth a closer look.
                     [](const auto&) -> value::Type { throw DoesNotFit{}; }},
            expr.node);
    }

    // --- Fused loops ------------------------------------------------------------------------------------------------

    // The variable of a loop over [0, a*b), divided by a, is less than b; intervals alone bound it by a*b.
    Range of_fused(const sched::IndexBinary& quotient, const Range& range) {
        const auto* variable = std::get_if<sched::Variable>(&quotient.a->node);
        const auto loop = variable == nullptr ? factors_.end() : factors_.find(variable->name);
        if (loop == factors_.end()) { return range; }
        std::vector<Expr> others = loop->second;
        const auto same = std::ranges::find(others, resolved(*quotient.b));
        if (same == others.end()) { return range; }
        const Reach divisor = look(*same);
        others.erase(same);
        Range product = reach(1, 1);
        for (const Expr& other : others) {
            const Reach factor = look(other);
            if (!factor || factor->low < 0) { return range; }
            product = apply(sched::IndexOp::mul, product, factor);
        }
        if (!divisor || divisor->low < 0) { return range; }
        return {value::Type::i64, std::max<value::Int128>(range.low, 0),
                std::max<value::Int128>(std::min(range.high, product.high - 1), 0), 0};
    }

    Expr resolved(const Expr& expr) const {
        const auto* variable = std::get_if<sched::Variable>(&expr.node);
        const auto let = variable == nullptr ? lets_.end() : lets_.find(variable->name);
        return let == lets_.end() ? expr : resolved(let->second);
    }

    void collect_factors(const Expr& expr, std::vector<Expr>& factors) const {
        const Expr whole = resolved(expr);
        const auto* product = std::get_if<sched::IndexBinary>(&whole.node);
        if (product != nullptr && product->op == sched::IndexOp::mul) {
            collect_factors(*product->a, factors);
            collect_factors(*product->b, factors);
        } else {
            factors.push_back(whole);
        }
    }

    // --- Statements -------------------------------------------------------------------------------------------------

    void statement(const sched::Stmt& statement) {
        std::visit(Overload{[&](const sched::Let& s) {
                                bind(s.name, look(s.value));
                                lets_.insert_or_assign(s.name, s.value);
                            },
                            [&](const sched::LetValue& s) { define(s.name, s.lanes, s.type, s.value); },
                            [&](const sched::Allocate& s) { allocate(s); }, [&](const sched::Assign& s) { assign(s); },
                            [&](const sched::For& s) { loop(s); },
                            [&](const auto&) {
                                sched::for_each_part(statement, [&](const Expr& part) { look(part); });
                                sched::for_each_block(statement, [&](const sched::Block& inner) { block(inner); });
                            }},
                   statement.node);
    }

    void allocate(const sched::Allocate& s) {
        types_.insert_or_assign(s.array, s.type);
        if (s.condition) { look(*s.condition); }
        dimensions(s.dimensions);
    }

    void dimensions(const std::vector<sched::Dimension>& dimensions) {
        Reach cells = reach(1, 1);
        for (const sched::Dimension& dimension : dimensions) {
            const Reach extent = look(dimension.extent);
            apply(sched::IndexOp::add, look(dimension.min), extent);
            if (dimension.stride) { look(*dimension.stride); }
            cells = apply(sched::IndexOp::mul, cells, extent);
        }
    }

    void assign(const sched::Assign& s) {
        bind(s.lanes);
        if (s.condition) { look(*s.condition); }
        for (const sched::Write& write : s.writes) {
            for (const Expr& index : write.indices) { look(index); }
            if (write.accumulation) {
                for (const Expr& index : write.accumulation->reduced) { look(index); }
            }
            look(write.value);
        }
    }

    void loop(const sched::For& s) {
        const Reach min = look(s.min), extent = look(s.extent);
        const Range end = apply(sched::IndexOp::add, min, extent);
        // The loop never runs.
        if (extent->high <= 0) { return; }
        bind(s.variable, Range{value::Type::i64, min->low, std::max(min->low, end.high - 1), 0});
        if (min->low == 0 && min->high == 0) { collect_factors(s.extent, factors_[s.variable]); }
        block(s.body);
    }

    Range most_;
    std::map<std::string, Reach> variables_;
    std::map<std::string, value::Type> types_;          // of arrays and value-lets
    std::map<std::string, Expr> lets_;                  // of indices and conditions
    std::map<std::string, std::vector<Expr>> factors_;  // of a loop's extent, by its variable, if it begins with 0
};

// A program in which values that are computed from indices alone have become indices: 32-bit values, and 64-bit ones
// too.
struct IntegerOf {
    sched::Program narrow, wide;
};

IntegerOf denoted(const sched::Program& program) {
    // A hidden variable would get the range of the one that hides it.
    IntegerOf result{sched::without_hiding(program), {}};
    result.wide = result.narrow;
    conversion::denote_indices(result.narrow.body, conversion::Denotable::of_32_bits);
    conversion::denote_indices(result.wide.body, conversion::Denotable::of_64_bits);
    return result;
}

bool all_fit(const sched::Program& program, const random::Intervals& parameters, int bits) {
    try {
        Walk(program, parameters, bits).program(program);
    } catch (const DoesNotFit&) { return false; }
    return true;
}

bool all_fit(const IntegerOf& indices, const random::Intervals& parameters, int bits) {
    return all_fit(indices.narrow, parameters, bits) && all_fit(indices.wide, parameters, 2 * bits - 1);
}

// The interval of an index that is made of sizes; nullopt if intervals cannot tell.
std::optional<random::Interval> interval_of(const Expr& index, const random::Intervals& sizes) {
    constexpr int bits_of_bounds = 63;
    try {
        const Reach reach = Walk(sizes, bits_of_bounds).look(index);
        if (!reach) { return std::nullopt; }
        return random::Interval{static_cast<std::int64_t>(reach->low), static_cast<std::int64_t>(reach->high)};
    } catch (const DoesNotFit&) { return std::nullopt; }
}

// Binds the parameter that the array's dimension names, if any. Not called bind: with a map among the arguments,
// std::bind is the better match where <functional> is included.
void bind_parameter(const Expr& expr, const random::Interval& values, random::Intervals& intervals) {
    if (const auto* parameter = std::get_if<sched::Variable>(&expr.node)) {
        intervals.insert_or_assign(parameter->name, values);
    }
}

sare::Condition is_at_least(const std::string& parameter, std::int64_t least) {
    return {sare::Comparison{sare::Relation::ge, {sare::IndexVariable{parameter}}, {sare::IndexConstant{least}}}};
}

std::int64_t least_value(const sare::Sare& specification, const std::string& parameter, std::int64_t otherwise) {
    for (const std::int64_t least : {1, 0}) {
        if (follows(is_at_least(parameter, least), specification)) { return least; }
    }
    return otherwise;
}

// The intervals of the sizes if none is greater than `size`.
random::Intervals sizes_up_to(std::int64_t size, const sare::Sare& specification) {
    random::Intervals intervals;
    for (const std::string& name : specification.parameters) {
        intervals[name] = {std::min(least_value(specification, name, -size), size), size};
    }
    return intervals;
}

// Adds the buffers' parameters. nullopt if the program has further ones. `converted` are the program's arrays,
// converted.
std::optional<random::Intervals> with_buffers(const random::Intervals& sizes, const sched::Program& program,
                                              const std::vector<sched::Array>& converted) {
    random::Intervals intervals = sizes;
    for (std::size_t n = 0; n < program.arrays.size(); ++n) {
        random::Interval stride{1, 1};
        const std::vector<sched::Dimension>& dimensions = program.arrays[n].dimensions;
        for (std::size_t d = 0; d < converted[n].dimensions.size(); ++d) {
            const auto min = interval_of(converted[n].dimensions[d].min, sizes);
            const auto cells = interval_of(converted[n].dimensions[d].extent, sizes);
            if (!min || !cells) { return std::nullopt; }
            const random::Interval extent{std::max<std::int64_t>(cells->low, 0),
                                          std::max<std::int64_t>(cells->high, 0)};
            bind_parameter(dimensions[d].min, *min, intervals);
            bind_parameter(dimensions[d].extent, extent, intervals);
            if (dimensions[d].stride) { bind_parameter(*dimensions[d].stride, stride, intervals); }
            if (__builtin_mul_overflow(stride.low, extent.low, &stride.low) ||
                __builtin_mul_overflow(stride.high, extent.high, &stride.high)) {
                return std::nullopt;
            }
        }
    }
    const bool are_known =
        std::ranges::all_of(program.parameters, [&](const std::string& name) { return intervals.contains(name); });
    return are_known ? std::optional(intervals) : std::nullopt;
}

}  // namespace

bool indices_fit(const sched::Program& program, const random::Intervals& parameters, int bits) {
    return all_fit(denoted(program), parameters, bits);
}

std::optional<std::int64_t> largest_fitting_size(const sare::Sare& specification, const sched::Program& program,
                                                 int bits) {
    const bool has_buffers = std::ranges::any_of(program.parameters, [&](const std::string& name) {
        return std::ranges::find(specification.parameters, name) == specification.parameters.end();
    });
    const Supported<std::vector<sched::Array>> converted =
        has_buffers ? conversion::converted_arrays(specification, program) : program.arrays;
    if (!converted) { return std::nullopt; }
    const IntegerOf indices = denoted(program);
    // Smaller sizes have smaller intervals.
    std::optional<std::int64_t> fits;
    for (std::int64_t fit = 1, unfit = 2 * conversion::most_size; fit < unfit;) {
        const int between = std::countr_zero(static_cast<std::uint64_t>(unfit / fit)) / 2;
        const std::int64_t size = fit << between;
        const random::Intervals sizes = sizes_up_to(size, specification);
        const auto intervals = has_buffers ? with_buffers(sizes, program, *converted) : std::optional(sizes);
        if (intervals && all_fit(indices, *intervals, bits)) {
            fits = size;
            fit = 2 * size;
        } else {
            unfit = size;
        }
    }
    return fits;
}

verdict::IndexFit index_fit(const sare::Sare& specification, const sched::Program& program) {
    const auto size = largest_fitting_size(specification, program);
    const bool is_limited = size && *size != conversion::most_size;
    return {true, size.has_value(), is_limited ? size : std::nullopt};
}

verdict::IndexFit index_fit(const sched::Program& program, const Sizes& parameters) {
    return {false, indices_fit(program, random::intervals_of(parameters))};
}

}  // namespace haruspex::pipeline
