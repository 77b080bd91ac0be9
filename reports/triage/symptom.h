#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "generators/base/failed_check.h"
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
//   an internal error        compiler_internal_error        interval  the check that failed, if the compiler tells it;
//                                                                     else its message (normalise_message)
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
// Reasons: the native behaviour of a wrong lowered program is an accident. Garbage beyond a buffer may show as a wrong
// value, as a difference between two runs, or as an access to a guard page. So `wrong_lowering` stands for every native
// class that the lowered program explains, and the symptom keeps the interpreter's trouble and the pass that first
// shows it. But a case that is wrong natively must not shrink to one that is right natively (latent_bug): only
// the report of a native error has a program that shows the bug by running.
// A wrong value has no further properties in the symptom, since all of them change while the case shrinks: which cell
// is wrong, what it holds, and whether it was ever written. A read from a wrong place may give garbage in one case and
// an older value in another.
// Warnings that the compiler gives before a program dies say nothing about how it died, and are not part of the
// symptom.
namespace haruspex::triage {

struct WrongValue {
    bool operator==(const WrongValue&) const = default;
    auto operator<=>(const WrongValue&) const = default;
};
// The last column of the table: nothing, a wrong value, the interpreter's trouble, a text that is compared as a whole, or
// a check of the compiler, whose words are normalised.
using Sign = std::variant<std::monostate, WrongValue, verdict::TroubleKind, std::string, FailedCheck>;
// Converts a sign to its text: "", "value", "out_of_bounds_read", "signal 11 in compile", and back, unless it is a check.
std::string to_string(const Sign& sign);
Sign parse_sign(std::string_view text);
// Whether the signs are equal, as far as both tell: another version of the compiler may tell less of a failed check.
bool are_alike(const Sign& a, const Sign& b);

struct Symptom {
    verdict::Class cls = verdict::Class::agrees;
    std::optional<verdict::PassInterval> pass;
    Sign sign;
    bool operator==(const Symptom&) const = default;
    // Compares the texts of class, pass and sign, then the sign.
    std::strong_ordering operator<=>(const Symptom& other) const;
};

// Whether both symptoms may be of one failed check in the compiler's code: class and checks are alike, and a pass may lie
// in both intervals. Versions of a compiler differ in what they tell of a check, and in the passes that they show.
bool may_be_one_check(const Symptom& a, const Symptom& b, const PassOrder& order = {});
// Whether a symptom is a failed check.
bool is_check(const Symptom& symptom);

// Whether a case with the symptom `found` still shows the bug of a case with the symptom `sought`. The symptoms must be
// equal, with three exceptions: a latent bug may become a wrong lowering, the interval of `found` may lie within that
// of `sought` (PassOrder::holds), and a failed check need only be that of `sought` as far as both tell. The interval of a large program may hold nearly all passes, because the programs
// after them are too long to be interpreted.
bool still_shows(const Symptom& found, const Symptom& sought, const PassOrder& order = {});

// Whether `found` locates the fault that `sought` shows only natively: the lowered program of `sought` was not
// interpreted (it is too large, or nothing is known of its inputs), that of `found` was, and the compiled code of both
// goes wrong in the same way.
bool locates(const verdict::Verdict& found, const verdict::Verdict& sought);

// Whether a case with the symptom `found` shows the fault of `sought`, equally (still_shows) or more plainly. More
// plainly means that the same pass gives a wrong value instead of a race, an access out of bounds or an overflow. A
// wrong value cannot be called harmless; the others depend on parallel loops, sizes and inputs, and one fault may show
// as any of them. Unless `sought` is a race, its interval must begin with a pass that is known to be right: so many
// faults lie in the passes before the first observable one that different faults would be confused. A race without its
// parallel loop is the same program.
bool shows_plainly(const Symptom& found, const Symptom& sought, const PassOrder& order = {});
// Whether no other symptom shows the fault more plainly: it is a wrong value, or is not due to a wrong lowered program.
bool is_plain(const Symptom& symptom);

// Whether the symptom is a race of the lowered program.
bool is_race(const Symptom& symptom);

// Returns the symptom; nullopt if the verdict is neither a finding nor a fault of ours that the case causes.
std::optional<Symptom> symptom(const cases::Case& c, const verdict::Verdict& verdict);
// Returns the symptom as text, such as "wrong_lowering value (unroll_loops, vectorize_loops]".
std::string to_string(const Symptom& symptom);

}  // namespace haruspex::triage
