#pragma once

#include <cstdint>

#include "oracle/smt/query.h"

namespace haruspex::smt {

// Estimates the number of gates that Z3 makes of a query's bit-vectors and IEEE floats. Z3 makes and simplifies them
// before it counts its work (rlimit): 16,000 can take seconds, 130,000 take five seconds and more. The estimate
// depends on the terms and the query's arithmetic alone; a shared term counts once, but nothing else is simplified.
std::uint64_t gates(const Terms& terms, const Query& query);

}  // namespace haruspex::smt
