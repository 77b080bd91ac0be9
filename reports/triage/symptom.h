#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/triage/pass_order.h"

// What of a finding stays the same while its case is made smaller: the part of its signature that says what is wrong
// and where, and nothing of the program that shows it. Two cases of one symptom are taken for two cases of one bug.
//
//   shown by                 cls                            pass      sign
//   a lowered program        wrong_lowering or latent_bug   interval  "value", or the interpreter's trouble:
//                                                                     "out_of_bounds_read", "read_write_race", …
//   its overflow             introduced_overflow            interval  "value"
//   an error as it runs      over_rejection                 interval  the run-time system's name for it, or its words
//   the validator alone      refuted_lowering,              interval  what it says: "refuted: value"
//                            unsound_validator
//   a compiler's own error   compiler_internal_error        interval  its words (normalise_message in signature.h)
//   a compiler's crash       compiler_crash                 interval  signal, phase, whether lowering was done
//   its other deaths         compiler_hang, …               –         limit, phase, whether lowering was done
//   a program's death        program_crash, …               –         signal
//   a program without end    program_hang                   –         "deadlock" or "limit"
//   wrong native code        wrong_code, wrong_result,      –         –
//                            nondeterminism, stray_write
//   a fault of ours          translation_fault              interval  "value" or trouble
//
// Why so. What a wrong lowered program does natively is an accident: garbage beyond a buffer is a wrong value, differs
// between two runs, or lies on a guard page. So `wrong_lowering` stands for every native class that a lowered program
// explains, and what the interpreter finds and the pass that first shows it stay. But a result that is wrong natively
// does not become one that is right (latent_bug): the report of the former has a program that shows it by running. A
// wrong value tells nothing that lasts: which cell it is and what is in it, also whether that was ever written (what is
// read from a wrong place may be garbage here and an older value there), depend on everything.
// Warnings that a compiler gives before a program dies are no part of how it died.
namespace haruspex::triage {

struct WrongValue {
    bool operator==(const WrongValue&) const = default;
    auto operator<=>(const WrongValue&) const = default;
};
// The last column: nothing, that a value is wrong, the interpreter's trouble, or words that are compared whole.
using Sign = std::variant<std::monostate, WrongValue, verdict::TroubleKind, std::string>;
// "", "value", "out_of_bounds_read", "signal 11 in compile", and back.
std::string to_string(const Sign& sign);
Sign parse_sign(std::string_view text);

struct Symptom {
    verdict::Class cls = verdict::Class::agrees;
    std::optional<verdict::PassInterval> pass;
    Sign sign;
    bool operator==(const Symptom&) const = default;
    // By their texts.
    std::strong_ordering operator<=>(const Symptom& other) const;
};

// Whether a case of the symptom `found` still shows the bug of a case of the symptom `sought`: they are equal, or what
// was latent shows natively too, or where it goes wrong is known better: in an interval within the one sought
// (PassOrder::holds). The passes of a large program may be too long to be interpreted, so that its interval holds
// nearly all of them.
bool still_shows(const Symptom& found, const Symptom& sought, const PassOrder& order = {});

// Whether `found` tells where what `sought` shows goes wrong: of that, compiled code alone was looked at, because the
// lowered program was not run (it is too large, or nothing is known of its inputs); and `found` is of a case that does
// the same natively and whose lowered program was run.
bool locates(const verdict::Verdict& found, const verdict::Verdict& sought);

// Whether a case of the symptom `found` shows the fault of one that is `sought`, as that or more plainly: what goes
// wrong in the same pass gives a wrong value, of which nobody can say that it is harmless, in the place of a race, an
// access out of bounds or an overflow, which parallel loops, sizes and inputs make of one fault or another. Only of
// lowered programs of which some pass is known to be right: the passes before the first that can be observed have
// faults enough that one would be taken for another. But a race may come from any: what is left of it without its
// parallel loop is the same program. False for all others.
bool shows_plainly(const Symptom& found, const Symptom& sought, const PassOrder& order = {});
// Whether nothing would show it more plainly, or it is none of a lowered program.
bool is_plain(const Symptom& symptom);

// Whether it is a race of the lowered program.
bool is_race(const Symptom& symptom);

// Nothing when the verdict is no finding, or a fault of ours that is not the case's doing.
std::optional<Symptom> symptom(const cases::Case& c, const verdict::Verdict& verdict);
// "wrong_lowering value (unroll_loops, vectorize_loops]"
std::string to_string(const Symptom& symptom);

}  // namespace haruspex::triage
