#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"

namespace haruspex::campaign {

// The cases of a file, for a campaign that draws none.
struct CaseFile {
    std::string digest;  // FNV-1a of the text: a campaign continues only with the same cases
    std::vector<cases::Case> cases;
};

// Reads a file with one case per line, as `haruspex generate` writes it, plain or compressed by gzip. The Error for a
// line that is not a case has file, line and column.
[[nodiscard]] Result<CaseFile> read_case_file(const std::filesystem::path& file);

}  // namespace haruspex::campaign
