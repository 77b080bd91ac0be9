#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "reports/campaign/status.h"

// A campaign at a glance, for a person before a terminal.
namespace haruspex::campaign {

// Returns a time as "1:02:03" or "0:31".
std::string clock(std::chrono::seconds time);

// Returns the page: at most `height` lines of at most `width` characters, none of which is a control character. What
// matters most stays if there is little room: the distinct bugs, smallest first, and whether anything new turns up.
std::vector<std::string> page_of(const Status& status, std::size_t width, std::size_t height);

}  // namespace haruspex::campaign
