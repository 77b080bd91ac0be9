#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"

namespace haruspex::campaign {

// Cases that stand in a file, for a campaign that runs these in their order and draws none.
struct CaseFile {
    std::string digest;  // FNV-1a of the text: a campaign goes on with the same cases only
    std::vector<cases::Case> cases;
};

// One case a line, as `haruspex generate` writes them; packed by gzip or not. An Error carries file, line and column of
// the first line that is not a case.
[[nodiscard]] Result<CaseFile> read_case_file(const std::filesystem::path& file);

}  // namespace haruspex::campaign
