#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"

namespace haruspex::store {

// Returns the content of a text packed by gzip; any other text unchanged. An Error if packed text is cut short or
// damaged.
[[nodiscard]] Result<std::string> unpacked(std::string_view text);

}  // namespace haruspex::store
