#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "reports/session/origin.h"

namespace haruspex::session {

// Why the case cannot be put to the compiler, if so: its schedule uses an unknown name, or this machine cannot run code
// for its target. Illegal schedules are not refused: the compiler judges them, and the verdict has a warning.
std::optional<Error> refusal(const cases::Case& c, const Origin& origin, const compiler::Compiler& compiler);
// Why this machine cannot run code for the target, if so.
std::optional<Error> refusal_of_target(const std::string& target, const compiler::Compiler& compiler);

}  // namespace haruspex::session
