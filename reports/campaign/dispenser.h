#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "reports/campaign/campaign.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

using Clock = std::chrono::steady_clock;

// Which index comes next, and whether any does: this process's share of the campaign.
class Dispenser {
public:
    Dispenser(const Options& options, store::Database& database, Clock::time_point begin);

    // Nothing when there is none to be had now.
    [[nodiscard]] Result<std::optional<std::uint64_t>> next(bool stop);
    // There are no more.
    void close() { is_closed_ = true; }

    // Whether other processes still work on cases that this one was asked for: next() has more should one of them end.
    bool may_have_more(bool stop) const { return others_at_work_ && !has_ended(stop); }
    // next() asks the database once, and again after this.
    void look_again() { is_dry_ = false; }
    // Whether all was done: all cases that were asked for, or as long as was asked for.
    [[nodiscard]] Result<bool> is_complete() const;

private:
    bool is_time_up() const { return options_.time && Clock::now() - begin_ >= *options_.time; }
    bool has_ended(bool stop) const { return stop || is_closed_ || is_time_up(); }

    const Options& options_;
    store::Database& database_;
    Clock::time_point begin_;
    std::uint64_t past_;
    store::Range range_;
    bool is_closed_ = false, is_dry_ = false, others_at_work_ = false;
};

}  // namespace haruspex::campaign
