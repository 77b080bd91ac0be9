#pragma once

#include <cstddef>
#include <string>

namespace haruspex::render {

// What differs between two texts, line by line, as the hunks of a unified diff without their headings: " same",
// "-gone",
// "+new", "⋮" between hunks. Lines that differ in their indentation only are the same: to leave a loop out indents all
// that is in it anew. `context` lines stand around each change; what goes beyond `most_lines` is counted instead of
// shown, and lines of more than 200 bytes are cut. Empty when nothing differs.
std::string diff(const std::string& before, const std::string& after, std::size_t context = 3,
                 std::size_t most_lines = 80);

// The text, or its beginning and how many lines follow; long lines are cut, too.
std::string beginning(const std::string& text, std::size_t most_lines);

}  // namespace haruspex::render
