#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/problem.h"

// Draws random problems of known truth.
namespace haruspex::measure {

struct Workplace {
    compiler::Identity identity;
    std::shared_ptr<const Source> installed;
    // The names of the compiler's mutants. If there are none, no problem is made with a mutant (Making::mutant).
    std::vector<std::string> mutants;
    // Makes the source of a mutant. The mutant's process runs as long as that source lives.
    std::function<std::shared_ptr<const Source>(const std::string& mutant)> mutant;
    // The installed compiler, run in a process of its own like the mutants. Its texts are compared with the mutants'
    // texts, because the numbers in a text's names depend on what the process has compiled before.
    std::shared_ptr<const Source> unchanged;
};

// Draws problem number `index` of a seed. Of every twelve problems in a row, six are made to be right and six to be
// wrong. nullopt if 60 draws bring no problem of known truth.
std::optional<Problem> draw_problem(std::uint64_t seed, std::uint64_t index, const Workplace& workplace);

// Makes a problem of a case by lowering it; whether the program is right is not determined. An Error if the compiler
// fails.
[[nodiscard]] Result<Problem> lower(const cases::Case& c, const std::shared_ptr<const Source>& source,
                                    const compiler::Identity& identity, Making making, std::string detail);

}  // namespace haruspex::measure
