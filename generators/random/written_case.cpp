#include "generators/random/written_case.h"

#include <array>
#include <optional>
#include <utility>

#include "generators/random/exactness.h"
#include "generators/random/regions.h"
#include "generators/sare/floats.h"
#include "generators/sare/staging.h"

namespace haruspex::random {
namespace {

using Domains = std::map<std::string, cases::InputDomain>;

// The distance of values from zero; the random builder draws from the same ranges (program_builder.cpp).
struct Reach {
    bool is_full;  // types that wrap around take all their values
    std::int64_t integer, numerator;
    int scale;  // a float is numerator * 2^-scale
};
// Widest first.
constexpr std::array<Reach, 6> reaches{
    {{true, 60, 32, 3}, {false, 60, 32, 1}, {false, 16, 16, 0}, {false, 8, 8, 0}, {false, 2, 2, 0}, {false, 1, 1, 0}}};

value::Range range_within(const Reach& reach, value::Type type) {
    if (type == value::Type::boolean) { return value::full_range(type); }
    if (value::is_float(type)) { return {type, -reach.numerator, reach.numerator, reach.scale}; }
    if (value::wraps(type) && reach.is_full) { return value::full_range(type); }
    return {type, value::is_unsigned_integer(type) ? 0 : -reach.integer, reach.integer, 0};
}

Domains domains_within(const Reach& reach, const sare::Sare& sare) {
    Domains domains;
    for (const sare::Input& input : sare.inputs) { domains[input.name] = {range_within(reach, input.type), false}; }
    return domains;
}

// The widest domains in which the algorithm is exact; floats need not be if they are strict.
std::optional<Domains> exact_domains(const sare::Algorithm& algorithm, const Written& written, bool strict_float) {
    for (const Reach& reach : reaches) {
        Domains domains = domains_within(reach, written.sare);
        if (is_exact(algorithm, {domains, intervals_of(written.sizes), strict_float})) { return domains; }
    }
    return std::nullopt;
}

}  // namespace

cases::Case case_of(Written written, const schedule::Language& language) {
    cases::Case c;
    c.compiler = language.compiler();
    c.inputs = domains_within(reaches.back(), written.sare);
    if (const auto algorithm = sare::unstage(written.sare)) {
        auto exact = exact_domains(*algorithm, written, false);
        const bool is_rounded = !exact && sare::has_floats(written.sare);
        if (!exact) { exact = exact_domains(*algorithm, written, true); }
        if (exact) { c.inputs = std::move(*exact); }
        const bool is_loose = written.strict_float
                                  ? language.first_to_reorder_floats(*algorithm, written.schedule).has_value()
                                  : is_rounded;
        if (is_loose) { c.comparison = cases::Comparison::not_compared; }
    }
    c.sare = std::move(written.sare);
    c.schedule = std::move(written.schedule);
    c.sizes = std::move(written.sizes);
    c.input_seed = written.input_seed;
    c.strict_float = written.strict_float;
    c.target = std::move(written.target);
    return c;
}

}  // namespace haruspex::random
