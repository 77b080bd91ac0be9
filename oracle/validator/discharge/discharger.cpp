#include "oracle/validator/discharge/discharger.h"

#include <algorithm>
#include <utility>

namespace haruspex::validator {
namespace {

constexpr std::uint64_t outline_share = 12;  // an outline gets an obligation's operations divided by this
constexpr std::uint64_t patient_share = 3;   // the same where nothing else shows the obligation
constexpr std::uint64_t reads_of_share = 8;  // reads of memory for each share: with many, all but outlines is hopeless
constexpr int most_lost_outlines = 3;        // each of which halves the share of later outlines
constexpr std::uint64_t hopeless_share = 8;  // the same for an obligation, when there can be no proof any more

Discharge shown(Rung rung) {
    Discharge discharge;
    discharge.rung = rung;
    return discharge;
}

}  // namespace

Discharge Discharger::discharge(const Obligation& obligation, const Ladder& ladder, bool is_hopeless) {
    // An outline that shows nothing should cost little, and less after others cost too much.
    const int lost = std::min(lost_outlines_, most_lost_outlines);
    const bool was_patient = is_patient_;
    const Outlined first = outlined(obligation, ladder, was_patient ? patient_share : outline_share << lost);
    if (first.rung) { return shown(*first.rung); }
    lost_outlines_ += first.is_exhausted ? 1 : 0;
    is_patient_ = is_patient_ && !first.is_exhausted;
    const Discharge found = resolved(obligation, ladder, is_hopeless);
    if (!found.exhausted || !first.is_exhausted || was_patient || is_hopeless) { return found; }
    // An obligation that costs this much may be of a kind that outlines show with patience; then more of its kind will
    // come.
    const Outlined again = outlined(obligation, ladder, patient_share);
    is_patient_ = again.rung.has_value();
    return again.rung ? shown(*again.rung) : found;
}

Discharger::Outlined Discharger::outlined(const Obligation& obligation, const Ladder& ladder, std::uint64_t part) {
    const std::uint64_t reads = obligation.outline ? obligation.outline->reads : 0;
    const std::uint64_t operations =
        std::min(budgets_.obligation_share(1),
                 budgets_.obligation_share(part) * std::max<std::uint64_t>(reads / reads_of_share, 1));
    const auto found = budgets_.for_at_most(operations, [&] {
        return shows_outline(obligation, specification_, templates_, ladder, solvers_, &sampling_);
    });
    return found ? Outlined{*found, false} : Outlined{std::nullopt, true};
}

Discharge Discharger::resolved(const Obligation& obligation, const Ladder& ladder, bool is_hopeless) {
    Discharge exhausted;
    exhausted.exhausted = true;
    // The contents of memory are evaluated here, on request: the budget is for both.
    std::uint64_t share = std::min(budgets_.obligation_share(is_hopeless ? hopeless_share : 1), budgets_.left());
    Obligation evaluated = obligation;
    if (obligation.violations) {
        const auto violations = budgets_.from_share(share, [&] { return (*obligation.violations)(); });
        if (!violations) { return exhausted; }
        evaluated.violations = *violations;
    }
    if (obligation.equation) {
        const auto equation = budgets_.from_share(share, [&] { return (*obligation.equation)(); });
        if (!equation) { return exhausted; }
        evaluated.equation = *equation;
    }
    const auto result = budgets_.from_share(share, [&] {
        return validator::discharge(evaluated, specification_, templates_, ladder, solvers_, &sampling_);
    });
    return result ? *result : exhausted;
}

}  // namespace haruspex::validator
