#pragma once

#include "oracle/verdict/verdict.h"

// Whether a case that shows nothing any more could have shown its finding.
namespace haruspex::triage {

// Whether only the validator shows what the verdict says.
bool is_by_validator(const verdict::Verdict& verdict);

// Whether `now`, a verdict `agrees`, excludes what an earlier verdict on the case shows. A finding that only the
// interpreted lowered program or the validator shows needs that answer. So does one of a lowered program that races,
// leaves its bounds or depends on unwritten memory: its native code may be right by accident.
bool excludes(const verdict::Verdict& now, const verdict::Verdict& earlier);

}  // namespace haruspex::triage
