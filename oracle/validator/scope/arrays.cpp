#include "oracle/validator/scope/arrays.h"

#include <string_view>

#include "generators/affine/coalesce.h"
#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "harness/sched/text.h"

namespace haruspex::validator {
namespace {

using sched::Dimension;

constexpr std::string_view freed_prefix = "free ";  // no name of an array has a blank

std::vector<isl::pw_aff> extents_of(const std::vector<Dimension>& dimensions, const Scope& scope) {
    std::vector<isl::pw_aff> extents;
    for (const Dimension& dimension : dimensions) { extents.push_back(scope.index(dimension.extent)); }
    return extents;
}

std::vector<std::int64_t> strides_of(const std::vector<Dimension>& dimensions, const Scope& scope) {
    std::vector<std::int64_t> strides;
    for (const Dimension& dimension : dimensions) {
        const auto stride = scope.constant_of(*dimension.stride);
        if (!stride) { throw Unsupported("stride that is no number", sched::print(*dimension.stride)); }
        strides.push_back(*stride);
    }
    return strides;
}

// Whether no offset within the rows below a dimension reaches its stride, so that each cell has one offset only.
bool are_rows(const std::vector<std::int64_t>& strides, const std::vector<Dimension>& dimensions, const Scope& scope) {
    std::int64_t reached = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) {
        if (strides[d] <= reached || (d == 0 && strides[d] != 1)) { return false; }
        const auto extent = scope.constant_of(dimensions[d].extent);
        if (d + 1 == strides.size()) { break; }
        if (!extent) { return false; }
        std::int64_t row = 0;
        if (__builtin_mul_overflow(std::max<std::int64_t>(*extent - 1, 0), strides[d], &row) ||
            __builtin_add_overflow(reached, row, &reached)) {
            return false;
        }
    }
    return !strides.empty();
}

// Collects the factors of a product; false unless all of them are positive numbers.
bool collect_factors(const sched::Expr& expr, const Scope& scope, std::vector<std::int64_t>& factors) {
    const auto* product = std::get_if<sched::IndexBinary>(&expr.node);
    if (product != nullptr && product->op == sched::IndexOp::mul) {
        return collect_factors(*product->a, scope, factors) && collect_factors(*product->b, scope, factors);
    }
    const auto number = scope.constant_of(expr);
    if (!number || *number <= 0) { return false; }
    if (*number > 1) { factors.push_back(*number); }
    return true;
}

struct Bounds {
    std::vector<isl::pw_aff> mins, extents;
};

// { name[i, …] }
isl::space cells_space(isl::ctx ctx, const std::string& name, std::size_t rank) {
    return isl::space::unit(ctx).add_named_tuple(affine::identifier(ctx, name), static_cast<unsigned>(rank));
}

// { name[i, …] : min_d <= i_d < min_d + extent_d }
isl::set box(isl::ctx ctx, const std::string& name, const Bounds& bounds) {
    const isl::space space = cells_space(ctx, name, bounds.mins.size());
    const isl::multi_aff coordinates = space.identity_multi_aff_on_domain();
    isl::set cells = isl::set::universe(space);
    for (std::size_t d = 0; d < bounds.mins.size(); ++d) {
        const isl::pw_aff coordinate(coordinates.at(static_cast<int>(d)));
        const isl::pw_aff min = bounds.mins[d].insert_domain(space);
        cells = cells.intersect(min.le_set(coordinate))
                    .intersect(coordinate.lt_set(min.add(bounds.extents[d].insert_domain(space))));
    }
    return cells;
}

// { name[i, …] : i_d < min_d or min_d + extent_d <= i_d for some d }, in the context
isl::set beyond_box(const std::string& name, const Bounds& bounds, const Scope& scope) {
    const isl::space space = cells_space(scope.ctx(), name, bounds.mins.size());
    const isl::multi_aff coordinates = space.identity_multi_aff_on_domain();
    isl::set beyond = isl::set::empty(space);
    const auto join = [&](const isl::set& some) {
        beyond = beyond.unite(affine::coalesced(some.intersect_params(scope.known())));
    };
    for (std::size_t d = 0; d < bounds.mins.size(); ++d) {
        const isl::pw_aff coordinate(coordinates.at(static_cast<int>(d)));
        const isl::pw_aff end = scope.simplified(bounds.mins[d].add(bounds.extents[d]));
        join(coordinate.lt_set(bounds.mins[d].insert_domain(space)));
        join(end.insert_domain(space).le_set(coordinate));
    }
    return beyond;
}

// { name[c_0, …] } of the offsets from the minima
isl::set offsets_of(const std::string& name, const std::vector<Dimension>& dimensions, const Scope& scope) {
    const std::vector<isl::pw_aff> zeros(dimensions.size(), scope.constant(0));
    return box(scope.ctx(), name, {zeros, extents_of(dimensions, scope)});
}

// { name[c_0, …] -> name[Σ c_d * stride_d] }
isl::map linear(const isl::set& offsets, const std::vector<std::int64_t>& strides) {
    const isl::multi_aff offset = offsets.space().identity_multi_aff_on_domain();
    isl::pw_aff sum(offsets.space().zero_aff_on_domain());
    for (std::size_t d = 0; d < strides.size(); ++d) {
        sum = sum.add(isl::pw_aff(offset.at(static_cast<int>(d))).scale(static_cast<long>(strides[d])));
    }
    return isl::multi_pw_aff(sum)
        .set_range_tuple(affine::identifier(offsets.ctx(), affine::tuple_name(offsets)))
        .as_map()
        .intersect_domain(offsets);
}

ArrayInScope boxed(const std::string& name, value::Type type, const Lazy<Bounds>& bounds, const Scope& scope) {
    const Lazy<isl::set> cells([name, bounds, scope] { return box(scope.ctx(), name, bounds()); });
    const Lazy<isl::set> beyond([name, bounds, scope] { return beyond_box(name, bounds(), scope); });
    return {name, type, cells, beyond, affine::everywhere(scope.ctx()), false, {}};
}

}  // namespace

