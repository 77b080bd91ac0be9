#pragma once

#include <compare>
#include <set>
#include <string>

#include "generators/case/case.h"
#include "reports/triage/symptom.h"

// By what two minimised cases are known for the same bug.
namespace haruspex::bugs {

struct Fingerprint {
    triage::Symptom symptom;
    // What the case still needs to show it (reports/campaign/features.h): the kinds of directives, tail strategies,
    // operators, types, accesses, updates, … Nothing of names, numbers and how often.
    std::set<std::string> features;
    bool operator==(const Fingerprint&) const = default;
    auto operator<=>(const Fingerprint&) const = default;
};

// The case is one of which nothing can be taken without losing the symptom (reports/minimize).
Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom);

// Whether two cases go wrong in the same pass, or show the same where no pass is known.
bool goes_wrong_alike(const triage::Symptom& a, const triage::Symptom& b);

// Whether a finding is taken for another one of a bug: it goes wrong alike, and needs all that the bug needs.
//
// Why so. One fault shows as a wrong value, as an access out of bounds or as a race, by the accident of sizes; and what
// is minimised may end in a larger program that none of the minimiser's steps makes smaller. A pass has several faults,
// which need different things: neither kinds of directives alone nor what the trouble is tell them apart. Of 40 mutants
// of the lowering, each minimised alone, this takes 8 for another one of them; symptom and directives alone would
// take 11.
bool is_another(const Fingerprint& finding, const Fingerprint& bug);

// The kinds of directives among the features.
std::set<std::string> directives(const Fingerprint& fingerprint);

}  // namespace haruspex::bugs
