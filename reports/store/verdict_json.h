#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "oracle/verdict/verdict.h"

// The JSON form of a verdict. Bytes of a compiler's text that are not UTF-8 are replaced; everything else round-trips.
namespace haruspex::store {

// Convert a verdict to JSON, on one line or indented for people, and back:
// {"class", "message", "phase", "signal", "difference", "deadlock", "heap_write", "lowered", "own_sizes", "all_sizes",
//  "indices", "pass", "warnings"}
// Fields after "difference" are as in verdict.h, and absent if empty.
//   "difference"   null or {"tensor", "component", "cell", "type", "expected", "actual", "expected_bits",
//                  "actual_bits", "differing_cells", "compared_cells"}; bits are hexadecimal, or "undef" or "uninit"
//   "warnings"     [{"directive", "call", "rule", "asks"}, …]
std::string to_json(const verdict::Verdict& verdict, bool indented = false);
[[nodiscard]] Result<verdict::Verdict> parse_verdict(std::string_view json, std::string_view file);

}  // namespace haruspex::store
