#pragma once

#include <set>
#include <string>

#include "oracle/verdict/verdict.h"
#include "reports/minimize/minimizer.h"
#include "reports/triage/features.h"

// Findings that cost nothing to examine: a case shows one if it has certain features.
namespace haruspex::test {

inline verdict::Verdict finding(verdict::Class cls) {
    verdict::Verdict verdict;
    verdict.cls = cls;
    return verdict;
}

// Wrong code if both features occur, a crash if only the first one does.
inline session::Judge mentions(std::string first, std::string second) {
    return [first = std::move(first), second = std::move(second)](const cases::Case& c) {
        const std::set<std::string> features = triage::features(c);
        if (!features.contains(first)) { return finding(verdict::Class::agrees); }
        return finding(features.contains(second) ? verdict::Class::wrong_code : verdict::Class::program_crash);
    };
}

}  // namespace haruspex::test
