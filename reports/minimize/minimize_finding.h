#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/minimize/minimizer.h"

// Minimises a case with an installed compiler into a folder, in the form of a finding: at any moment it holds the
// smallest case so far. Smaller cases with other symptoms are written beside it.
namespace haruspex::minimize {

// What is minimised: a finding, or a case of which no verdict is stored.
struct Original {
    cases::Case c;
    std::optional<verdict::Verdict> verdict;
    std::uint64_t seed = 0, index = 0;
    std::filesystem::path path;
};

struct Task {
    std::filesystem::path folder;
    std::uint64_t most_runs = Options{}.most_runs;
    int jobs = 1;  // does not influence the outcome
    // Returns further files of a found case's folder: name -> content.
    std::function<std::map<std::string, std::string>(const Found&)> attach;
    // Called with each better case, and how it was found; no pass found the case itself.
    std::function<void(const Found&, const Progress&)> better;

    // The folder of the other findings.
    std::filesystem::path others() const { return folder.string() + "-others"; }
};

// A minimisation that was killed is resumed: a journal beside the folder holds the compiler's answers until everything
// is written. nullopt if the case has no finding. An Error as of minimize(), if the folder holds a finding that would
// be lost, or cannot be written.
[[nodiscard]] Result<std::optional<Minimised>> minimize_finding(const Original& original, const Task& task,
                                                                compiler::Compiler& compiler);

}  // namespace haruspex::minimize
