#pragma once

#include <compare>
#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/schedule/language.h"
#include "reports/minimize/minimizer.h"
#include "reports/triage/symptom.h"

// The rules by which two minimised cases count as one bug.
namespace haruspex::bugs {

struct Fingerprint {
    triage::Symptom symptom;
    // The features that the case still has (reports/triage/features.h): kinds of directives and choices in them,
    // operators, types, accesses, updates, … Names, numbers and repetitions do not count.
    std::set<std::string> features;
    // Two bugs of different compilers are never one.
    std::string compiler{schedule::compilers().front()};
    bool operator==(const Fingerprint&) const = default;
    auto operator<=>(const Fingerprint&) const = default;
};

// Expects a case from which nothing can be removed without losing the symptom (reports/minimize).
Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom);

// Whether a finding goes wrong where a bug does: in the same pass, or in an interval that holds it. If the compiler
// itself fails, class and trouble must also be equal. If the finding's pass is unknown, class and trouble alone decide.
bool goes_wrong_alike(const triage::Symptom& finding, const triage::Symptom& bug, const triage::PassOrder& order = {});

// Whether a finding counts as another case of a bug: it goes wrong alike, shows the same trouble (or a race of parallel
// loops where the bug, in the same pass, gives a wrong value), and has every feature that the bug needs. Both must be
// minimised, and made plainer where possible (triage::shows_plainly). If minimisation of the finding reached a
// fixpoint, it may have at most two more features, besides the parallel loop of a race. If the budget ended it, it may
// have any number.
//
// Reasons: minimisation may end in a larger program that none of its steps makes smaller. A pass has several faults,
// which need different features: neither the kinds of directives nor the trouble alone tell them apart. Where the pass
// is known, plain features and those that only say how cells are addressed do not count (needs() in the source): there
// are many ways to reach a second row of memory, and the minimiser ends in one or another. Of 39 mutants of the
// lowering, each minimised alone, this rule takes 8 for another one of them.
// A compiler that fails with the same message in the same pass of the lowering fails at the same place of its code, as
// two crashes with one stack do: such findings need only share a feature of their schedules that is not plain. Two hangs with
// the same symptom count as one if the budget ended the finding's minimisation: nothing is known to tell them apart.
bool is_another(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {},
                minimize::Ending ending = minimize::Ending::fixpoint);

// Whether a finding is the minimised case of a bug, or that case with one feature more: the symptom is the same (a pass
// that runs twice is one pass), and of the features that count for is_another it has all of the bug's and at most one
// other. There are more ways to a larger case, and every additional feature makes another bug likelier.
bool is_nearly(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {});

// Whether a finding is covered by a known bug: it shows the trouble of `cover`, in that pass or interval or within it,
// and its case has all features without which the bug cannot show. latent_bug and wrong_lowering count as one class:
// the native behaviour of a wrong lowered program is an accident.
bool is_covered(const Fingerprint& finding, const Fingerprint& cover, const triage::PassOrder& order = {});

// Whether `later` may be a consequence of the fault in `smaller`: both are wrong lowerings, `smaller` fails in an
// earlier pass, and `later` has every feature that `smaller` needs. A directive that only gives a tensor memory does
// not count.
bool may_come_of(const Fingerprint& later, const Fingerprint& smaller, const triage::PassOrder& order);

// The kinds of directives among the features.
std::set<std::string> directives(const Fingerprint& fingerprint);

}  // namespace haruspex::bugs
