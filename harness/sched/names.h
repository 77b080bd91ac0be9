#pragma once

#include <string_view>

// The names that the text form of SCHED allows.
namespace haruspex::sched {

// Whether the text can name a parameter, variable, value-let or array: a C identifier that may continue with dots,
// dollars and digits, and is not a word of the language, a type or a literal such as nan_f32.
bool is_name(std::string_view text);
// Whether it can name a program: as above, but words of the language are allowed.
bool is_program_name(std::string_view text);
// Whether it can name a SARE's tensor in a prophecy: any name but "int".
bool is_tensor_name(std::string_view text);

}  // namespace haruspex::sched
