#pragma once

#include <compare>
#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/schedule/language.h"
#include "reports/minimize/minimizer.h"
#include "reports/triage/symptom.h"

// The rules by which two minimised cases count as one bug. Below, "trouble" is Symptom::sign: a wrong value, a race, a
// signal, an error message, …
namespace haruspex::bugs {

struct Fingerprint {
    triage::Symptom symptom;
    // The features of the case (reports/triage/features.h): kinds of directives and choices in them, operators, types,
    // accesses, updates, … Names, numbers and repetitions are not features.
    std::set<std::string> features;
    // Bugs of different compilers never count as one bug.
    std::string compiler{schedule::compilers().front()};
    bool operator==(const Fingerprint&) const = default;
    auto operator<=>(const Fingerprint&) const = default;
};

// Returns the fingerprint of a case from which nothing can be removed without losing the symptom (reports/minimize).
// The features of any other case may include some that its symptom does not need.
Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom);

// Whether a finding goes wrong where a bug does: in the same pass, in an interval of passes that contains the bug's, or in
// what may be the same failed check (triage::may_be_one_check); if too little is told of it to name its place
// (names_place), in a pass of its own (is_in_a_pass).
// If the compiler itself fails in either case, class and trouble must also be equal. If the finding's pass is unknown,
// only class and trouble are compared.
bool goes_wrong_alike(const triage::Symptom& finding, const triage::Symptom& bug, const triage::PassOrder& order = {});

// Whether a finding counts as another case of a bug. Both should be minimised. A finding that is a race, an access out
// of bounds or an overflow should be minimised to a wrong value, if possible (triage::shows_plainly). The finding
// counts if
//   - it goes wrong where the bug does (goes_wrong_alike),
//   - both show the same trouble, or the finding is a race of parallel loops where the bug gives a wrong value, and
//   - the finding has every feature that the bug needs, and at most two more, not counting the parallel loop of such a
//     race. If the budget ended the finding's minimisation, the finding may have any number of additional features.
//
// Reasons: minimisation may end in a program that is larger than necessary, because no step makes it smaller. One pass
// may have several faults, which need different features; neither the kinds of directives nor the trouble alone tells
// these faults apart. If the pass is known, two kinds of features do not count (needs() in the source): those that the
// minimiser puts in place of others, such as "op:+", and those that only say how a cell is addressed. Addressing does
// not count, because a program that must access several rows can do so in many ways, and minimisation may end in any of
// them. Measured on 39 mutants of the lowering, each minimised alone, this rule mistakes 8 for another one of the 39.
//
// Two exceptions:
//   - Two failures of the compiler with the same message in the same pass of the lowering come from one place in its
//     code, like two crashes with the same stack, unless it is a failed check of which too little is told (names_place). Then it suffices that the two cases share one schedule feature, other
//     than the plain ones that a minimised case may have for lack of a plainer one (schedule::Trait::is_plain).
//   - Two hangs of the compiler with the same symptom count as one bug if the budget ended the finding's minimisation:
//     nothing is known that tells them apart.
bool is_another(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {},
                minimize::Ending ending = minimize::Ending::fixpoint);

// Whether a finding is the minimised case of a bug, or that case with one more feature: the symptoms are equal (a pass
// that runs twice counts as one pass), and the finding has all features of the bug and at most one other. Only features
// that count for is_another are compared. The limit is one, since every additional feature makes it likelier that the
// case shows another bug.
bool is_nearly(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {});

// Whether a finding has what a known bug needs: class and trouble are those of `cover`, the finding's passes lie within
// those of `cover` (or overlap with them, if both are one failed check that names its place), and the finding has every feature of `cover`; without these the bug cannot show. latent_bug and
// wrong_lowering count as one class: the native behaviour of a wrong lowered program is an accident. Another bug may
// need the same features and more (needs_beyond).
bool is_covered(const Fingerprint& finding, const Fingerprint& cover, const triage::PassOrder& order = {});

// Returns the features of a finding that count for is_another and that are not in `seen`.
std::set<std::string> needs_beyond(const Fingerprint& finding, const std::set<std::string>& seen);

// Whether both symptoms are internal errors in a pass (is_in_a_pass) that tell the place in the compiler's code: by equal
// messages, or by what both tell of the check that failed (names_place).
bool tells_place(const triage::Symptom& finding, const triage::Symptom& bug);

// Whether the symptom names a place of its own in the compiler: passes of the lowering, not all those before the first
// observable one, nor code generation.
bool is_in_a_pass(const triage::Symptom& symptom);

// Whether the bug that `later` shows may be a consequence of the fault in `smaller`: both lowered programs are wrong,
// `smaller` goes wrong in an earlier pass, and `later` has every feature that `smaller` needs. A directive that only
// gives a tensor memory does not count as needed.
bool may_come_of(const Fingerprint& later, const Fingerprint& smaller, const triage::PassOrder& order);

// Returns the kinds of directives among the features.
std::set<std::string> directives(const Fingerprint& fingerprint);

}  // namespace haruspex::bugs
