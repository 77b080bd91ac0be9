#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/case/case.h"

// The JSON form of a case, schema version 1 (published in corpus/schema/case-1.json). SARE and schedule are embedded in
// their text forms, as arrays of lines, so that a person can read and edit them; each may instead be the name of a file
// beside it that holds the text. Files are named only by people: what is written is whole.
namespace haruspex::cases {

// One line, or indented for people. Same bytes for equal cases.
std::string to_json(const Case& c, bool indented = false);
// What a file beside the case holds, by its name; an Error says why it cannot be read.
using FilesBeside = std::function<Result<std::string>(const std::string& name)>;
// Errors carry the file, and the line and column inside the JSON text (for embedded text: of the offending line's
// string; for a file beside it: of that file). Without `beside` a case that names a file is refused.
[[nodiscard]] Result<Case> parse_case(std::string_view json, std::string_view file, const FilesBeside& beside = {});

}  // namespace haruspex::cases
