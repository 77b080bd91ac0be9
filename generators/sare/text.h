#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/sare/print.h"
#include "generators/sare/syntax.h"
#include "generators/value/type.h"

// The text form of SAREs (grammar in syntax.h): its parser. The printer is in print.h.
namespace haruspex::sare {

// Parses a SARE and checks it (wellformed.h). Errors carry file, line, column and the expected text.
[[nodiscard]] Result<Sare> parse_sare(std::string_view text, std::string_view file);
// The types that a program may have.
struct KnownTypes {
    std::span<const value::Type> types;
    std::string_view owner;  // who has them, for messages: the name of a compiler
};
// The same. Also refuses a type that is not known, at the first place in the text that names it.
[[nodiscard]] Result<Sare> parse_sare(std::string_view text, std::string_view file, const KnownTypes& known);
// Parse a single condition or index, over any variables; for schedules and the command line.
[[nodiscard]] Result<Condition> parse_condition(std::string_view text, std::string_view file);
[[nodiscard]] Result<Index> parse_index(std::string_view text, std::string_view file);

}  // namespace haruspex::sare
