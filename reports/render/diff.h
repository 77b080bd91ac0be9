#pragma once

#include <cstddef>
#include <string>

namespace haruspex::render {

// Compares two texts line by line. Returns the hunks of a unified diff without their headings: " same", "-gone",
// "+new", and "⋮" between hunks. Lines that differ only in indentation count as equal, because removing a loop indents
// its body anew. Shows `context` unchanged lines around each change. Counts the lines beyond `most_lines` instead of
// showing them, and cuts lines of more than 200 bytes. Empty if nothing differs.
std::string diff(const std::string& before, const std::string& after, std::size_t context = 3,
                 std::size_t most_lines = 80);

// Returns the first `most_lines` lines of the text, and the number of lines that follow. Cuts long lines, too.
std::string beginning(const std::string& text, std::size_t most_lines);

}  // namespace haruspex::render
