#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "reports/bugs/recheck.h"

namespace haruspex::bugs {

// Convert a recheck to indented JSON (schema: corpus/schema/recheck-1.json) and back:
// {"haruspex_recheck": 1, "compiler", "version", "package",
//  "reports": [{"name", "place", "state", "found_in", "stored", "now"}, …]}
std::string to_json(const Recheck& recheck);
[[nodiscard]] Result<Recheck> parse_recheck(std::string_view json, std::string_view file);

}  // namespace haruspex::bugs
