#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/syntax.h"

// What a compiler's documentation asks of a schedule, and who notices when it is not met.
namespace haruspex::schedule {

enum class Judgement : std::uint8_t {
    // The compiler checks the rule itself: it refuses the schedule when it compiles, or the directive has no effect
    // there. If it accepts a schedule that is refused here, it has proved more than our model does, and every error is
    // the compiler's own.
    compiler,
    // The program checks the rule when it runs: refusing to run is documented, and every other error is the compiler's
    // own.
    program,
    // The rule is not checked, or not in every case: the program may compute something else than the algorithm says,
    // and no error is the compiler's fault.
    nobody,
};

struct BrokenRule {
    std::string_view rule;  // its name in the compiler's table: "constant_extent"
    Judgement judgement = Judgement::compiler;
    std::string_view asks;      // its demand, as the end of a sentence: "that a loop … has a constant extent"
    std::size_t directive = 0;  // index in the schedule: the directive without which the rule would not be broken
    bool operator==(const BrokenRule&) const = default;
};
using BrokenRules = std::vector<BrokenRule>;

// Rules by their names.
using RuleNames = std::set<std::string_view>;
RuleNames rules_in(const BrokenRules& broken);

// A name in a directive that does not exist.
struct UnknownName {
    std::size_t directive = 0;  // index in the schedule
    std::string words;          // "\"f\": there is no loop over \"q\""
};
// "directive 2, f.unroll(q): …"; `directive` is its text.
std::string located(const UnknownName& unknown, std::string_view directive);

// A condition on the sizes under which a schedule is documented to work. Within these sizes a run-time error is a
// finding (over-rejection); outside them it is documented behaviour.
struct SizeRule {
    sare::Condition condition;  // over the parameters
    std::size_t directive;      // index in the schedule
    std::string reason;         // "RoundUp on an output: extent of x is a multiple of 8"
    // Whether the schedule may also work for other sizes: the tensor is computed in a loop and the rule covers all its
    // required cells instead of those of one iteration; or the rule covers more than the required cells; or its
    // condition is sufficient but not necessary.
    bool may_be_too_strict = false;
    bool operator==(const SizeRule&) const = default;
};

}  // namespace haruspex::schedule
