#include "reports/bugs/fingerprint.h"

#include <algorithm>
#include <string_view>

#include "generators/schedule/language.h"
#include "reports/triage/features.h"
#include "reports/triage/forms.h"

namespace haruspex::bugs {

namespace {

using verdict::Class;

using Traits = bool schedule::Trait::*;

// Whether the feature is one of schedules with the trait.
bool has_trait(const Fingerprint& print, const std::string& feature, Traits trait) {
    const auto traits = schedule::language(print.compiler).trait(feature);
    return traits && *traits.*trait;
}

// Whether the feature only says how a cell is addressed, or belongs to the minimiser's plain replacements.
bool is_incidental(const Fingerprint& print, const std::string& feature) {
    static const std::set<std::string, std::less<>> plain{"embed", "op:+", "rank:0", "rank:1"};
    const value::Type plainest = schedule::plain_integer(schedule::language(print.compiler));
    return triage::is_access(feature) || plain.contains(feature) ||
           feature == "type:" + std::string(value::name(plainest)) ||
           has_trait(print, feature, &schedule::Trait::is_plain);
}

// Returns the features that count: all but forms, which are made of others. Without a pass all of these do: a hang says
// little about its origin.
std::set<std::string> needs(const Fingerprint& print) {
    std::set<std::string> needed = print.features;
    std::erase_if(needed, triage::is_form);
    if (print.symptom.pass) {
        std::erase_if(needed, [&](const std::string& feature) { return is_incidental(print, feature); });
    }
    return needed;
}

void erase_with_trait(std::set<std::string>& features, const Fingerprint& print, Traits trait) {
    std::erase_if(features, [&](const std::string& feature) { return has_trait(print, feature, trait); });
}

// Whether the failures have more in common than a failed check of which hardly anything is told.
bool names_check(const triage::Symptom& finding, const triage::Symptom& bug) {
    const auto *one = std::get_if<FailedCheck>(&finding.sign), *other = std::get_if<FailedCheck>(&bug.sign);
    return one == nullptr || other == nullptr || names_place(*one, *other);
}

// Whether both are one failed check, as versions of the compiler tell it. If they tell hardly anything, the pass has to
// say where it is.
bool is_one_check(const triage::Symptom& finding, const triage::Symptom& bug, const triage::PassOrder& order) {
    return triage::may_be_one_check(finding, bug, order) &&
           (names_check(finding, bug) || (is_in_a_pass(finding) && is_in_a_pass(bug)));
}

// Whether the trouble is the same, or the finding is a race of parallel iterations over cells to which the bug gives a
// wrong value when iterations run in order.
bool shows_alike(const Fingerprint& finding, const Fingerprint& bug) {
    if (triage::are_alike(finding.symptom.sign, bug.symptom.sign)) { return true; }
    const bool is_parallel = std::ranges::any_of(finding.features, [&](const std::string& feature) {
        return has_trait(finding, feature, &schedule::Trait::is_parallel);
    });
    const auto& pass = finding.symptom.pass;
    const bool is_localised = pass && !verdict::is_from_source(*pass);
    return triage::is_race(finding.symptom) && is_parallel && is_localised &&
           bug.symptom.sign == triage::Sign(triage::WrongValue{});
}

// Whether the compiler fails with the same message in the same pass, on schedules that share a feature that is not
// plain.
bool fails_at_one_place(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order) {
    const bool is_failure = verdict::is_compiler_failure(finding.symptom.cls) && is_in_a_pass(finding.symptom);
    if (!is_failure || !names_check(finding.symptom, bug.symptom) ||
        !goes_wrong_alike(finding.symptom, bug.symptom, order)) {
        return false;
    }
    return std::ranges::any_of(finding.features, [&](const std::string& feature) {
        const auto trait = schedule::language(finding.compiler).trait(feature);
        return trait && !trait->is_plain && bug.features.contains(feature);
    });
}

// Whether both are hangs of the compiler with the same symptom, and the finding is not minimal: its case may have any
// feature, and may be slow because it has many.
bool hangs_alike(const Fingerprint& finding, const Fingerprint& bug, minimize::Ending ending) {
    return ending == minimize::Ending::budget_spent && finding.symptom.cls == Class::compiler_hang &&
           finding.symptom == bug.symptom;
}

// Whether the compiler produces a program, and the program is wrong.
bool is_lowered_wrongly(const triage::Symptom& symptom) {
    return symptom.cls == Class::wrong_lowering || symptom.cls == Class::latent_bug ||
           symptom.cls == Class::introduced_overflow || symptom.cls == Class::over_rejection;
}

// The native behaviour of a wrong lowered program is an accident.
Class class_of_lowered(const triage::Symptom& symptom) {
    return symptom.cls == Class::latent_bug ? Class::wrong_lowering : symptom.cls;
}

}  // namespace

Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom) {
    return {symptom, triage::features(minimised), minimised.compiler};
}

