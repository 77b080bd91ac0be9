#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "oracle/verdict/verdict.h"

// The JSON form of a verdict. Text of a compiler that is not UTF-8 has its odd bytes replaced; everything else
// round-trips.
namespace haruspex::store {

// {"class", "message", "phase", "signal", "difference", "lowered", "validator", "all_sizes", "indices", "pass",
// "warnings"}, of which the last six are as in verdict.h, and absent where there is nothing to say: one line, or
// indented for people. "warnings" is a list of {"directive", "call", "rule", "asks"}. `difference` is null or
// {"tensor", "component", "cell", "type", "expected", "actual", "expected_bits", "actual_bits", "differing_cells",
// "compared_cells"}; bits are hexadecimal, or "undef" or "uninit".
std::string to_json(const verdict::Verdict& verdict, bool indented = false);
[[nodiscard]] Result<verdict::Verdict> parse_verdict(std::string_view json, std::string_view file);

}  // namespace haruspex::store
