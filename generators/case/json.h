#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/case/case.h"

// The JSON form of a case, schema version 2 (published in corpus/schema/case-2.json). Version 1, which does not name
// the compiler, is read as a case of the compiler that was the only one then (schedule/language.h: registered).
//
// SARE and schedule are embedded in their text forms, as arrays of lines, so that a person can read and edit them. Each
// may instead be the name of a file beside the case that holds the text. Only people use file names: to_json writes
// whole cases.
namespace haruspex::cases {

// Returns one line, or indented text for people. Equal cases give the same bytes.
std::string to_json(const Case& c, bool indented = false);
// Returns the text of a file beside the case, by its name; an Error if it cannot be read.
using FilesBeside = std::function<Result<std::string>(const std::string& name)>;
// Errors carry the file, and line and column inside the JSON text: for embedded text, of the offending line's string;
// for a file beside the case, inside that file. Without `beside` a case that names a file is refused.
[[nodiscard]] Result<Case> parse_case(std::string_view json, std::string_view file, const FilesBeside& beside = {});

// The compiler that a case's JSON names; empty if it names none, or is no case.
std::string compiler_in(std::string_view text);

}  // namespace haruspex::cases
