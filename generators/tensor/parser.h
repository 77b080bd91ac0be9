#pragma once

#include <string_view>

#include "generators/base/result.h"
#include "generators/tensor/syntax.h"

// The parser of the language of whole tensors (grammar in syntax.h). The printer is in print.h.
namespace haruspex::tensor {

// Parses a program and checks it (wellformed.h). Errors carry file, line, column and the expected text. That of an
// operator is at the operator, that of an assignment at its variable.
[[nodiscard]] Result<Program> parse_program(std::string_view text, std::string_view file);

}  // namespace haruspex::tensor
