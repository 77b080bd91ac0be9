#pragma once

#include <optional>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/typing.h"
#include "oracle/validator/counterexamples/replay.h"

// Programs that the interpreters show to be wrong.
namespace haruspex::test {

inline std::optional<Sizes> random_sizes(const sare::Sare& sare, Choices& choices) {
    for (int attempt = 0; attempt < 40; ++attempt) {
        Sizes sizes;
        for (const std::string& parameter : sare.parameters) { sizes[parameter] = choices.integer(0, 11); }
        if (sare::try_evaluate(sare.assumptions, sizes) == true) { return sizes; }
    }
    return std::nullopt;
}

// Whether the program is wrong at one of a few random sizes and inputs.
inline bool is_shown_wrong(const sare::Sare& sare, const sched::Program& program, Choices& choices) {
    for (std::uint64_t attempt = 0; attempt < 6; ++attempt) {
        const auto sizes = random_sizes(sare, choices);
        if (!sizes) { continue; }
        const validator::Inputs inputs{validator::Inputs::Style::small, attempt, {}};
        if (validator::replay(sare, program, *sizes, inputs, 400'000).is_wrong) { return true; }
    }
    return false;
}

// Applies a random mutation, but not of a prophecy. Returns the program if it is then shown to be wrong, else nullopt.
inline std::optional<sched::Program> wrong_mutation(const sare::Sare& sare, const sched::Program& program,
                                                    Choices& choices) {
    std::vector<mutants::sched::Mutation> all = mutants::sched::mutations(program);
    std::erase_if(all, [](const auto& m) { return mutants::sched::is_of_prophecy(m.kind); });
    if (all.empty()) { return std::nullopt; }
    const auto k = static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(all.size()) - 1));
    sched::Program mutated = mutants::sched::apply(program, all[k]);
    if (!sched::check(mutated, sched::Rules::extended) || !is_shown_wrong(sare, mutated, choices)) {
        return std::nullopt;
    }
    return mutated;
}

}  // namespace haruspex::test
