#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/verdict/verdict.h"

// Private to reports/store: the lines that stood in a verdict's JSON before each of its parts was an object. They were
// written for people, and are read here alone, so that findings of older campaigns stay readable.
namespace haruspex::store {

// "agrees", "out_of_bounds_read: reads f[3], …: `f[x] := …` at x = 3", "unsupported: half floats", "not run: …",
// "f(0) is 1i32, expected 2i32; …".
verdict::LoweredOutcome parse_older_lowered(std::string_view line);

// "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1"; nothing when it is no such line.
// The scope of a proof that holds under a condition is that of all sizes: there were no others.
std::optional<verdict::Validation> parse_older_validation(std::string_view line);

// "fit 32 bits for sizes up to 4096"; nothing when it is no such line.
std::optional<verdict::IndexFit> parse_older_indices(std::string_view line);

// What only the message of such a verdict tells: that a hang is a deadlock, that a stray write is one to the heap.
void read_older_message(verdict::Verdict& verdict);

}  // namespace haruspex::store
