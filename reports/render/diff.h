#pragma once

#include <cstddef>
#include <string>

namespace haruspex::render {

// Compares two texts line by line. Returns the hunks of a unified diff without their headings: " same", "-gone",
// "+new", "⋮" between hunks. Lines that differ only in indentation count as equal, because removing a loop indents its
// body anew. `context` lines stand around each change; lines beyond `most_lines` are counted instead of shown, and
// lines of more than 200 bytes are cut. Empty if nothing differs.
std::string diff(const std::string& before, const std::string& after, std::size_t context = 3,
                 std::size_t most_lines = 80);

// Returns the text, or its beginning and the number of lines that follow; long lines are cut, too.
std::string beginning(const std::string& text, std::size_t most_lines);

}  // namespace haruspex::render
