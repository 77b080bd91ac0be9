#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "reports/measure/problem.h"

// What the interpreters show of a program at some sizes.
namespace haruspex::measure {

enum class Shown : std::uint8_t { right, wrong, nothing };

struct Trial {
    Shown shown = Shown::nothing;
    std::string message;
};

// Of interpreters, for each run.
inline constexpr std::uint64_t most_steps = 2'000'000;

// On inputs of its own.
Trial try_at(const Written& written, const Sizes& sizes, std::uint64_t inputs);
// On the case's inputs, with the regions that the program reads at these sizes. What rounds, and so is not compared, is
// shown to be wrong by what it does with memory alone.
Trial try_at(const Lowered& lowered, const Sizes& sizes, const Regions& regions);

// Sizes of up to `most`, that the conditions allow; nothing when a few dozen draws find none.
std::optional<Sizes> draw_sizes(const std::vector<std::string>& parameters,
                                const std::vector<sare::Condition>& conditions, std::int64_t most, Choices& choices);

// Tries the problem at its own sizes and, if these do not show that it is wrong, at some others; notes what is shown.
// False when nothing was shown at its own sizes, so that nothing is known of it.
bool label(Problem& problem, Choices& choices);

// "M = 3, N = 4"
std::string text_of(const Sizes& sizes);

}  // namespace haruspex::measure