bool has_strides(const std::vector<Dimension>& dimensions) { return !dimensions.empty() && dimensions[0].stride; }

ArrayInScope array_of(const std::string& unique_name, value::Type type, const std::vector<Dimension>& dimensions,
                      const Scope& scope) {
    if (has_strides(dimensions)) {
        isl::set cells = offsets_of(unique_name, dimensions, scope);
        std::vector<std::int64_t> strides = strides_of(dimensions, scope);
        if (!are_rows(strides, dimensions, scope)) {
            cells = linear(cells, strides).range();
            strides.clear();
        }
        return {unique_name,       type, Lazy(cells), Lazy(cells.complement()), affine::everywhere(scope.ctx()), false,
                std::move(strides)};
    }
    // An input's bounds can take long to find, and it may never be read.
    const Lazy<Bounds> bounds([dimensions, scope] {
        Bounds found;
        for (const Dimension& dimension : dimensions) { found.mins.push_back(scope.index(dimension.min)); }
        found.extents = extents_of(dimensions, scope);
        return found;
    });
    return boxed(unique_name, type, bounds, scope);
}

ArrayInScope allocation_of(const std::string& unique_name, value::Type type, const std::vector<Dimension>& dimensions,
                           const Scope& scope) {
    std::vector<std::int64_t> factors;
    const bool is_linear = !has_strides(dimensions) && dimensions.size() == 1 &&
                           scope.constant_of(dimensions[0].min) == 0 &&
                           collect_factors(dimensions[0].extent, scope, factors);
    if (!is_linear || factors.size() < 2) { return array_of(unique_name, type, dimensions, scope); }
    Bounds bounds;
    std::vector<std::int64_t> strides;
    std::int64_t stride = 1;
    for (const std::int64_t factor : factors) {
        strides.push_back(stride);
        if (__builtin_mul_overflow(stride, factor, &stride)) { return array_of(unique_name, type, dimensions, scope); }
        bounds.mins.push_back(scope.constant(0));
        bounds.extents.push_back(scope.constant(factor));
    }
    ArrayInScope array = boxed(unique_name, type, Lazy(bounds), scope);
    array.strides = std::move(strides);
    return array;
}

isl::map cells_of_coordinates(const ArrayInScope& array, const std::vector<Dimension>& dimensions, std::size_t rank,
                              const Scope& scope) {
    if (!has_strides(dimensions)) {
        return isl::set::universe(cells_space(scope.ctx(), array.unique_name, rank)).identity();
    }
    const isl::set offsets = offsets_of(array.unique_name, dimensions, scope);
    isl::multi_pw_aff coordinates(offsets.space().identity_multi_aff_on_domain());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const isl::pw_aff min = scope.index(dimensions[d].min).insert_domain(offsets.space());
        coordinates = coordinates.set_at(static_cast<int>(d), coordinates.at(static_cast<int>(d)).add(min));
    }
    const isl::map from_offsets = coordinates.as_map().intersect_domain(offsets);
    if (!array.strides.empty()) { return from_offsets.reverse(); }
    const isl::map cells = linear(offsets, strides_of(dimensions, scope));
    if (!cells.is_injective()) { throw Unsupported("strides that let cells share their place", array.unique_name); }
    return from_offsets.reverse().apply_range(cells);
}

heap::Location cell_at(const ArrayInScope& array, const std::vector<Dimension>& dimensions,
                       const std::vector<isl::pw_aff>& coordinates, const Scope& scope) {
    if (coordinates.empty() && !dimensions.empty()) {
        const isl::pw_aff only = has_strides(dimensions) ? scope.constant(0) : scope.index(dimensions[0].min);
        return scope.location(array, only);
    }
    if (!has_strides(dimensions)) { return heap::location(scope.ctx(), array.unique_name, coordinates); }
    std::vector<isl::pw_aff> offsets;
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
        offsets.push_back(coordinates[d].sub(scope.index(dimensions[d].min)));
    }
    // Within the array the offsets name the cell, and outside they name none.
    if (!array.strides.empty()) { return heap::location(scope.ctx(), array.unique_name, offsets); }
    const std::vector<std::int64_t> strides = strides_of(dimensions, scope);
    const std::vector<isl::pw_aff> extents = extents_of(dimensions, scope);
    isl::pw_aff sum = scope.constant(0);
    isl::set is_inside = affine::everywhere(scope.ctx());
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        sum = sum.add(offsets[d].scale(static_cast<long>(strides[d])));
        is_inside = is_inside.intersect(scope.constant(0).le_set(offsets[d])).intersect(offsets[d].lt_set(extents[d]));
    }
    // Outside, the sum may be another cell's.
    return scope.location(array, sum).intersect_params(is_inside);
}

std::string freed(const std::string& unique_name) { return std::string(freed_prefix) + unique_name; }

std::optional<std::string> freed_array(const std::string& name) {
    if (!name.starts_with(freed_prefix)) { return std::nullopt; }
    return name.substr(freed_prefix.size());
}

}  // namespace haruspex::validator
