#include "reports/cli/campaign_progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "reports/campaign/status_page.h"

namespace haruspex::cli {
namespace {

constexpr std::chrono::seconds interval{1};
// Reading the status takes longer the more cases there are: at most a hundredth of the time is spent on it.
constexpr int reading_share = 100;

}  // namespace

ProgressKind progress_kind(const std::optional<std::string>& name) {
    if (name) {
        return *name == "screen" ? ProgressKind::screen : *name == "none" ? ProgressKind::none : ProgressKind::plain;
    }
    return takes_control_sequences(stderr) ? ProgressKind::screen : ProgressKind::plain;
}

CampaignProgress::CampaignProgress(ProgressKind kind) : kind_(kind), line_(StatusLine::Kind::lines), screen_(stderr) {}

void CampaignProgress::show(const campaign::Progress& progress) {
    if (kind_ == ProgressKind::plain) { line_.show(progress); }
    if (kind_ == ProgressKind::screen) { draw(progress); }
}

void CampaignProgress::draw(const campaign::Progress& progress) {
    const auto now = Clock::now();
    if (now < next_drawing_) { return; }
    next_drawing_ = now + interval;
    if (now >= next_reading_) {
        // Without an answer the one before stands: what counts is written and checked elsewhere.
        if (auto status = progress.status()) { status_ = std::move(*status); }
        const auto end = Clock::now();
        next_reading_ = end + std::max<Clock::duration>(interval, reading_share * (end - now));
    }
    if (!status_) { return; }
    // What this process knows without reading.
    status_->glance.cases = progress.done;
    status_->glance.by_class = progress.by_class;
    if (status_->processes <= 1) {
        status_->processes = 1;
        status_->at_work = {progress.live};
    }
    const TerminalSize room = screen_.room();
    screen_.draw(campaign::page_of(*status_, room.width, room.height));
}

void CampaignProgress::finish() { screen_.erase(); }

}  // namespace haruspex::cli
