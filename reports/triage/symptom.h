#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/triage/pass_order.h"

// The symptom of a finding stays the same while its case is made smaller: it says what is wrong and where, and nothing
// about the program that shows it. Two cases with the same symptom are taken for two cases of one bug.
//
//   shown by                 cls                            pass      sign
//   a lowered program        wrong_lowering or latent_bug   interval  "value", or the interpreter's trouble:
//                                                                     "out_of_bounds_read", "read_write_race", …
//   its overflow             introduced_overflow            interval  "value"
//   its run-time error       over_rejection                 interval  the run-time system's name for it, or its message
//   the validator alone      refuted_lowering,              interval  the validator's summary: "refuted: value"
//                            unsound_validator
//   an internal error        compiler_internal_error        interval  its message (normalise_message in signature.h)
//   a compiler crash         compiler_crash                 interval  signal, phase, whether lowering was done
//   a compiler limit         compiler_hang,                 –         limit, phase, whether lowering was done
//                            compiler_out_of_memory
//   a program crash          program_crash                  –         signal
//   a program hang           program_hang                   –         "deadlock" or "limit"
//   another native result    wrong_code, wrong_result,      –         –
//                            nondeterminism, stray_write,
//                            program_out_of_memory
//   a fault of ours          translation_fault              interval  "value" or trouble
//
// Reasons: the native behaviour of a wrong lowered program is an accident. Garbage beyond a buffer is a wrong value,
// differs between two runs, or lies on a guard page. So `wrong_lowering` stands for every native class that a lowered
// program explains; the interpreter's finding and the pass that first shows it stay. But a result that is wrong
// natively must not become one that is right (latent_bug): the report of the former has a program that shows it by
// running. Nothing about a wrong value lasts: which cell is wrong, what it holds, and whether that was ever written all
// depend on everything (a read from a wrong place may give garbage in one case and an older value in another).
// Warnings that a compiler gives before a program dies are not part of how it died.
namespace haruspex::triage {

struct WrongValue {
    bool operator==(const WrongValue&) const = default;
    auto operator<=>(const WrongValue&) const = default;
};
// The last column: nothing, a wrong value, the interpreter's trouble, or a text that is compared as a whole.
using Sign = std::variant<std::monostate, WrongValue, verdict::TroubleKind, std::string>;
// "", "value", "out_of_bounds_read", "signal 11 in compile", and back.
std::string to_string(const Sign& sign);
Sign parse_sign(std::string_view text);

struct Symptom {
    verdict::Class cls = verdict::Class::agrees;
    std::optional<verdict::PassInterval> pass;
    Sign sign;
    bool operator==(const Symptom&) const = default;
    // Compares the texts.
    std::strong_ordering operator<=>(const Symptom& other) const;
};

// Whether a case with the symptom `found` still shows the bug of a case with the symptom `sought`. The symptoms must be
// equal, with two exceptions: a latent bug may show natively, and the interval may lie within the one sought
// (PassOrder::holds). The passes of a large program may be too long to be interpreted, so that its interval holds
// nearly all of them.
bool still_shows(const Symptom& found, const Symptom& sought, const PassOrder& order = {});

// Whether `found` locates the fault that `sought` shows. Only the compiled code of `sought` was run, not its lowered
// program (too large, or nothing is known of its inputs). The case of `found` does the same natively, and its lowered
// program was run.
bool locates(const verdict::Verdict& found, const verdict::Verdict& sought);

// Whether a case with the symptom `found` shows the fault of `sought`, equally (still_shows) or more plainly. More
// plainly means: the same pass gives a wrong value, which cannot be called harmless, instead of a race, an access out
// of bounds or an overflow, which parallel loops, sizes and inputs make of one fault or another. This holds only for
// lowered programs of which some pass is known to be right: the passes before the first observable one have so many
// faults that one would be taken for another. A race is excepted: without its parallel loop it is the same program.
bool shows_plainly(const Symptom& found, const Symptom& sought, const PassOrder& order = {});
// Whether no symptom would show the fault more plainly, or the symptom is not a lowered program's.
bool is_plain(const Symptom& symptom);

// Whether the symptom is a race of the lowered program.
bool is_race(const Symptom& symptom);

// Returns nullopt if the verdict is neither a finding nor a fault of ours that the case causes.
std::optional<Symptom> symptom(const cases::Case& c, const verdict::Verdict& verdict);
// "wrong_lowering value (unroll_loops, vectorize_loops]"
std::string to_string(const Symptom& symptom);

}  // namespace haruspex::triage
