#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/verdict/difference.h"
#include "oracle/verdict/trouble.h"

// What the lowered program does when it is interpreted, against the specification.
namespace haruspex::verdict {

enum class LoweredState : std::uint8_t {
    unknown,    // it was not run: NotRun says why
    too_large,  // likewise, because it is larger than we look at
    equal,      // every requested cell is right
    differs,    // one is not
    troubled,   // it does something that no program may (TroubleKind), or leaves a requested cell without a value
    overflows,  // a requested cell is Undef, where the specification is defined
    refuses,    // an assertion fails
    malformed,  // what our translation wrote is no program of SCHED
};
std::string_view name(LoweredState state);  // "unknown", …
std::optional<LoweredState> parse_lowered_state(std::string_view name);

// Why a lowered program was not run.
enum class NotRun : std::uint8_t {
    nothing_lowered,
    untranslated,     // it uses what has no translation
    free_variable,    // it uses a name that it does not define
    long_text,        // it is longer than anybody reads
    slow_to_compile,  // generating code for it came to its limit, of which nobody expects anything else
    steps,            // it needs more of them than it is given
    parameters,       // one of its own has no value
    regions,          // what it reads of its inputs is not known
};
std::string_view name(NotRun reason);  // "nothing_lowered", …
std::optional<NotRun> parse_not_run(std::string_view name);

struct LoweredOutcome {
    LoweredState state = LoweredState::unknown;
    std::optional<NotRun> not_run;       // where it is unknown or too large
    std::optional<TroubleKind> trouble;  // where it is in trouble, but for a cell without a value
    // For people, without the statement and its position: "reads in0[10], which is out of bounds [0, 10)".
    std::string detail;
    std::string statement;                                         // of a trouble or a refusal: its headline
    std::vector<std::pair<std::string, std::int64_t>> position{};  // of the same: the loops' variables, outermost first
    std::string error{};                     // of a refusal: the run-time system's name for it, if it has one
    std::optional<Difference> difference{};  // where it differs, overflows, or leaves a cell without a value
    bool operator==(const LoweredOutcome&) const = default;
};

// Whether it has a translation, and was not run.
bool is_not_run(const LoweredOutcome& lowered);
// Of one that was asked for: whether every requested cell is right.
inline bool is_right(const std::optional<LoweredOutcome>& lowered) {
    return lowered && lowered->state == LoweredState::equal;
}

// One line: "out_of_bounds_read: reads in0[10], which is out of bounds [0, 10): `f[x] := in0[x]` at x = 10".
std::string to_string(const LoweredOutcome& lowered);

}  // namespace haruspex::verdict
