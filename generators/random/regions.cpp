#include "generators/random/regions.h"

#include <algorithm>
#include <limits>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"

namespace haruspex::random {
namespace {

constexpr std::int64_t far = std::int64_t{1} << 40;  // clamps keep interval arithmetic clear of overflow

std::int64_t clamp(std::int64_t v) { return std::clamp(v, -far, far); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

void narrow_by_comparison(const sare::Comparison& comparison, Intervals& variables) {
    const auto narrow = [&](const sare::Index& side, std::int64_t low, std::int64_t high) {
        if (const auto* v = std::get_if<sare::IndexVariable>(&side.node)) {
            auto& interval = variables.at(v->name);
            interval = intersection(interval, {low, high});
        }
    };
    const Interval a = evaluate(comparison.a, variables);
    const Interval b = evaluate(comparison.b, variables);
    switch (comparison.relation) {
        case sare::Relation::lt: narrow(comparison.a, -far, b.high - 1), narrow(comparison.b, a.low + 1, far); break;
        case sare::Relation::le: narrow(comparison.a, -far, b.high), narrow(comparison.b, a.low, far); break;
        case sare::Relation::gt: narrow(comparison.a, b.low + 1, far), narrow(comparison.b, -far, a.high - 1); break;
        case sare::Relation::ge: narrow(comparison.a, b.low, far), narrow(comparison.b, -far, a.high); break;
        case sare::Relation::eq: narrow(comparison.a, b.low, b.high), narrow(comparison.b, a.low, a.high); break;
        case sare::Relation::ne: break;
    }
}

void narrow(const sare::Condition& condition, Intervals& variables) {
    if (const auto* c = std::get_if<sare::Comparison>(&condition.node)) { narrow_by_comparison(*c, variables); }
    if (const auto* c = std::get_if<sare::And>(&condition.node)) {
        narrow(*c->a, variables);
        narrow(*c->b, variables);
    }
}

void touch(std::vector<Interval>& region, const std::vector<sare::Index>& indices, const Intervals& variables) {
    for (std::size_t d = 0; d < indices.size(); ++d) { region[d] = hull(region[d], evaluate(indices[d], variables)); }
}

void touch_all(const sare::Expr& expr, const Intervals& variables, Regions& regions) {
    for_each_access(expr, variables, [&](const sare::Access& access, const Intervals& around) {
        touch(regions.touched.at(access.tensor), access.indices, around);
    });
}

std::int64_t volume(const std::vector<Interval>& region) {
    std::int64_t cells = 1;
    for (const Interval& i : region) {
        if (i.is_empty()) { return 0; }
        cells = clamp(cells * std::min(i.high - i.low + 1, std::int64_t{1} << 20));
    }
    return cells;
}

}  // namespace

Interval hull(const Interval& a, const Interval& b) {
    if (a.is_empty()) { return b; }
    if (b.is_empty()) { return a; }
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval intersection(const Interval& a, const Interval& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval evaluate(const sare::Index& index, const Intervals& variables) {
    return std::visit(Overload{
                          [](const sare::IndexConstant& i) { return Interval{i.value, i.value}; },
                          [&](const sare::IndexVariable& i) {
                              const auto found = variables.find(i.name);
                              ENSURE(found != variables.end(), "no interval for variable " + i.name);
                              return found->second;
                          },
                          [&](const sare::IndexBinary& i) {
                              const Interval a = evaluate(*i.a, variables);
                              const Interval b = evaluate(*i.b, variables);
                              if (a.is_empty() || b.is_empty()) { return Interval{0, -1}; }
                              switch (i.op) {
                                  case sare::IndexOp::add:
                                      return Interval{clamp(a.low + b.low), clamp(a.high + b.high)};
                                  case sare::IndexOp::sub:
                                      return Interval{clamp(a.low - b.high), clamp(a.high - b.low)};
                                  case sare::IndexOp::min:
                                      return Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
                                  case sare::IndexOp::max:
                                      return Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
                              }
                              ENSURE(false, "unknown index operator");
                          },
                          [&](const sare::IndexScale& i) {
                              const Interval a = evaluate(*i.a, variables);
                              if (a.is_empty()) { return a; }
                              const std::int64_t p = clamp(a.low * i.factor);
                              const std::int64_t q = clamp(a.high * i.factor);
                              return Interval{std::min(p, q), std::max(p, q)};
                          },
                          [&](const sare::IndexDiv& i) {
                              const Interval a = evaluate(*i.a, variables);
                              if (a.is_empty()) { return a; }
                              return Interval{floor_div(a.low, i.divisor), floor_div(a.high, i.divisor)};
                          },
                          [&](const sare::IndexMod& i) {
                              const Interval a = evaluate(*i.a, variables);
                              if (a.is_empty()) { return a; }
                              if (floor_div(a.low, i.divisor) == floor_div(a.high, i.divisor)) {
                                  const std::int64_t base = floor_div(a.low, i.divisor) * i.divisor;
                                  return Interval{a.low - base, a.high - base};
                              }
                              return Interval{0, i.divisor - 1};
                          },
                          [&](const sare::IndexSelect& i) {
                              return hull(evaluate(*i.if_true, variables), evaluate(*i.if_false, variables));
                          },
                      },
                      index.node);
}

Intervals reduction_variables(const sare::Reduce& reduce, const Intervals& outer) {
    Intervals variables = outer;
    for (const std::string& name : reduce.variables) { variables[name] = {-far, far}; }
    narrow(reduce.domain, variables);
    return variables;
}

Intervals pure_variables(const sare::Function& function, const std::vector<Interval>& region,
                         const Intervals& parameters) {
    Intervals variables = parameters;
    for (std::size_t d = 0; d < function.variables.size(); ++d) { variables[function.variables[d]] = region[d]; }
    return variables;
}

Intervals update_variables(const sare::Function& function, const sare::UpdateDefinition& update,
                           const std::vector<Interval>& region, const Intervals& parameters) {
    Intervals variables = pure_variables(function, region, parameters);
    for (const sare::RecurrenceVariable& r : update.over) {
        const Interval min = evaluate(r.min, parameters);
        const Interval extent = evaluate(r.extent, parameters);
        variables[r.name] = extent.high <= 0 ? Interval{0, -1} : Interval{min.low, min.high + extent.high - 1};
    }
    return variables;
}

std::int64_t steps(const sare::UpdateDefinition& update, const Intervals& parameters) {
    std::int64_t product = 1;
    for (const sare::RecurrenceVariable& r : update.over) {
        product = clamp(product * std::clamp<std::int64_t>(evaluate(r.extent, parameters).high, 0, 1 << 20));
    }
    return product;
}

Regions infer_regions(const sare::Algorithm& algorithm, const Intervals& parameters) {
    Regions regions;
    for (const sare::Input& input : algorithm.inputs) {
        regions.touched[input.name].assign(static_cast<std::size_t>(input.rank), Interval{0, -1});
    }
    for (const sare::Function& function : algorithm.functions) {
        regions.touched[function.name].assign(function.variables.size(), Interval{0, -1});
    }
    for (const sare::Output& output : algorithm.outputs) {
        auto& box = regions.boxes[output.tensor];
        auto& touched = regions.touched.at(output.tensor);
        for (std::size_t d = 0; d < output.box.size(); ++d) {
            const Interval min = evaluate(output.box[d].min, parameters);
            const Interval extent = evaluate(output.box[d].extent, parameters);
            box.push_back({min.low, min.high + extent.high - 1});
            touched[d] = hull(touched[d], box.back());
        }
    }
    // Consumers before producers; the updates of a function from the last to the first.
    for (auto function = algorithm.functions.rbegin(); function != algorithm.functions.rend(); ++function) {
        auto& region = regions.touched.at(function->name);
        for (auto update = function->updates.rbegin(); update != function->updates.rend(); ++update) {
            const Intervals variables = update_variables(*function, *update, region, parameters);
            touch(region, update->target, variables);
            for (const sare::Expr& value : update->values) { touch_all(value, variables, regions); }
        }
        const Intervals variables = pure_variables(*function, region, parameters);
        for (const sare::Expr& value : function->values) { touch_all(value, variables, regions); }
        // A second look at the updates: their pure variables range over the region as it is now.
        for (const sare::UpdateDefinition& update : function->updates) {
            const Intervals again = update_variables(*function, update, region, parameters);
            for (const sare::Expr& value : update.values) { touch_all(value, again, regions); }
        }
    }
    return regions;
}

Intervals intervals_of(const Sizes& sizes) {
    Intervals intervals;
    for (const auto& [name, size] : sizes) { intervals[name] = {size, size}; }
    return intervals;
}

std::optional<std::string> output_touched_outside(const sare::Algorithm& algorithm, const Intervals& parameters) {
    const Regions regions = infer_regions(algorithm, parameters);
    const auto lies_in = [](const Interval& touched, const Interval& requested) {
        return hull(touched, requested) == requested;
    };
    for (const sare::Output& output : algorithm.outputs) {
        const std::string& name = output.tensor;
        if (!std::ranges::equal(regions.touched.at(name), regions.boxes.at(name), lies_in)) { return name; }
    }
    return std::nullopt;
}

Cost cost(const sare::Algorithm& algorithm, const Intervals& parameters) {
    const Regions regions = infer_regions(algorithm, parameters);
    std::int64_t total = 0;
    std::int64_t inputs = 0;
    for (const sare::Input& input : algorithm.inputs) {
        inputs = clamp(inputs + volume(regions.touched.at(input.name)));
    }
    for (const sare::Function& function : algorithm.functions) {
        std::int64_t evaluations = 1;
        for (const sare::UpdateDefinition& update : function.updates) { evaluations += 1 + steps(update, parameters); }
        total = clamp(total + volume(regions.touched.at(function.name)) * evaluations);
    }
    return {total, inputs};
}

}  // namespace haruspex::random
