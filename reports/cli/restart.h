#pragma once

#include <filesystem>
#include <string>

namespace haruspex::cli {

// Replaces this process by the executable, with this process's arguments. Returns only on failure, with the reason.
std::string start_again_as(const std::filesystem::path& executable);

}  // namespace haruspex::cli
