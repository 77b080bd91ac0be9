#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/verdict/verdict.h"

// Private to reports/store: reads the lines that a verdict's JSON had before its parts became objects. They were
// written for people, and are parsed only here, so that findings of older campaigns stay readable.
namespace haruspex::store {

// "agrees", "out_of_bounds_read: reads f[3], …: `f[x] := …` at x = 3", "unsupported: half floats", "not run: …",
// "f(0) is 1i32, expected 2i32; …".
verdict::LoweredOutcome parse_older_lowered(std::string_view line);

// "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1"; nullopt for any other line. A
// proof under a condition is for all sizes: older versions had no others.
std::optional<verdict::Validation> parse_older_validation(std::string_view line);

// "fit 32 bits for sizes up to 4096"; nullopt for any other line.
std::optional<verdict::IndexFit> parse_older_indices(std::string_view line);

// Reads the facts that only the message of such a verdict has: a hang is a deadlock, a stray write is to the heap.
void read_older_message(verdict::Verdict& verdict);

}  // namespace haruspex::store
