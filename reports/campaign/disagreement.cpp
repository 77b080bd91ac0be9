#include "reports/campaign/disagreement.h"

#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"
#include "reports/triage/exclusion.h"
#include "reports/triage/signature.h"

namespace haruspex::campaign {
namespace {

using verdict::Class;
using verdict::Outcome;

// The strongest proof, if there is any.
const verdict::Validation* proof_of(const verdict::Verdict& verdict) {
    if (has_outcome(verdict.all_sizes, Outcome::validated)) { return &*verdict.all_sizes; }
    return has_outcome(verdict.own_sizes, Outcome::validated) ? &*verdict.own_sizes : nullptr;
}

// Whether what the native run makes of the lowered program is an accident.
bool is_accident(const Standing& standing) {
    const bool is_shown = standing.symptom->cls == Class::latent_bug || standing.symptom->cls == Class::wrong_lowering;
    const auto& lowered = standing.verdict.lowered;
    return is_shown && lowered && lowered->state == verdict::LoweredState::troubled;
}

bool is_same_failure(const Standing& before, const Standing& now, bool has_same_passes) {
    if (!before.symptom || !now.symptom) { return before.cls == now.cls && !before.symptom && !now.symptom; }
    const triage::Symptom &then = *before.symptom, &at_present = *now.symptom;
    const bool is_same_class = then.cls == at_present.cls || (is_accident(before) && is_accident(now));
    return is_same_class && then.sign == at_present.sign && (!has_same_passes || then.pass == at_present.pass);
}

// How much a proof claims of floats, and of inputs. As much as possible if there is none.
int strength(const verdict::Verdict& verdict) {
    const verdict::Validation* proof = proof_of(verdict);
    if (proof == nullptr) { return 3; }
    if (proof->needs_fitting_sums) { return -1; }
    switch (proof->floats) {
        case verdict::Floats::ieee: return 3;
        case verdict::Floats::numbers: return 2;
        case verdict::Floats::abstract: return 1;
        case verdict::Floats::real: return 0;
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

Change change_of_proof(const Standing& before, const Standing& now) {
    if (const Change rows = change(before.proof, now.proof); rows != Change::other) { return rows; }
    if (before.proof != now.proof) { return Change::other; }
    const int more = strength(now.verdict) - strength(before.verdict);
    return more > 0 ? Change::better : more < 0 ? Change::worse : Change::other;
}

}  // namespace

Standing standing(const cases::Case& c, const session::Answer& answer) {
    Standing standing;
    if (!answer.verdict) {
        standing.is_refused = true;
        return standing;
    }
    const verdict::Verdict& verdict = *answer.verdict;
    standing.verdict = verdict;
    standing.cls = verdict.cls;
    standing.is_refused = verdict.cls == Class::rejected;
    standing.symptom = triage::symptom(c, verdict);
    standing.is_lowered_right = verdict::is_right(verdict.lowered);
    if (!verdict.own_sizes && !verdict.all_sizes) { return standing; }
    // Both builds count the parameters of the same case.
    constexpr std::size_t parameters = 0;
    standing.proof = row_of(verdict, parameters);
    return standing;
}

bool is_failure(const Standing& standing) {
    return !standing.is_refused && (verdict::is_finding(standing.cls) || verdict::is_own_fault(standing.cls));
}

std::string_view name(Disagreement disagreement) {
    switch (disagreement) {
        case Disagreement::new_finding: return "new finding";
        case Disagreement::other_finding: return "other finding";
        case Disagreement::refused_now: return "refused now";
        case Disagreement::proof_lost: return "proof lost";
        case Disagreement::mended: return "mended";
        case Disagreement::accepted_now: return "accepted now";
        case Disagreement::proof_won: return "proof won";
        case Disagreement::judged_otherwise: return "judged otherwise";
    }
    raise_internal_error(__FILE__, __LINE__, "no such disagreement");
}

std::optional<Disagreement> parse_disagreement(std::string_view text) { return enumerator_named(disagreements, text); }

Change change(Disagreement disagreement) {
    switch (disagreement) {
        case Disagreement::new_finding:
        case Disagreement::other_finding:
        case Disagreement::refused_now:
        case Disagreement::proof_lost: return Change::worse;
        case Disagreement::mended:
        case Disagreement::accepted_now:
        case Disagreement::proof_won: return Change::better;
        case Disagreement::judged_otherwise: return Change::other;
    }
    raise_internal_error(__FILE__, __LINE__, "no such disagreement");
}

std::optional<Disagreement> disagreement(const Standing& before, const Standing& now, bool has_same_passes) {
    if (is_failure(now) && !is_failure(before)) { return Disagreement::new_finding; }
    if (is_failure(before) && !is_failure(now)) {
        const bool is_open =
            !now.is_refused && now.cls == Class::agrees && !triage::excludes(now.verdict, before.verdict);
        return is_open ? Disagreement::judged_otherwise : Disagreement::mended;
    }
    if (is_failure(now) && !is_same_failure(before, now, has_same_passes)) { return Disagreement::other_finding; }
    if (before.is_refused != now.is_refused) {
        return now.is_refused ? Disagreement::refused_now : Disagreement::accepted_now;
    }
    if (now.is_refused) { return std::nullopt; }
    switch (change_of_proof(before, now)) {
        case Change::worse: return Disagreement::proof_lost;
        case Change::better: return Disagreement::proof_won;
        case Change::other: break;
    }
    const bool is_same = is_failure(now) || (before.cls == now.cls && before.is_lowered_right == now.is_lowered_right);
    return is_same ? std::nullopt : std::optional(Disagreement::judged_otherwise);
}

std::string in_words(const cases::Case& c, const session::Answer& answer) {
    if (!answer.verdict) { return "refused: " + answer.refusal.substr(0, answer.refusal.find('\n')); }
    const verdict::Verdict& verdict = *answer.verdict;
    const auto symptom = triage::symptom(c, verdict);
    std::string text = symptom ? triage::to_string(*symptom) : std::string(verdict::name(verdict.cls));
    if (verdict.cls == Class::rejected) { text += ": " + triage::normalise_message(verdict.message); }
    const bool is_open = verdict.cls == Class::agrees && verdict.lowered && !verdict::is_right(verdict.lowered);
    if (is_open) { text += "; lowered program: " + verdict::to_string(*verdict.lowered); }
    const verdict::Validation* proof = proof_of(verdict);
    const auto& said = verdict.all_sizes ? verdict.all_sizes : verdict.own_sizes;
    if (proof != nullptr) { return text + "; " + verdict::to_string(*proof); }
    return said ? text + "; " + verdict::summary(*said) : text;
}

}  // namespace haruspex::campaign
