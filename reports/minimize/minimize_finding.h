#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/minimize/minimizer.h"
#include "reports/minimize/result_folder.h"

namespace haruspex::minimize {

struct Task {
    std::uint64_t most_runs = Options{}.most_runs;
    int jobs = 1;  // does not influence the outcome
    // Called with each better case, and how it was found; no pass found the case itself.
    std::function<void(const Found&, const Progress&)> better;
};

// Minimises with the compiler, and writes the folder. A minimisation that was killed is resumed: a journal beside the
// folder holds the compiler's answers until everything is written. nullopt if the case has no finding. An Error as of
// minimize(), if the folder holds a finding that would be lost, or cannot be written.
[[nodiscard]] Result<std::optional<Minimised>> minimize_finding(const Original& original, const ResultFolder& folder,
                                                                compiler::Compiler& compiler, const Task& task);

}  // namespace haruspex::minimize
