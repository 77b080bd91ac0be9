#pragma once

#include <chrono>

#include "reports/campaign/campaign.h"

namespace haruspex::cli {

// Progress, a campaign's for example, on standard error: one line that is written over on a terminal, a line every ten
// seconds elsewhere.
class StatusLine {
public:
    StatusLine();
    void show(const campaign::Progress& progress);
    void show(std::string text, std::chrono::seconds elapsed);
    // Leaves the terminal's line.
    void finish();

private:
    bool terminal_;
    bool shown_ = false;
    std::chrono::seconds last_{0};
};

// "1:02:03", "0:31"
std::string clock(std::chrono::seconds time);
// "312 cases, 14.2/s, wrong_result 2, rejected 9, 0:31 left"
std::string to_string(const campaign::Progress& progress);

}  // namespace haruspex::cli
