#pragma once

#include <functional>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

namespace haruspex::session {

// Returns the verdict of a case. Must be deterministic. May be called in a forked process.
using Judge = std::function<verdict::Verdict(const cases::Case& c)>;

}  // namespace haruspex::session