bool goes_wrong_alike(const triage::Symptom& finding, const triage::Symptom& bug, const triage::PassOrder& order) {
    if (is_one_check(finding, bug, order)) { return true; }
    const bool is_like = finding.cls == bug.cls && finding.sign == bug.sign;
    if (!finding.pass) { return is_like; }
    const bool is_failure = verdict::is_compiler_failure(finding.cls) || verdict::is_compiler_failure(bug.cls);
    return (is_like || !is_failure) && order.holds(finding.pass, bug.pass);
}

bool is_another(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order,
                minimize::Ending ending) {
    if (finding.compiler != bug.compiler) { return false; }
    constexpr std::size_t hardly_more = 2;
    std::set<std::string> has = needs(finding);
    const std::set<std::string> needed = needs(bug);
    // The directive that turns the wrong value into a race does not count.
    if (!triage::are_alike(finding.symptom.sign, bug.symptom.sign)) {
        erase_with_trait(has, finding, &schedule::Trait::is_parallel);
    }
    if (fails_at_one_place(finding, bug, order) || hangs_alike(finding, bug, ending)) { return true; }
    return goes_wrong_alike(finding.symptom, bug.symptom, order) && shows_alike(finding, bug) &&
           std::ranges::includes(has, needed) &&
           (ending == minimize::Ending::budget_spent || has.size() <= needed.size() + hardly_more);
}

bool is_nearly(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order) {
    if (finding.compiler != bug.compiler) { return false; }
    const std::set<std::string> has = needs(finding), needed = needs(bug);
    triage::Symptom there = finding.symptom;
    if (order.are_one(there.pass, bug.symptom.pass)) { there.pass = bug.symptom.pass; }
    const bool is_one = there == bug.symptom || is_one_check(finding.symptom, bug.symptom, order);
    return is_one && has.size() <= needed.size() + 1 && std::ranges::includes(has, needed);
}

bool is_covered(const Fingerprint& finding, const Fingerprint& cover, const triage::PassOrder& order) {
    const triage::Symptom &found = finding.symptom, &sought = cover.symptom;
    const bool shows = class_of_lowered(found) == class_of_lowered(sought) && found.sign == sought.sign &&
                       order.holds(sought.pass, found.pass);
    const bool is_check = is_one_check(found, sought, order) && names_check(found, sought);
    return finding.compiler == cover.compiler && (shows || is_check) &&
           std::ranges::includes(finding.features, cover.features);
}

std::set<std::string> needs_beyond(const Fingerprint& finding, const std::set<std::string>& seen) {
    std::set<std::string> beyond = needs(finding);
    std::erase_if(beyond, [&](const std::string& feature) { return seen.contains(feature); });
    return beyond;
}

bool tells_place(const triage::Symptom& finding, const triage::Symptom& bug) {
    return finding.cls == Class::compiler_internal_error && is_in_a_pass(finding) && names_check(finding, bug);
}

bool is_in_a_pass(const triage::Symptom& symptom) {
    return symptom.pass && !verdict::is_from_source(*symptom.pass) && !verdict::is_code_generation(*symptom.pass);
}

bool may_come_of(const Fingerprint& later, const Fingerprint& smaller, const triage::PassOrder& order) {
    std::set<std::string> needed = needs(smaller);
    erase_with_trait(needed, smaller, &schedule::Trait::is_placement);
    return later.compiler == smaller.compiler && is_lowered_wrongly(later.symptom) &&
           is_lowered_wrongly(smaller.symptom) && order.precedes(smaller.symptom.pass, later.symptom.pass) &&
           std::ranges::includes(needs(later), needed);
}

std::set<std::string> directives(const Fingerprint& fingerprint) {
    std::set<std::string> kinds;
    for (const std::string& feature : fingerprint.features) {
        if (has_trait(fingerprint, feature, &schedule::Trait::is_directive)) { kinds.insert(feature); }
    }
    return kinds;
}

}  // namespace haruspex::bugs
