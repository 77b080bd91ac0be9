#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "reports/bugs/groups.h"
#include "reports/campaign/campaign.h"
#include "reports/campaign/status_page.h"

namespace haruspex::cli {

// Shows progress, such as a campaign's, on standard error: on a terminal one line that is overwritten, elsewhere a line
// every ten seconds.
class StatusLine {
public:
    enum class Kind {
        fitting,  // one line on a terminal that takes control sequences, lines elsewhere
        lines,    // lines everywhere
    };
    explicit StatusLine(Kind kind = Kind::fitting);
    void show(const campaign::Progress& progress);
    void show(std::string text, std::chrono::seconds elapsed);
    // Erases the line on the terminal.
    void finish();

private:
    bool terminal_;
    bool shown_ = false;
    std::chrono::seconds last_{0};
};

// Notes that one of `count` groups of findings was examined.
void note_group(std::size_t number, std::size_t count, const bugs::Group& group);

using campaign::clock;
// Returns progress as "312 cases, 14.2/s, wrong_result 2, rejected 9, 0:31 left".
std::string to_string(const campaign::Progress& progress);

}  // namespace haruspex::cli
