#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/verdict/difference.h"
#include "oracle/verdict/trouble.h"

// The outcome of the interpreted lowered program, compared with the specification.
namespace haruspex::verdict {

enum class LoweredState : std::uint8_t {
    unknown,    // it was not run: NotRun says why
    too_large,  // likewise: it is larger than we examine
    equal,      // every requested cell is right
    differs,    // a requested cell is wrong
    troubled,   // it does something that no program may (TroubleKind), or leaves a requested cell unwritten
    overflows,  // a requested cell is Undef where the specification is defined
    refuses,    // an assertion fails
    malformed,  // our translation did not produce a SCHED program
};
std::string_view name(LoweredState state);  // "unknown", …
std::optional<LoweredState> parse_lowered_state(std::string_view name);

// The reason why a lowered program was not run.
enum class NotRun : std::uint8_t {
    nothing_lowered,
    untranslated,     // it uses a feature without a translation
    free_variable,    // it uses a name that it does not define
    long_text,        // it is longer than we parse
    slow_to_compile,  // it is too long to compile, and code generation reached its limit
    steps,            // it needs more steps than its budget
    parameters,       // one of its parameters has no value
    regions,          // the regions of its inputs are unknown
};
std::string_view name(NotRun reason);  // "nothing_lowered", …
std::optional<NotRun> parse_not_run(std::string_view name);

struct LoweredOutcome {
    LoweredState state = LoweredState::unknown;
    std::optional<NotRun> not_run;       // if it is unknown or too large
    std::optional<TroubleKind> trouble;  // if it is troubled, except by an unwritten cell
    // For people, without the statement and its position: "reads in0[10], which is out of bounds [0, 10)".
    std::string detail;
    std::string statement;  // headline of the statement in trouble, or of the one that refuses
    std::vector<std::pair<std::string, std::int64_t>> position{};  // of the loops' variables there, outermost first
    std::string error{};  // of a refusal: its name in the compiler's run-time system, if it has one
    // Set if it differs, overflows, or leaves a cell unwritten. Not kept in a verdict, which has a difference of its
    // own.
    std::optional<Difference> difference{};
    bool operator==(const LoweredOutcome&) const = default;
};

// Whether it was not run, and not because a translation is missing.
bool is_not_run(const LoweredOutcome& lowered);
// Whether the program was interpreted, and every requested cell is right.
inline bool is_right(const std::optional<LoweredOutcome>& lowered) {
    return lowered && lowered->state == LoweredState::equal;
}

// One line: "out_of_bounds_read: reads in0[10], which is out of bounds [0, 10): `f[x] := in0[x]` at x = 10".
std::string to_string(const LoweredOutcome& lowered);

}  // namespace haruspex::verdict
