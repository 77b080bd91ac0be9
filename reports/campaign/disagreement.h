#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/campaign/proofs.h"
#include "reports/session/answer.h"
#include "reports/triage/symptom.h"

// Compares what two builds make of one case. The build `before` is the one compared with, `now` the one under review.
namespace haruspex::campaign {

// The facts of an answer that are compared: whether the case is refused, the class, for a failure the pass and the kind
// of trouble, otherwise whether the lowered program is known to be right, and the proof's result and scope. Messages,
// cells and values are not compared.
struct Standing {
    bool is_refused = false;  // by haruspex or by the compiler
    verdict::Class cls = verdict::Class::agrees;
    std::optional<triage::Symptom> symptom;  // of a failure, except bad_case and harness_failure
    bool is_lowered_right = false;           // the lowered program was interpreted, and is right
    std::optional<Row> proof;                // if the case was compiled
    verdict::Verdict verdict;                // if the case is not refused by haruspex
};
Standing standing(const cases::Case& c, const session::Answer& answer);
// Whether it is a finding, or a fault of haruspex itself.
bool is_failure(const Standing& standing);

enum class Disagreement : std::uint8_t {
    // Worse now:
    new_finding,    // a failure now, and none before
    other_finding,  // a failure both times, of another class, in another pass, or with another kind of trouble
    refused_now,    // refused now, and neither refused nor a failure before
    proof_lost,     // less of it is decided now, or the two proofs contradict each other
    // Better now:
    mended,        // a failure before, and none now
    accepted_now,  // refused before, and neither refused nor a failure now
    proof_won,     // more of it is decided now
    // Neither:
    judged_otherwise,  // another class, or the lowered program is known to be right in one build only; no failure now,
                       // nor before, unless what is judged now does not exclude that one (triage::excludes)
};
inline constexpr std::array disagreements{
    Disagreement::new_finding, Disagreement::other_finding, Disagreement::refused_now, Disagreement::proof_lost,
    Disagreement::mended,      Disagreement::accepted_now,  Disagreement::proof_won,   Disagreement::judged_otherwise};
std::string_view name(Disagreement disagreement);  // "new finding", …
std::optional<Disagreement> parse_disagreement(std::string_view name);
Change change(Disagreement disagreement);

// Returns how the answers disagree; nullopt if they do not. Passes are compared only if the two compilers have the same.
//
// Two failures are the same if class, pass and trouble are equal. What the native run makes of a lowered program in
// trouble is an accident: latent_bug and wrong_lowering are then the same. A failure that only the interpreted program or
// the validator shows is not mended where that has no answer. Of rows of the validator's table only those
// differ of which one decides more.
std::optional<Disagreement> disagreement(const Standing& before, const Standing& now, bool has_same_passes);

// Returns a standing for people: "wrong_lowering value (simplify, unroll_loops]", "agrees; validated for all sizes",
// "refused: …", "rejected: …".
std::string in_words(const cases::Case& c, const session::Answer& answer);

}  // namespace haruspex::campaign
