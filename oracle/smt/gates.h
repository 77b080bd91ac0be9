#pragma once

#include <cstdint>

#include "oracle/smt/query.h"

namespace haruspex::smt {

// About how many gates Z3 makes of a query's bit-vectors and IEEE floats. It makes them, and simplifies them, before it
// counts what it does (rlimit): 16,000 take it up to seconds, 130,000 five seconds and more. A number that depends on
// the terms alone; sharing within them is seen, other simplifications are not.
std::uint64_t gates(const Terms& terms, const Query& query);

}  // namespace haruspex::smt
