#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/verdict/verdict.h"

// Private to reports/store: reads lines that older versions wrote for people, in place of the objects in a verdict's
// JSON, so that findings of older campaigns stay readable. Nothing else parses these lines.
namespace haruspex::store {

// Reads a line about the lowered program: "agrees", "out_of_bounds_read: reads f[3], …: `f[x] := …` at x = 3",
// "unsupported: half floats", "not run: …", "f(0) is 1i32, expected 2i32; …".
verdict::LoweredOutcome parse_older_lowered(std::string_view line);

// Reads a line about the validator: "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1";
// nullopt for any other line. A proof under a condition holds for all sizes: older versions had no other conditional
// proofs.
std::optional<verdict::Validation> parse_older_validation(std::string_view line);

// Reads a line about indices: "fit 32 bits for sizes up to 4096"; nullopt for any other line.
std::optional<verdict::IndexFit> parse_older_indices(std::string_view line);

// Adds the facts that an older verdict has only in its message: whether a hang is a deadlock, and whether a stray write
// is to the heap.
void read_older_message(verdict::Verdict& verdict);

}  // namespace haruspex::store
