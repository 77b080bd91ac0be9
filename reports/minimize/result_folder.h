#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/minimize/minimizer.h"

namespace haruspex::minimize {

// What is minimised: a finding, or a case of which no verdict is stored.
struct Original {
    cases::Case c;
    std::optional<verdict::Verdict> verdict;
    std::uint64_t seed = 0, index = 0;
    std::filesystem::path path;
};

// Further files of a found case's folder: name -> content.
using Attach = std::function<std::map<std::string, std::string>(const Found&)>;

// The folder that a minimisation writes, in the form of a finding: at any moment it holds the smallest case so far.
class ResultFolder {
public:
    ResultFolder(std::filesystem::path folder, const Original& original, compiler::Identity compiler, Attach attach);

    // An Error if the folder holds a finding that no earlier minimisation of this case wrote.
    [[nodiscard]] Result<void> check_nothing_is_lost(const Shows& shows) const;
    // Writes the case unless the folder holds a smaller one from an earlier minimisation of this finding. That one
    // stays until this minimisation gets as small, or ends.
    [[nodiscard]] Result<void> write_better(const Found& found, bool goes_on, const Shows& shows) const;
    [[nodiscard]] Result<void> write_best(const Found& found) const { return write(found, folder_); }
    // Writes other findings beside the folder, not in it, since the folder is replaced as a whole.
    [[nodiscard]] Result<void> write_others(const std::vector<Found>& others) const;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path others() const { return folder_.string() + "-others"; }
    std::filesystem::path journal() const { return folder_.string() + ".journal"; }

private:
    Result<void> write(const Found& found, const std::filesystem::path& folder) const;

    std::filesystem::path folder_;
    const Original& original_;
    compiler::Identity compiler_;
    Attach attach_;
};

}  // namespace haruspex::minimize
