#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"

namespace haruspex::store {

// Returns the content of a text that gzip packed; any other text unchanged. An Error if a packed text is cut short or
// damaged.
[[nodiscard]] Result<std::string> unpacked(std::string_view text);

}  // namespace haruspex::store
