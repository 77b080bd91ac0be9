#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "reports/measure/problem.h"

// Interprets programs at some sizes to see whether they are wrong.
namespace haruspex::measure {

enum class Shown : std::uint8_t { right, wrong, nothing };

struct Trial {
    Shown shown = Shown::nothing;
    std::string message;
};

// The limit on the interpreters' steps for each run.
inline constexpr std::uint64_t most_steps = 2'000'000;

// Runs the program on inputs drawn from the seed `inputs`, and compares it with the specification.
Trial try_at(const Written& written, const Sizes& sizes, std::uint64_t inputs);
// Runs the program on the case's inputs; `regions` are those that it reads at these sizes. If the case is not compared,
// since floats round, only LoweredState::troubled shows the program to be wrong.
Trial try_at(const Lowered& lowered, const Sizes& sizes, const Regions& regions);

// Draws sizes from 0 to `most` that satisfy the conditions; nullopt if 40 attempts find none.
std::optional<Sizes> draw_sizes(const std::vector<std::string>& parameters,
                                const std::vector<sare::Condition>& conditions, std::int64_t most, Choices& choices);

// Tries the problem at its own sizes and, if these do not show it to be wrong, at some others. Records the result in
// the problem. Returns false if the run at its own sizes shows nothing, so that the truth is unknown.
bool label(Problem& problem, Choices& choices);

// Returns "M = 3, N = 4".
std::string text_of(const Sizes& sizes);

}  // namespace haruspex::measure
