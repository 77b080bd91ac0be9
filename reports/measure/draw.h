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
    // Names of miscompiling compilers; without any, no problem has the making `mutant`. A mutant's process runs as long
    // as the source made for it.
    std::vector<std::string> mutants;
    std::function<std::shared_ptr<const Source>(const std::string& mutant)> mutant;
    // The installed compiler, run like the mutants; their texts are compared with its texts. The numbers in a text's
    // names depend on what the process has compiled before.
    std::shared_ptr<const Source> unchanged;
};

// Draws problem number `index` of a seed. Of every twelve in a row, six are made to be right and six to be wrong.
// nullopt if 60 draws bring no problem of known truth.
std::optional<Problem> draw_problem(std::uint64_t seed, std::uint64_t index, const Workplace& workplace);

// Lowers the case to a problem whose truth is not known yet; an Error if the compiler fails.
[[nodiscard]] Result<Problem> lower(const cases::Case& c, const std::shared_ptr<const Source>& source,
                                    const compiler::Identity& identity, Making making, std::string detail);

}  // namespace haruspex::measure
