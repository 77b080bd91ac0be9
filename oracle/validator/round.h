#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/smt/query.h"
#include "oracle/validator/verdict.h"

namespace haruspex::validator {

// An obligation that is not shown.
struct Failure {
    std::size_t judgement = 0;  // its position
    Obligation obligation;
    std::vector<std::pair<isl::set, std::optional<smt::Model>>> places;  // where it may be violated
    bool is_exhausted = false;                                           // its budget was spent
    bool is_searched = false;                                            // a counterexample was searched for, in vain
};

// A round of a validation: the obligations of one evaluation, as far as they are judged. If writes turn out to be
// garbage, the program is evaluated anew, and a further round judges the obligations that then result.
struct Round {
    int number = 1;
    std::vector<Judgement> judgements;  // one for each obligation, in the order of the text
    std::vector<Failure> failures;
    std::map<Rung, std::uint64_t> by_rung;
    bool regroups_sums = false;             // something is shown for sums in any order only
    int exhausted = 0;                      // obligations whose budget was spent
    std::uint64_t queries = 0, rlimit = 0;  // the solver's work, in the rounds before as well

    // The round after this one: nothing is judged yet.
    Round next() const;
    // Lists the obligations that are to be judged.
    void list(const std::vector<Obligation>& obligations);
    void record(const Obligation& obligation, const Discharge& discharge, std::size_t position);
};

// Cuts off what is too long for a message.
std::string shortened(std::string text);

}  // namespace haruspex::validator
