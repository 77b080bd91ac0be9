#include "oracle/judge/lowered.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/base/ensure.h"
#include "harness/sched/text.h"
#include "oracle/judge/outputs.h"

namespace haruspex::judge {
namespace {

using verdict::Class;

std::string sentence(const cases::Case& c, const verdict::Difference& difference) {
    return fmt::format("{} is {}, expected {}; {} of {} cells differ", cell_name(c.sare, difference),
                       value::to_string(difference.actual), value::to_string(difference.expected),
                       difference.differing_cells, difference.compared_cells);
}

Class class_beside(Class native, LoweredState lowered) {
    const bool agrees = native == Class::agrees;
    switch (lowered) {
        case LoweredState::unknown:
        case LoweredState::too_large: return native;
        case LoweredState::equal: return native == Class::wrong_result ? Class::wrong_code : native;
        case LoweredState::differs:
            if (native == Class::not_compared) { return native; }
            return agrees ? Class::translation_fault : Class::wrong_lowering;
        case LoweredState::troubled: return native == Class::wrong_result ? Class::wrong_lowering : Class::latent_bug;
        case LoweredState::overflows: return native == Class::not_compared ? native : Class::introduced_overflow;
        case LoweredState::refuses:
        case LoweredState::malformed: return Class::translation_fault;
    }
    ENSURE(false, "a state that is not handled");
    return native;
}

Class class_without_native(bool is_compared, LoweredState lowered, bool breaks_rules) {
    switch (lowered) {
        case LoweredState::unknown:
        case LoweredState::too_large: return Class::not_compared;
        case LoweredState::equal: return is_compared ? Class::agrees : Class::not_compared;
        case LoweredState::differs: return is_compared ? Class::wrong_lowering : Class::not_compared;
        case LoweredState::troubled: return Class::latent_bug;
        case LoweredState::overflows: return is_compared ? Class::introduced_overflow : Class::not_compared;
        case LoweredState::refuses: return breaks_rules ? Class::outside_context : Class::over_rejection;
        case LoweredState::malformed: return Class::translation_fault;
    }
    ENSURE(false, "a state that is not handled");
    return Class::not_compared;
}

// A verdict keeps the difference of the lowered program only if the difference is what was found.
LoweredOutcome without_difference(LoweredOutcome lowered) {
    lowered.difference.reset();
    return lowered;
}

bool came_to_a_limit(const verdict::Verdict& verdict) {
    switch (verdict.cls) {
        case Class::compiler_hang:
        case Class::program_hang:
        case Class::compiler_out_of_memory:
        case Class::program_out_of_memory: return !verdict::is_deadlock(verdict);
        default: return false;
    }
}

}  // namespace

LoweredOutcome unknown_lowered(verdict::NotRun reason, std::string detail) {
    return {LoweredState::unknown, reason, {}, std::move(detail), {}};
}

LoweredOutcome too_large_lowered(verdict::NotRun reason, std::string detail) {
    return {LoweredState::too_large, reason, {}, std::move(detail), {}};
}

LoweredOutcome judge_lowered(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                             const interp::Execution& execution) {
    const auto first = std::ranges::find_if_not(execution.troubles, interp::is_harmless, &interp::Trouble::kind);
    if (first != execution.troubles.end()) {
        if (first->kind == interp::TroubleKind::assertion_failed) {
            return {LoweredState::refuses,
                    {},
                    {},
                    first->what,
                    first->statement,
                    first->position,
                    sched::error_name(first->assertion)};
        }
        return {LoweredState::troubled, {}, first->kind, first->what, first->statement, first->position};
    }
    auto difference = compare_lowered(reference, execution.outputs, equality(c));
    if (!difference) { return {LoweredState::equal, {}, {}, {}, {}}; }
    const LoweredState state = difference->actual.is_undef()    ? LoweredState::overflows
                               : difference->actual.is_uninit() ? LoweredState::troubled
                                                                : LoweredState::differs;
    LoweredOutcome outcome{state, {}, {}, sentence(c, *difference), {}};
    outcome.difference = std::move(difference);
    return outcome;
}

verdict::Verdict combine(verdict::Verdict native, const LoweredOutcome& lowered) {
    native.lowered = without_difference(lowered);
    if (lowered.state == LoweredState::too_large && came_to_a_limit(native)) { native.cls = Class::too_large; }
    const bool is_judged =
        native.cls == Class::agrees || native.cls == Class::wrong_result || native.cls == Class::not_compared;
    if (!is_judged) { return native; }
    const Class before = native.cls;
    native.cls = class_beside(before, lowered.state);
    if (native.cls != before && before != Class::wrong_result) {
        native.message = to_string(lowered);
        native.difference = lowered.difference;
    }
    return native;
}

verdict::Verdict without_native(const cases::Case& c, const LoweredOutcome& lowered,
                                const std::vector<std::string>& excuses) {
    const bool is_compared = c.comparison == cases::Comparison::exact;
    verdict::Verdict verdict;
    verdict.cls = class_without_native(is_compared, lowered.state, !excuses.empty());
    verdict.lowered = without_difference(lowered);
    const bool is_unknown = lowered.state == LoweredState::unknown || lowered.state == LoweredState::too_large;
    if (verdict.cls == Class::not_compared && !is_unknown) {
        verdict.message = "the result cannot be exact; ";
    } else if (verdict.cls != Class::agrees) {
        verdict.message = to_string(lowered) + "; ";
        verdict.difference = lowered.difference;
    }
    if (verdict.cls == Class::outside_context) { verdict.message += "documented: " + excuses.front() + "; "; }
    verdict.message += "native code was not run";
    return verdict;
}

}  // namespace haruspex::judge
