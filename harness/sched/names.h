#pragma once

#include <string_view>

// The names that the text form of SCHED allows.
namespace haruspex::sched {

// Whether the text can name a parameter, variable, value-let, array or semaphore: it is a C identifier that may also
// contain dots and dollars after the first character, and is not a word of the language, a type or a literal such as
// nan_f32.
bool is_name(std::string_view text);
// Whether the text can name a program: as above, but words of the language, types and literals are allowed.
bool is_program_name(std::string_view text);
// Whether the text can name a SARE's tensor in a prophecy: any tensor name of a SARE ("D", "D.1") except "int".
bool is_tensor_name(std::string_view text);

}  // namespace haruspex::sched
