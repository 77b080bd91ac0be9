#pragma once

#include <filesystem>
#include <string>

namespace haruspex::session {

// Replaces this process by the executable, with this process's arguments. Returns only on failure, with the reason.
std::string start_again_as(const std::filesystem::path& executable);

}  // namespace haruspex::session
