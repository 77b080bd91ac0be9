#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "reports/session/origin.h"

namespace haruspex::session {

// Returns why the case cannot be put to the compiler; nullopt if it can. Reasons: the compiler has no such programs,
// the program uses a word of SCHED as a name, the schedule uses an unknown name, or this machine cannot run code for
// the target. Illegal schedules are not refused: the compiler judges them, and the verdict has a warning.
std::optional<Error> refusal(const cases::Case& c, const Origin& origin, const compiler::Compiler& compiler);
// Returns why this machine cannot run code for the target; nullopt if it can.
std::optional<Error> refusal_of_target(const std::string& target, const compiler::Compiler& compiler);

}  // namespace haruspex::session
