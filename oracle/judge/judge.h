#pragma once

#include <vector>

#include "generators/schedule/halide/size_rules.h"
#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/verdict/verdict.h"

// The native column of DESIGN section 6: what plain compiled code did, against the SARE.
namespace haruspex::judge {

// `reference` may be an Error (the SARE is undefined or too expensive: bad_case). `broken_rules` are the documented
// size rules that the case's sizes do not meet, empty inside the context.
verdict::Verdict judge(const cases::Case& c, const Result<std::vector<interp::OutputValues>>& reference,
                       const compiler::Observation& observation,
                       const std::vector<schedule::halide::SizeRule>& broken_rules);

}  // namespace haruspex::judge
