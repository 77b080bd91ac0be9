#include "oracle/pipeline/parameter_binding.h"

#include <algorithm>
#include <optional>

#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "harness/transform/indices.h"

namespace haruspex::pipeline {
namespace {

// Elements between the rows of an array that are not cells.
constexpr std::int64_t gap = 3;

struct Region {
    std::vector<std::int64_t> min, extent;
};

// The region that the program itself gives the array, if it is one of the case's sizes alone.
std::optional<Region> declared_region(const sched::Array& array, const Sizes& sizes) {
    const auto evaluated = [&](const sched::Expr& expr) -> std::optional<std::int64_t> {
        const auto index = transform::to_index(expr);
        const auto has_size = [&](const std::string& name) { return sizes.contains(name); };
        const bool is_of_sizes = index && std::ranges::all_of(sare::free_variables(*index), has_size);
        return is_of_sizes ? sare::try_evaluate(*index, sizes) : std::nullopt;
    };
    Region region;
    for (const sched::Dimension& dimension : array.dimensions) {
        const auto min = evaluated(dimension.min), extent = evaluated(dimension.extent);
        if (!min || !extent) { return std::nullopt; }
        region.min.push_back(*min);
        region.extent.push_back(*extent);
    }
    return region;
}

std::optional<Region> region_of(const sched::Array& array, const cases::Case& c,
                                const std::vector<compiler::InputRegion>& regions) {
    if (array.role == sched::Role::input) {
        const auto found = std::ranges::find(regions, array.tensor, &compiler::InputRegion::input);
        if (found == regions.end()) { return declared_region(array, c.sizes); }
        return Region{found->min, found->extent};
    }
    const auto output = std::ranges::find(c.sare.outputs, array.tensor, &sare::Output::tensor);
    if (output == c.sare.outputs.end()) { return std::nullopt; }
    Region region;
    for (const sare::Span& span : output->box) {
        region.min.push_back(sare::evaluate(span.min, c.sizes));
        region.extent.push_back(sare::evaluate(span.extent, c.sizes));
    }
    return region;
}

const std::string* parameter_name(const sched::Expr& expr) {
    const auto* variable = std::get_if<sched::Variable>(&expr.node);
    return variable == nullptr ? nullptr : &variable->name;
}

std::int64_t round_up(std::int64_t n, std::int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

Result<Sizes> bind_parameters(const sched::Program& program, const cases::Case& c,
                              const std::vector<compiler::InputRegion>& regions, std::int64_t multiple) {
    Sizes values = c.sizes;
    const auto bind = [&](const sched::Expr& expr, std::int64_t value) {
        if (const std::string* name = parameter_name(expr)) { values.emplace(*name, value); }
    };
    for (const sched::Array& array : program.arrays) {
        const auto region = region_of(array, c, regions);
        if (!region) { return fail("nothing is known of array " + array.name); }
        // A scalar's only cell needs no parameter.
        if (region->extent.size() > array.dimensions.size()) {
            return fail("array " + array.name + " has another rank than its tensor");
        }
        std::int64_t stride = 1;
        for (std::size_t d = 0; d < region->extent.size(); ++d) {
            const sched::Dimension& dimension = array.dimensions[d];
            bind(dimension.min, region->min[d]);
            bind(dimension.extent, region->extent[d]);
            if (dimension.stride) { bind(*dimension.stride, stride); }
            // The array is accessed by coordinates, but its strides are asserted.
            values.emplace(array.name + ".stride." + std::to_string(d), stride);
            const std::int64_t row = round_up(std::max<std::int64_t>(region->extent[d], 1), multiple);
            if (__builtin_mul_overflow(stride, row, &stride) || __builtin_add_overflow(stride, gap, &stride)) {
                return fail("array " + array.name + " has strides beyond 64 bits");
            }
        }
    }
    for (const std::string& parameter : program.parameters) {
        if (!values.contains(parameter)) { return fail("parameter " + parameter + " has no value"); }
    }
    return values;
}

interp::TensorValues input_values(const cases::Case& c) {
    std::map<std::string, std::size_t> ranks;
    for (const sare::Input& input : c.sare.inputs) { ranks[input.name] = static_cast<std::size_t>(input.rank); }
    return [&c, ranks](const std::string& tensor, int, const std::vector<std::int64_t>& coordinates) {
        const std::size_t rank = ranks.at(tensor);
        // Linear memory has a dimension, even for a scalar.
        const std::vector<std::int64_t> cell(coordinates.begin(),
                                             coordinates.begin() + static_cast<std::ptrdiff_t>(rank));
        return cases::input_value(c.input_seed, tensor, c.inputs.at(tensor), cell);
    };
}

}  // namespace haruspex::pipeline
