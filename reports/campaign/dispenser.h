#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "reports/campaign/options.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

using Clock = std::chrono::steady_clock;

// Gives out the indices of this process's share of the campaign.
class Dispenser {
public:
    Dispenser(const Options& options, store::Database& database, Clock::time_point begin);

    // Returns nullopt if no index is available now.
    [[nodiscard]] Result<std::optional<std::uint64_t>> next(bool stop);
    // Gives out no more indices from now on.
    void close() { is_closed_ = true; }

    // Whether other processes still work on cases below this process's limit: if one of them ends, next() has more.
    bool may_have_more(bool stop) const { return others_at_work_ && !has_ended(stop); }
    // Lets next() query the database again after it found nothing there.
    void look_again() { is_dry_ = false; }
    // Whether the campaign did all cases that were requested, ran for the requested time, or was closed.
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
