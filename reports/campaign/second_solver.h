#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "oracle/smt/solvers.h"
#include "reports/store/record.h"

// What the second solver says of a campaign's queries, kept as features of the cases: "second solver:agreed 3".
namespace haruspex::campaign {

// Adds the counts of a case to its features, and each query on which the solvers contradict each other to the
// attachments: contradiction-1.smt2, ….
void add_cross_checks(const smt::CrossChecks& checks, store::Record& record);

struct CrossCheckTotals {
    std::uint64_t agreed = 0, undecided = 0, unanswered = 0, contradicted = 0;
    std::uint64_t checked() const { return agreed + undecided + unanswered + contradicted; }
    bool operator==(const CrossCheckTotals&) const = default;
};
// Sums over all cases. `features`: how many cases have each.
CrossCheckTotals cross_check_totals(const std::map<std::string, std::uint64_t>& features);

// "queries checked by cvc5: 128; 120 agreed, 8 undecided, 0 unanswered, 0 contradicted"
std::string to_line(const CrossCheckTotals& totals);

}  // namespace haruspex::campaign
