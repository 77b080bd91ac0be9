#pragma once

#include <string>

#include "generators/base/result.h"

namespace haruspex::session {

// The environment variable that names the mutants for which a process was started again.
inline constexpr const char* mark_of_mutants = "HARUSPEX_MUTANT";

// Returns the shared objects of the mutants, separated by colons as in LD_PRELOAD; `names` are separated by commas. An
// Error if a name is given twice, no compiler has such a mutant, or it is not built.
[[nodiscard]] Result<std::string> libraries_of_mutants(const std::string& names);

}  // namespace haruspex::session
