#include "reports/campaign/options.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/numbers.h"
#include "reports/store/database.h"

namespace haruspex::campaign {
namespace {

// The number of cases of `whole` before part `number`, counted from 0: the first parts are the longer ones.
std::uint64_t cases_before(std::uint64_t whole, std::uint64_t number, std::uint64_t count) {
    return number * (whole / count) + std::min(number, whole % count);
}

}  // namespace

std::string to_string(const Shard& shard) { return std::to_string(shard.number) + "/" + std::to_string(shard.count); }

Result<Shard> parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash != text.npos) {
        const auto number = parse_number<std::uint64_t>(text.substr(0, slash));
        const auto count = parse_number<std::uint64_t>(text.substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) { return Shard{*number, *count}; }
    }
    return fail("expected a shard I/N with 1 <= I <= N, such as 3/8, found \"" + std::string(text) + "\"");
}

Options part_of(Options options) {
    if (!options.shard) { return options; }
    ENSURE(options.cases.has_value(), "a campaign in shards has a number of cases");
    const std::uint64_t whole = std::min(*options.cases, store::largest_index - options.first);
    const auto [number, count] = *options.shard;
    const std::uint64_t before = cases_before(whole, number - 1, count);
    options.first += before;
    options.cases = cases_before(whole, number, count) - before;
    return options;
}

}  // namespace haruspex::campaign
