#pragma once

#include <string>
#include <string_view>

// The names of the text form, and the names of stage tensors.
namespace haruspex::sare {

// Whether the text is a C identifier that is not a keyword, a type or a literal such as nan_f32.
bool is_name(std::string_view text);
// Whether the text is a name or the name of a stage tensor: a name, a dot and a decimal number, "D.1".
bool is_tensor_name(std::string_view text);
// Whether the text is a keyword, a type or a literal such as nan_f32.
bool is_reserved(std::string_view text);

// Returns the name of the tensor for a stage of a function: stage 0 is the pure definition, stage n the n-th update.
// "D.1"
std::string stage_name(std::string_view function, std::size_t stage);

}  // namespace haruspex::sare
