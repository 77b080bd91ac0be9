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

// The kinds of directives among the features.
std::set<std::string> directives(const Fingerprint& fingerprint);

}  // namespace haruspex::bugs
