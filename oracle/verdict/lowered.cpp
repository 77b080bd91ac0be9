#include "oracle/verdict/lowered.h"

#include <array>

#include "generators/base/assignments.h"
#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"

namespace haruspex::verdict {
namespace {

constexpr std::array all_states{LoweredState::unknown, LoweredState::too_large, LoweredState::equal,
                                LoweredState::differs, LoweredState::troubled,  LoweredState::overflows,
                                LoweredState::refuses, LoweredState::malformed};
constexpr std::array all_reasons{NotRun::nothing_lowered, NotRun::untranslated,    NotRun::free_variable,
                                 NotRun::long_text,       NotRun::slow_to_compile, NotRun::steps,
                                 NotRun::parameters,      NotRun::regions};

bool is_translated(NotRun reason) {
    return reason != NotRun::untranslated && reason != NotRun::free_variable && reason != NotRun::long_text;
}

// ": `f[x] := in0[x]` at x = 10, y = 3"
std::string place(const LoweredOutcome& lowered) {
    if (lowered.statement.empty()) { return {}; }
    const std::string text = ": `" + lowered.statement + "`";
    return lowered.position.empty() ? text : text + " at " + assignments(lowered.position);
}

}  // namespace

std::string_view name(LoweredState state) {
    switch (state) {
        case LoweredState::unknown: return "unknown";
        case LoweredState::too_large: return "too_large";
        case LoweredState::equal: return "equal";
        case LoweredState::differs: return "differs";
        case LoweredState::troubled: return "troubled";
        case LoweredState::overflows: return "overflows";
        case LoweredState::refuses: return "refuses";
        case LoweredState::malformed: return "malformed";
    }
    raise_internal_error(__FILE__, __LINE__, "no such state");
}

std::optional<LoweredState> parse_lowered_state(std::string_view text) { return enumerator_named(all_states, text); }

std::string_view name(NotRun reason) {
    switch (reason) {
        case NotRun::nothing_lowered: return "nothing_lowered";
        case NotRun::untranslated: return "untranslated";
        case NotRun::free_variable: return "free_variable";
        case NotRun::long_text: return "long_text";
        case NotRun::slow_to_compile: return "slow_to_compile";
        case NotRun::steps: return "steps";
        case NotRun::parameters: return "parameters";
        case NotRun::regions: return "regions";
    }
    raise_internal_error(__FILE__, __LINE__, "no such reason");
}

std::optional<NotRun> parse_not_run(std::string_view text) { return enumerator_named(all_reasons, text); }

bool is_not_run(const LoweredOutcome& lowered) {
    const bool is_unknown = lowered.state == LoweredState::unknown || lowered.state == LoweredState::too_large;
    return is_unknown && (!lowered.not_run || is_translated(*lowered.not_run));
}

std::string to_string(const LoweredOutcome& lowered) {
    switch (lowered.state) {
        case LoweredState::unknown:
        case LoweredState::too_large: return (is_not_run(lowered) ? "not run: " : "unsupported: ") + lowered.detail;
        case LoweredState::malformed: return "malformed: " + lowered.detail;
        case LoweredState::equal: return "agrees";
        case LoweredState::differs:
        case LoweredState::overflows: return lowered.detail;
        case LoweredState::refuses: return lowered.detail + place(lowered);
        case LoweredState::troubled: {
            const std::string kind = lowered.trouble ? std::string(name(*lowered.trouble)) + ": " : "";
            return kind + lowered.detail + place(lowered);
        }
    }
    raise_internal_error(__FILE__, __LINE__, "no such state");
}

}  // namespace haruspex::verdict
