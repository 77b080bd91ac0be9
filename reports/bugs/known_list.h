#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/versions.h"
#include "reports/render/table.h"

// The known bugs of a folder for a reader: how many there are, and in which versions of the compiler each lives.
namespace haruspex::bugs {

struct CompilerCount {
    std::string compiler;
    Count count;
    bool operator==(const CompilerCount&) const = default;
};

// Counts the bugs of each compiler, sorted by its name. What is documented is not a bug, and is not counted, nor is one that
// is the same as another.
std::vector<CompilerCount> count_bugs(const std::vector<Known>& known);
// Returns "68 bugs in NAME: 60 live in 14, 41 in 19 and 39 in 21 (2 not known); versions not known: 1".
std::string to_string(const CompilerCount& count);

// Returns a row for each bug: its name with the status unless it is open, a column for each version, and what is known
// upstream.
render::Table table_of(const std::vector<Known>& known);
// Returns the same in Markdown, with links to the reports and upstream, for a file in the folder of the bugs.
std::string markdown(const std::vector<Known>& known);

}  // namespace haruspex::bugs
