#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "reports/campaign/options.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

using Clock = std::chrono::steady_clock;

// Gives out the indices of the cases that this process does.
class Dispenser {
public:
    Dispenser(const Options& options, store::Database& database, Clock::time_point begin);

    // Returns the next index; nullopt if none is available at the moment. With `stop`, always nullopt.
    [[nodiscard]] Result<std::optional<std::uint64_t>> next(bool stop);
    // Makes next() give out no more indices.
    void close() { is_closed_ = true; }

    // Whether next() may return more indices later, although it found none: another process had taken cases below this
    // process's limit. When such a process ends, the cases that it has not done become available.
    bool may_have_more(bool stop) const { return others_at_work_ && !has_ended(stop); }
    // Makes next() query the database again, after it found nothing there.
    void look_again() { is_dry_ = false; }
    // Whether all requested cases are done, the time is up, or the dispenser was closed.
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
