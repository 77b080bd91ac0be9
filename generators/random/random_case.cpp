#include "generators/random/random_case.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "generators/base/sizes.h"
#include "generators/random/names.h"
#include "generators/random/program_builder.h"
#include "generators/random/tensor_program.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"

namespace haruspex::random {
namespace {

// Draws sizes around multiples that matter to splits, and now and then any other size.
std::int64_t draw_size(Choices& choices, const Weights<4>& weights, Interval values) {
    const auto inside = [&](std::int64_t v) { return std::clamp(v, values.low, values.high); };
    switch (choices.weighted(weights)) {
        case 0: return choices.integer(values.low, values.high, values.low);
        case 1: return choices.integer(values.low, inside(values.low + 4), values.low);
        case 2: return inside(8 * choices.integer(1, std::max<std::int64_t>(1, values.high / 8), 1));
        default: {
            const std::int64_t multiple = choices.one_of(std::array<std::int64_t, 5>{4, 8, 16, 3, 5});
            const std::int64_t times = choices.integer(1, std::max<std::int64_t>(1, values.high / multiple), 1);
            return inside(multiple * times + choices.integer(-1, 1, 0));
        }
    }
}

Sizes draw_sizes(Choices& choices, const Policy& policy, const Program& program) {
    const Weights<4>& weights = policy.programs == ProgramKind::tensor ? policy.tensor.size : policy.size;
    Sizes sizes;
    for (const auto& [name, values] : program.parameters) { sizes[name] = draw_size(choices, weights, values); }
    return sizes;
}

Intervals as_intervals(const Sizes& sizes) {
    Intervals intervals;
    for (const auto& [name, size] : sizes) { intervals[name] = {size, size}; }
    return intervals;
}

// The index of a size rule that the sizes break, if any.
std::optional<std::size_t> broken(const std::vector<schedule::SizeRule>& rules, const Sizes& sizes) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (!sare::evaluate(rules[i].condition, sizes)) { return i; }
    }
    return std::nullopt;
}

bool is_affordable(const Sizes& sizes, const Program& program, const Policy& policy) {
    const Cost c = cost(program.outlined ? *program.outlined : program.algorithm, as_intervals(sizes));
    return c.evaluations <= policy.most_work && c.input_cells <= policy.most_input_cells;
}

// Halves the largest parameter until reference and inputs are affordable.
void make_affordable(Sizes& sizes, const Program& program, const Policy& policy) {
    while (!is_affordable(sizes, program, policy)) {
        const auto largest = std::ranges::max_element(
            sizes, {}, [&](const auto& s) { return s.second - program.parameters.at(s.first).low; });
        if (largest == sizes.end() || largest->second <= program.parameters.at(largest->first).low) { return; }
        largest->second = std::max(program.parameters.at(largest->first).low, largest->second / 2);
    }
}

// The directives that let floats accumulate in the algorithm's order, which strict floats require.
schedule::Schedule in_order(const sare::Algorithm& algorithm, schedule::Schedule schedule,
                            const schedule::Language& language) {
    while (const auto directive = language.first_to_reorder_floats(algorithm, schedule)) {
        schedule = language.without(algorithm, schedule, {*directive});
    }
    return schedule;
}

}  // namespace

cases::Case draw_case(Choices& choices, const Policy& policy, const schedule::Language& language) {
    const Policy mix = mixed(choices, policy, language.types());
    const bool has_whole_tensors = policy.programs == ProgramKind::tensor;
    // Programs of whole tensors are drawn to see what padding does to them.
    const auto schedules =
        language.source(choices, has_whole_tensors ? schedule::Aim::padding : schedule::Aim::variety);
    Program program = has_whole_tensors ? draw_tensor_program(choices, mix, language.types())
                                        : draw_program(choices, mix, language.types());
    if (!has_whole_tensors && choices.boolean(mix.random_names_per_mille)) { draw_names(choices, mix, program); }
    cases::Case c;
    const auto settled = [&](schedule::Schedule schedule) {
        return program.strict_float ? in_order(program.algorithm, std::move(schedule), language) : schedule;
    };
    c.schedule = settled(schedules->draw(choices, program.algorithm));

    // Sizes within the documented rules; a directive whose rule no drawn size meets is dropped.
    constexpr int attempts = 12;
    for (;;) {
        const auto rules = language.size_rules(program.algorithm, c.schedule);
        std::optional<std::size_t> failed;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            c.sizes = draw_sizes(choices, mix, program);
            make_affordable(c.sizes, program, mix);
            failed = broken(rules, c.sizes);
            if (!failed) { break; }
        }
        if (!failed) { break; }
        c.schedule = settled(language.without(program.algorithm, c.schedule, {rules[*failed].directive}));
    }
    c.compiler = language.compiler();
    c.sare = sare::stage(program.algorithm);
    c.inputs = program.inputs;
    c.strict_float = program.strict_float;
    c.comparison = program.compared ? cases::Comparison::exact : cases::Comparison::not_compared;
    c.input_seed = static_cast<std::uint64_t>(choices.integer(0, 0xffffffff, 0));
    c.target = language.default_target();
    return c;
}

cases::Case campaign_case(std::uint64_t campaign_seed, std::uint64_t index, const Policy& policy,
                          const schedule::Language& language) {
    Choices choices(random_source(derive_seed(campaign_seed, index)));
    cases::Case c = draw_case(choices, policy, language);
    c.sare.name = "c" + std::to_string(index);
    return c;
}

}  // namespace haruspex::random
