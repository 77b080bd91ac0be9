#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/verdict/verdict.h"

// The SCHED column of DESIGN section 6: what the lowered program did when it was interpreted, against the SARE, and
// what both columns together mean:
//
//   lowered           native agrees        native differs        native not compared
//   equal             agrees               wrong_code            not_compared
//   differs           translation_fault    wrong_lowering        not_compared
//   troubled          latent_bug           wrong_lowering        latent_bug
//   overflows         introduced_overflow  introduced_overflow   not_compared
//   refuses to run    translation_fault    translation_fault     translation_fault
//   malformed         translation_fault    translation_fault     translation_fault
//
// "Troubled": a race, an access out of bounds, to freed memory or to the wrong side, lanes in conflict, or a dependence
// on memory that was not written; then its values mean nothing. "Overflows": an output is Undef where the specification
// is defined, and nothing else is wrong. "Malformed": what the translation wrote is no program of SCHED. A verdict of
// another class keeps it, and what was seen beside it.
namespace haruspex::judge {

enum class LoweredState : std::uint8_t { unknown, equal, differs, troubled, overflows, refuses, malformed };

struct LoweredFinding {
    LoweredState state = LoweredState::unknown;
    std::string message;  // one line: the difference, the first trouble, why nothing is known
    std::optional<verdict::Difference> difference;
};

// The reference is defined everywhere.
LoweredFinding judge_lowered(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                             const interp::Execution& execution);

// The verdict of the native column, with this beside it.
verdict::Verdict combine(verdict::Verdict native, const LoweredFinding& lowered);

}  // namespace haruspex::judge
