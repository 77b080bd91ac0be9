#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/problem.h"

// Random problems whose truth is known.
namespace haruspex::measure {

struct Workplace {
    compiler::Identity identity;
    std::shared_ptr<const Source> installed;
    // Miscompiling compilers, by name; no problem is of the making `mutant` when there are none. What runs for one of
    // them runs as long as the source that is made of it.
    std::vector<std::string> mutants;
    std::function<std::shared_ptr<const Source>(const std::string& mutant)> mutant;
    // What their texts are compared with: the installed compiler, run as they are. Which numbers the names in a text
    // have depends on what a process has compiled before.
    std::shared_ptr<const Source> unchanged;
};

// Problem number `index` of a seed: of every twelve in a row, six are made to be right and six to be wrong. Nothing
// when a good many draws bring none that is known to be so.
std::optional<Problem> draw_problem(std::uint64_t seed, std::uint64_t index, const Workplace& workplace);

// The case as the compiler lowers it, its truth not known yet; an Error when it does not.
[[nodiscard]] Result<Problem> lower(const cases::Case& c, const std::shared_ptr<const Source>& source,
                                    const compiler::Identity& identity, Making making, std::string detail);

}  // namespace haruspex::measure
