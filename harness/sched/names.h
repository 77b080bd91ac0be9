#pragma once

#include <string_view>

// What may be a name in the text form of SCHED.
namespace haruspex::sched {

// The name of a parameter, variable, value-let or array: a C identifier that may go on with dots, dollars and digits,
// and is no word of the language, no type and no literal such as nan_f32.
bool is_name(std::string_view text);
// The name of a program: as above, but it may be a word of the language.
bool is_program_name(std::string_view text);
// The name of a SARE's tensor that a prophecy can mention: any but "int".
bool is_tensor_name(std::string_view text);

}  // namespace haruspex::sched
