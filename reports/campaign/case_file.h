#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "reports/campaign/options.h"

namespace haruspex::campaign {

// The cases of a file, for a campaign that draws none.
struct CaseFile {
    std::string digest;  // FNV-1a of the text: a campaign continues only with the same cases
    std::vector<cases::Case> cases;
};

// Reads a file with one case per line, as `haruspex generate` writes it, plain or compressed by gzip. The Error for a
// line that is not a case has file, line and column.
[[nodiscard]] Result<CaseFile> read_case_file(const std::filesystem::path& file);

// Reads the file of cases that the options name; nullopt if cases are drawn. Sets Options::cases to at most the lines
// after the first. An Error if there are none, or a case is for another compiler.
[[nodiscard]] Result<std::optional<CaseFile>> cases_of(Options& options, const compiler::Identity& identity);

// Returns the case with this index: drawn, or from `file` if that is not null.
cases::Case case_at(std::uint64_t index, const Options& options, const CaseFile* file,
                    const compiler::Identity& identity);

}  // namespace haruspex::campaign
