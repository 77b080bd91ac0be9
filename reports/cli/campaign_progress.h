#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "reports/campaign/campaign.h"
#include "reports/cli/screen.h"
#include "reports/cli/status_line.h"

// The progress of a campaign on standard error.
namespace haruspex::cli {

enum class ProgressKind {
    plain,   // a line every ten seconds
    screen,  // one page, drawn over again
    none,
};
// The kind with this name, "plain", "screen" or "none"; without a name a page on a terminal that takes control sequences,
// and lines elsewhere.
ProgressKind progress_kind(const std::optional<std::string>& name);

class CampaignProgress {
public:
    explicit CampaignProgress(ProgressKind kind);
    void show(const campaign::Progress& progress);
    // Removes the page.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    void draw(const campaign::Progress& progress);

    ProgressKind kind_;
    StatusLine line_;
    Screen screen_;
    std::optional<campaign::Status> status_;  // as it was read last
    Clock::time_point next_drawing_, next_reading_;
};

}  // namespace haruspex::cli
