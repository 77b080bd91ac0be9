#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/render/table.h"

// The known bugs of a folder for a reader: how many there are, and in which versions of the compiler each lives.
namespace haruspex::bugs {

struct InVersion {
    std::string version;
    std::size_t living = 0;
    std::size_t unknown = 0;  // bugs that other versions are known of, but not this one
    bool operator==(const InVersion&) const = default;
};

struct Count {
    std::string compiler;
    std::size_t bugs = 0;
    std::vector<InVersion> versions;  // the oldest first
    std::size_t untried = 0;          // bugs of which no version is known
    bool operator==(const Count&) const = default;
};

// Counts the bugs of each compiler, sorted by its name. What is documented is not a bug, and is not counted, nor is one that
// is the same as another.
std::vector<Count> count_bugs(const std::vector<Known>& known);
// Returns "68 bugs in NAME: 60 live in 14, 41 in 19 and 39 in 21 (2 not known); versions not known: 1".
std::string to_string(const Count& count);

// Returns a row for each bug: its name with the status unless it is open, a column for each version, and what is known
// upstream.
render::Table table_of(const std::vector<Known>& known);
// Returns the same in Markdown, with links to the reports and upstream, for a file in the folder of the bugs.
std::string markdown(const std::vector<Known>& known);

}  // namespace haruspex::bugs
