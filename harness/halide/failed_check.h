#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generators/base/failed_check.h"

// What an internal error of Halide's tells of the check that failed. Each version words it differently:
//
//   14  Internal Error at F:L triggered by user code at : Condition failed: C: W
//   19  Internal Error at F:L Condition failed: C: W
//   21  Error: W, or, if it is asked to debug, Internal Error at F:L Condition failed: C Error: W
//
// without "Condition failed: …" for a check that has no condition. F is the path of a source file, L a line, C the
// condition as it stands in the source, W the words that the check adds, if any. Words may go on to quote the program: "Codegen
// of Expr (uint32x2)widening_mul(…".
namespace haruspex::halide {

// A place in the source of Halide. Halide 21 asks before it composes a message whether to begin with this place
// (check_place.h).
struct CheckPlace {
    std::string file;  // as the compiler of Halide knows it: "/build/halide-21.0.0/src/Prefetch.cpp"
    std::string function;
    int line = 0;
};

// Returns what the text of an internal error tells, and the place, if it is known and the text has none. The file is
// without its directory; a function that is called "visit" is not told. The words are normalised as a message
// (harness/compiler/message.h), and end before the first parenthesis, bracket or brace.
FailedCheck failed_check(std::string_view text, const std::optional<CheckPlace>& place = {});

// Returns the text with "?" in quotes for each word that has bytes which no text has: names that Halide reads from memory
// that it has freed, and that differ from run to run.
std::string readable(std::string_view text);

// Returns the text that Halide would have given had it been asked to debug, as far as that is known: "Internal Error at F:L
// Error: W". A text that has a place stays as it is.
std::string with_place(const std::string& text, const std::optional<CheckPlace>& place);

}  // namespace haruspex::halide
