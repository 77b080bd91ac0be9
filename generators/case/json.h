#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/case/case.h"

// The JSON form of a case, schema version 1 (published in corpus/schema/case-1.json). SARE and schedule are embedded in
// their text forms, as arrays of lines, so that a person can read and edit them.
namespace haruspex::cases {

// One line, or indented for people. Same bytes for equal cases.
std::string to_json(const Case& c, bool indented = false);
// Errors carry the file, and the line and column inside the JSON text (for embedded text: of the offending line's
// string).
[[nodiscard]] Result<Case> parse_case(std::string_view json, std::string_view file);

}  // namespace haruspex::cases
