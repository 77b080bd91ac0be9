#pragma once

#include <compare>
#include <set>
#include <string>

#include "generators/case/case.h"
#include "reports/minimize/minimizer.h"
#include "reports/triage/symptom.h"

// By what two minimised cases are known for the same bug.
namespace haruspex::bugs {

struct Fingerprint {
    triage::Symptom symptom;
    // What the case still needs to show it (reports/triage/features.h): the kinds of directives, tail strategies,
    // operators, types, accesses, updates, … Nothing of names, numbers and how often.
    std::set<std::string> features;
    bool operator==(const Fingerprint&) const = default;
    auto operator<=>(const Fingerprint&) const = default;
};

// The case is one of which nothing can be taken without losing the symptom (reports/minimize).
Fingerprint fingerprint(const cases::Case& minimised, const triage::Symptom& symptom);

// Whether a case goes wrong where a bug does: in the same pass, or in an interval that holds it; where the case's is
// not known, or the compiler itself fails, whether they show the same.
bool goes_wrong_alike(const triage::Symptom& finding, const triage::Symptom& bug, const triage::PassOrder& order = {});

// Whether a finding is taken for another one of a bug: it goes wrong alike, shows the same trouble (or a race of
// parallel loops where the bug, in the same pass, gives a wrong value), and needs all that the bug needs. Both are
// minimised, and what could become plainer has (triage::shows_plainly). When minimisation of the finding came to its
// end, what it needs is hardly more: at most two features beside the parallel loop of a race; what is left of one that
// the budget ended may have any number.
//
// Why so. What is minimised may end in a larger program that none of the minimiser's steps makes smaller. A pass has
// several faults, which need different things: neither kinds of directives alone nor what the trouble is tell them
// apart. Where the pass is known, what is plain or only says how cells are addressed (needs() in the source) does not
// count: there are many ways to a second row of memory, and the minimiser ends in one or another. Of 39 mutants of the
// lowering, each minimised alone, this takes 8 for another one of them.
// A compiler that fails in the same words in the same pass of the lowering fails at the same place of its code, as two
// crashes do of one stack: there they need only have a kind of directive or a tail strategy in common. And of one that
// comes to a limit, with a case that the budget left as it was, nothing is known that would tell it from another one.
bool is_another(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {},
                minimize::Ending ending = minimize::Ending::fixpoint);

// Whether a finding is the minimised case of a bug again, or that with one feature more: the same symptom (a pass that
// runs twice is one pass), and what the bug needs and at most one thing beside it, of what counts for is_another. There
// are more ways to a larger case, and with every feature more another bug is likelier.
bool is_nearly(const Fingerprint& finding, const Fingerprint& bug, const triage::PassOrder& order = {});

// Whether a finding is one of what a known bug covers: its trouble, in that pass or interval or within it, by whichever
// class of what a wrong lowered program does (what it does natively is an accident), of a case that has all the
// features that the bug cannot show without.
bool is_covered(const Fingerprint& finding, const Fingerprint& cover, const triage::PassOrder& order = {});

// Whether what `later` shows may come of a fault that a smaller case shows: both are programs that are lowered wrongly,
// that one in an earlier pass, and it needs nothing that the case of `later` does not need; but that it computes a
// tensor at the root, which is the plainest way to memory.
bool may_come_of(const Fingerprint& later, const Fingerprint& smaller, const triage::PassOrder& order);

// The kinds of directives among the features.
std::set<std::string> directives(const Fingerprint& fingerprint);

}  // namespace haruspex::bugs
