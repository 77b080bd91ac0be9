#include "reports/bugs/fingerprint.h"

#include <algorithm>

#include "reports/campaign/features.h"

namespace haruspex::bugs {

Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom) {
    return {symptom, campaign::features(minimised)};
}

bool goes_wrong_alike(const triage::Symptom& a, const triage::Symptom& b) {
    return a.pass.empty() ? a == b : a.pass == b.pass;
}

bool is_another(const Fingerprint& finding, const Fingerprint& bug) {
    return goes_wrong_alike(finding.symptom, bug.symptom) && std::ranges::includes(finding.features, bug.features);
}

std::set<std::string> directives(const Fingerprint& fingerprint) {
    std::set<std::string> kinds;
    for (const std::string& feature : fingerprint.features) {
        if (feature.starts_with("directive:")) { kinds.insert(feature); }
    }
    return kinds;
}

}  // namespace haruspex::bugs
