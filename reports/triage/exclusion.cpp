#include "reports/triage/exclusion.h"

namespace haruspex::triage {
namespace {

using verdict::Class;
using verdict::Outcome;

// Whether the validator proves what it refuted before: a proof at the case's own sizes says nothing of others.
bool is_proved(const verdict::Verdict& now, const verdict::Verdict& refuted) {
    const bool is_at_own_sizes = has_outcome(refuted.own_sizes, Outcome::refuted);
    return (has_outcome(now.all_sizes, Outcome::validated) && !now.all_sizes->is_conditional()) ||
           (is_at_own_sizes && has_outcome(now.own_sizes, Outcome::validated));
}

}  // namespace

bool is_by_validator(const verdict::Verdict& verdict) {
    return verdict.cls == Class::refuted_lowering ||
           (verdict.cls == Class::introduced_overflow && verdict::is_right(verdict.lowered));
}

bool excludes(const verdict::Verdict& now, const verdict::Verdict& earlier) {
    if (is_by_validator(earlier)) { return is_proved(now, earlier); }
    const bool is_troubled = earlier.lowered && earlier.lowered->state == verdict::LoweredState::troubled;
    const bool is_of_lowered = is_troubled || earlier.cls == Class::latent_bug ||
                               earlier.cls == Class::introduced_overflow || earlier.cls == Class::translation_fault;
    return !is_of_lowered || verdict::is_right(now.lowered);
}

}  // namespace haruspex::triage
