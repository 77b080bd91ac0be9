#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/case/case.h"

// The JSON form of a case, schema version 2 (published in corpus/schema/case-2.json). Version 1 does not name a
// compiler; it is read as a case of the first registered compiler (schedule/language.h).
//
// SARE and schedule are embedded in their text forms, as arrays of lines, so that a person can read and edit them. Each
// of them may instead name a file that holds the text, in the folder of the case. Only people write such names: to_json
// embeds the texts.
namespace haruspex::cases {

// Returns one line, or indented text for people. Equal cases give the same bytes.
std::string to_json(const Case& c, bool indented = false);
// Returns the text of a file in the folder of the case, by the file's name; an Error if it cannot be read.
using FilesBeside = std::function<Result<std::string>(const std::string& name)>;
// Errors carry file, line and column. An error in an embedded text is located at its character in the JSON text, an
// error in a file beside the case in that file. Without `beside` a case that names a file is refused.
[[nodiscard]] Result<Case> parse_case(std::string_view json, std::string_view file, const FilesBeside& beside = {});

// Returns the compiler that the JSON text of a case names; empty if the text names no compiler or is not a case.
std::string compiler_in(std::string_view text);

}  // namespace haruspex::cases
