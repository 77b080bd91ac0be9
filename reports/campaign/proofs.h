#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/verdict/verdict.h"

// The validator's table: what it makes of all cases that the compiler compiled.
//
//   for all sizes    and of how many parameters no bound is known: "0", "1", "2 or more"
//   when P           the same, for the sizes of which the program asserts more than the specification assumes
//   at its sizes     validated there alone, and why not for all: "undecided: evaluation"
//   refuted          "at its sizes", "at other sizes"; always confirmed by an interpreter
//   undecided, unsupported   at its sizes, and for all; and why at its sizes
//   time limit       of the compiler, when the program was lowered for the validator
//   not asked        what could not be put to it: the verdict's class
//   unsound          validated, and wrong
namespace haruspex::campaign {

// By row, "at its sizes: undecided: evaluation", the cases in it.
using Rows = std::map<std::string, std::vector<std::uint64_t>>;
// By what the rows begin with and their reason, how many cases are in each.
using Proofs = std::map<std::string, std::map<std::string, std::uint64_t>>;

// The case's row; nothing when the compiler did not compile it. `unbounded` parameters have no bound
// (pipeline::unbounded_parameters).
std::optional<std::string> row_of(const verdict::Verdict& verdict, std::size_t unbounded);

// With this before it a row is one of the case's features, as which it is kept.
inline constexpr std::string_view row_feature = "proof:";

Proofs proofs_of(const Rows& rows);

struct ProofTotals {
    std::uint64_t compiled = 0;
    std::uint64_t decided = 0;       // validated or refuted
    std::uint64_t false_alarms = 0;  // refuted for all sizes, and right at the counterexample's
    std::uint64_t unsound = 0;
};
ProofTotals totals_of(const Proofs& proofs);

// The table, rows in the order above, with shares of all cases that the compiler compiled; the last two lines have
// shares of what they name.
std::string to_table(const Proofs& proofs);

}  // namespace haruspex::campaign
