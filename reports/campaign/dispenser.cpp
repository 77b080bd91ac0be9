#include "reports/campaign/dispenser.h"

#include <algorithm>

namespace haruspex::campaign {
namespace {

// Long enough that the database is rarely queried, and short enough that processes which share a campaign end together.
constexpr std::uint64_t range_length = 16;

}  // namespace

Dispenser::Dispenser(const Options& options, store::Database& database, Clock::time_point begin)
    : options_(options), database_(database), begin_(begin) {
    const std::uint64_t most = store::largest_index - std::min(options.first, store::largest_index);
    past_ = options.first + std::min(options.cases.value_or(most), most);
}

Result<std::optional<std::uint64_t>> Dispenser::next(bool stop) {
    if (has_ended(stop)) { return std::nullopt; }
    if (range_.first == range_.past) {
        if (is_dry_) { return std::nullopt; }
        const auto offer = database_.take(past_, range_length);
        if (!offer) { return fail(offer.error()); }
        others_at_work_ = offer->others_at_work;
        is_dry_ = !offer->range;
        if (is_dry_) { return std::nullopt; }
        range_ = *offer->range;
    }
    return range_.first++;
}

Result<bool> Dispenser::is_complete() const {
    if (is_closed_ || is_time_up()) { return true; }
    return options_.cases ? database_.is_done(past_) : false;
}

}  // namespace haruspex::campaign
