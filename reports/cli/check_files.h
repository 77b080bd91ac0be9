#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "generators/base/result.h"
#include "reports/bugs/checks.h"

namespace haruspex::cli {

// Files for other tools; an empty name is not written.
struct CheckFiles {
    std::filesystem::path junit, sarif;
};

// Adds --junit and --sarif.
void add_check_files(CLI::App& command, CheckFiles& files);
// For commands that have long work to do before they write.
[[nodiscard]] Result<void> can_be_written(const CheckFiles& files);
[[nodiscard]] Result<void> write(const CheckFiles& files, const bugs::Checks& checks);

}  // namespace haruspex::cli
