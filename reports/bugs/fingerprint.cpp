#include "reports/bugs/fingerprint.h"

#include "reports/campaign/features.h"

namespace haruspex::bugs {

Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom) {
    return {symptom, campaign::features(minimised)};
}

std::set<std::string> directives(const Fingerprint& fingerprint) {
    std::set<std::string> kinds;
    for (const std::string& feature : fingerprint.features) {
        if (feature.starts_with("directive:")) { kinds.insert(feature); }
    }
    return kinds;
}

}  // namespace haruspex::bugs
