#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Lists of cases as text: "0-3 7 9-12".
namespace haruspex::campaign {

// Returns the text of ascending indices.
std::string to_text(const std::vector<std::uint64_t>& indices);
// Returns the indices; nullopt if the text is not one that to_text() writes, or names more than ten million cases.
std::optional<std::vector<std::uint64_t>> parse_indices(const std::string& text);

}  // namespace haruspex::campaign
