#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/verdict/verdict.h"

// The validator's table: the results for all cases that the compiler compiled. A row is a result and, after a colon, a
// reason:
//
//   result                  meaning                                             reason
//   for all sizes           validated for all sizes                             number of parameters without a known
//                                                                               bound: "0", "1", "2 or more"
//   when P                  validated for sizes that meet P, which the program  the same
//                           asserts beyond the specification's assumptions,
//                           or as long as no partial sum overflows
//   at its sizes            validated for the case's sizes only                 why no proof for all sizes:
//                                                                               "undecided: evaluation"
//   refuted                 refuted, and confirmed by an interpreter            "at its sizes" or "at other sizes"
//   undecided, unsupported  neither proved nor refuted                          why no proof at its sizes; "refuted,
//                                                                               not confirmed" for all sizes
//   time limit              the compiler exceeded its limit when it lowered
//                           the program for the validator
//   not asked               the program could not be put to the validator       the verdict's class
//   unsound                 validated, and yet wrong
namespace haruspex::campaign {

// In the order of their names, which is the order of rows in files.
enum class Proof : std::uint8_t {
    own_sizes,
    all_sizes,
    not_asked,
    refuted,
    time_limit,
    undecided,
    unsound,
    unsupported,
    conditional,
};
std::string_view name(Proof proof);  // "at its sizes", …

struct Row {
    Proof result = Proof::not_asked;
    std::string reason;           // for people; may be empty
    bool is_false_alarm = false;  // refuted for all sizes, but right at the counterexample's sizes
    auto operator<=>(const Row&) const = default;
};
Row refuted_at_other_sizes();
// "at its sizes: undecided: evaluation", "undecided (false alarm): refuted, not confirmed".
std::string to_string(const Row& row);
// Reads what to_string writes; nullopt for everything else.
std::optional<Row> parse_row(std::string_view text);

// The cases in each row.
using Rows = std::map<Row, std::vector<std::uint64_t>>;

// Returns the case's row; nullopt if the compiler did not compile the case. `unbounded` is the number of parameters
// without a bound (pipeline::unbounded_parameters).
std::optional<Row> row_of(const verdict::Verdict& verdict, std::size_t unbounded);

// How a case fares when its row is another one: `better` if more is decided, `worse` if less is or the two rows
// contradict each other, else `other`. No row: the case was not compiled.
enum class Change : std::uint8_t { worse, better, other };
std::string_view name(Change change);  // "worse", …
Change change(const std::optional<Row>& before, const std::optional<Row>& now);

// A row is kept as a feature of the case: to_string behind this prefix.
inline constexpr std::string_view row_feature = "proof:";

struct ProofTotals {
    std::uint64_t compiled = 0;
    std::uint64_t decided = 0;       // validated or refuted
    std::uint64_t false_alarms = 0;  // refuted for all sizes, but right at the counterexample's sizes
    std::uint64_t unsound = 0;
};
ProofTotals totals_of(const Rows& rows);

// Returns the table, its results in the order above. Shares are of all compiled cases; those in the last two lines are
// of the cases that the line names.
std::string to_table(const Rows& rows);

}  // namespace haruspex::campaign
