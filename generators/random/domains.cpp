#include "generators/random/domains.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "generators/random/exactness.h"

namespace haruspex::random {
namespace {

// The distance of values from zero; the random builder draws from the same ranges (program_builder.cpp).
struct Reach {
    bool is_full;  // types that wrap around take all their values
    std::int64_t integer, numerator;
    int scale;  // a float is numerator * 2^-scale
};
// Widest first.
constexpr std::array<Reach, domain_choices> reaches{
    {{true, 60, 32, 3}, {false, 60, 32, 1}, {false, 16, 16, 0}, {false, 8, 8, 0}, {false, 2, 2, 0}, {false, 1, 1, 0}}};

value::Range range_within(const Reach& reach, value::Type type) {
    if (type == value::Type::boolean) { return value::full_range(type); }
    if (value::is_float(type)) { return {type, -reach.numerator, reach.numerator, reach.scale}; }
    if (value::wraps(type) && reach.is_full) { return value::full_range(type); }
    return {type, value::is_unsigned_integer(type) ? 0 : -reach.integer, reach.integer, 0};
}

}  // namespace

Domains domains(std::size_t choice, const std::vector<sare::Input>& inputs, const std::set<std::string>& positive) {
    Domains found;
    for (const sare::Input& input : inputs) {
        value::Range range = range_within(reaches.at(choice), input.type);
        if (positive.contains(input.name)) { range.low = std::max<value::Int128>(range.low, 1); }
        found[input.name] = {range, false};
    }
    return found;
}

std::optional<Domains> exact_domains(const sare::Algorithm& algorithm, const Intervals& parameters, bool strict_float,
                                     std::size_t first, const std::set<std::string>& positive) {
    for (std::size_t choice = first; choice < domain_choices; ++choice) {
        Domains found = domains(choice, algorithm.inputs, positive);
        if (is_exact(algorithm, {found, parameters, strict_float})) { return found; }
    }
    return std::nullopt;
}

}  // namespace haruspex::random
