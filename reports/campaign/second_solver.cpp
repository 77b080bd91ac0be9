#include "reports/campaign/second_solver.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/numbers.h"

namespace haruspex::campaign {
namespace {

constexpr std::string_view prefix = "second solver:";

using Count = std::uint64_t CrossCheckTotals::*;
constexpr std::array<std::pair<std::string_view, Count>, 4> counts{{{"agreed", &CrossCheckTotals::agreed},
                                                                    {"undecided", &CrossCheckTotals::undecided},
                                                                    {"unanswered", &CrossCheckTotals::unanswered},
                                                                    {"contradicted", &CrossCheckTotals::contradicted}}};

}  // namespace

void add_cross_checks(const smt::CrossChecks& checks, store::Record& record) {
    const CrossCheckTotals totals{checks.agreed, checks.undecided, checks.unanswered, checks.contradictions.size()};
    for (const auto& [word, count] : counts) {
        if (totals.*count > 0) { record.features.insert(fmt::format("{}{} {}", prefix, word, totals.*count)); }
    }
    std::size_t number = 0;
    for (const smt::Contradiction& contradiction : checks.contradictions) {
        record.attachments[fmt::format("contradiction-{}.smt2", ++number)] = file_of(contradiction);
    }
}

CrossCheckTotals cross_check_totals(const std::map<std::string, std::uint64_t>& features) {
    CrossCheckTotals totals;
    for (const auto& [feature, cases] : features) {
        if (!feature.starts_with(prefix)) { continue; }
        const std::string_view text = std::string_view(feature).substr(prefix.size());
        for (const auto& [word, count] : counts) {
            if (!text.starts_with(word)) { continue; }
            const auto number = parse_number<std::uint64_t>(text.substr(word.size() + 1));
            ENSURE(number.has_value(), "a feature of the second solver ends in a number: " + feature);
            totals.*count += *number * cases;
        }
    }
    return totals;
}

std::string to_line(const CrossCheckTotals& totals) {
    return fmt::format("queries checked by cvc5: {}; {} agreed, {} undecided, {} unanswered, {} contradicted",
                       totals.checked(), totals.agreed, totals.undecided, totals.unanswered, totals.contradicted);
}

}  // namespace haruspex::campaign
