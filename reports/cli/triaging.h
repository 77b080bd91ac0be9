#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign's folder, found with the installed compiler.
namespace haruspex::cli {

// The known bugs of a folder; none when its name is empty.
[[nodiscard]] Result<std::vector<bugs::Known>> known_in(const std::string& folder);

// Minimises within the budget of the options and tells on standard error which group it is at. May follow a campaign in
// the same process: it reads what the campaign has left on disk.
[[nodiscard]] Result<std::vector<bugs::Bug>> bugs_of(const std::string& campaign, const std::vector<bugs::Known>& known,
                                                     bugs::Options options);

// Prints the bugs that somebody should look at, smallest first, and writes an issue for each into the folder, unless
// its name is empty. How many there are.
[[nodiscard]] Result<std::size_t> show_bugs(const std::vector<bugs::Bug>& found, const std::vector<bugs::Known>& known,
                                            const std::string& folder);

}  // namespace haruspex::cli
