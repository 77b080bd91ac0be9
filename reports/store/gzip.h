#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"

namespace haruspex::store {

// What gzip packed; any other text as it is. An Error when the packed text is cut short or damaged.
[[nodiscard]] Result<std::string> unpacked(std::string_view text);

}  // namespace haruspex::store
