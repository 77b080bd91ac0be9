#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/syntax.h"

// The rules of a compiler's documentation for schedules, and who notices a broken one.
namespace haruspex::schedule {

enum class Judgement : std::uint8_t {
    // The compiler checks the rule itself: it refuses the schedule when it compiles, or the directive has no effect. If
    // the compiler accepts a schedule that breaks the rule in our model, it has proved more than our model does, and
    // every error is the compiler's own.
    compiler,
    // The compiled program checks the rule when it runs. Its refusal to run is documented; every other error is the
    // compiler's own.
    program,
    // The rule is not checked in every case. The program may compute something else than the algorithm says, and no
    // error is the compiler's fault.
    nobody,
};

struct BrokenRule {
    std::string_view rule;  // the rule's name in the compiler's table: "constant_extent"
    Judgement judgement = Judgement::compiler;
    std::string_view asks;      // the rule's demand, as the end of a sentence: "that a loop … has a constant extent"
    std::size_t directive = 0;  // index in the schedule: the directive without which the rule would not be broken
    bool operator==(const BrokenRule&) const = default;
};
using BrokenRules = std::vector<BrokenRule>;

using RuleNames = std::set<std::string_view>;
RuleNames rules_in(const BrokenRules& broken);

// A directive names something that does not exist.
struct UnknownName {
    std::size_t directive = 0;  // index in the schedule
    std::string words;          // "\"f\": there is no loop over \"q\""
};
// Returns "directive 2, f.unroll(q): …"; `directive` is the directive's text.
std::string located(const UnknownName& unknown, std::string_view directive);

// A condition on the sizes under which a schedule is documented to work. Within these sizes a run-time error is a
// finding (over-rejection); outside them it is documented behaviour.
struct SizeRule {
    sare::Condition condition;  // over the parameters
    std::size_t directive;      // index in the schedule
    std::string reason;         // "RoundUp on an output: extent of x is a multiple of 8"
    // Whether the schedule may also work for other sizes, for one of these reasons: the tensor is computed in a loop,
    // and the rule is about all its required cells instead of those of one iteration; the rule is about more cells than
    // are required; or the condition is sufficient but not necessary.
    bool may_be_too_strict = false;
    bool operator==(const SizeRule&) const = default;
};

}  // namespace haruspex::schedule
