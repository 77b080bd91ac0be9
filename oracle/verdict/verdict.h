#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/failed_check.h"
#include "oracle/verdict/difference.h"
#include "oracle/verdict/lowered.h"
#include "oracle/verdict/pass_interval.h"
#include "oracle/verdict/validation.h"

// The classes of verdicts on a case (oracle/judge decides which applies). Types only.
namespace haruspex::verdict {

enum class Class : std::uint8_t {
    agrees,          // nothing found
    rejected,        // the compiler refused the case with a user error: not judged, counted with its reason
    wrong_result,    // native differs from the reference, and the lowered outcome is unknown
    wrong_lowering,  // native differs, and so does the lowered program
    wrong_code,      // native differs, the lowered program does not: code generation
    latent_bug,  // native agrees, but the lowered program races, leaves its bounds, or depends on memory not written
    refuted_lowering,     // the lowered program is right on the case's inputs, but wrong on others that the validator
                          // found
    introduced_overflow,  // the lowered program overflows where the specification does not
    over_rejection,       // a run-time error at sizes that the documentation allows
    compiler_crash,       // died of a signal while building or compiling
    compiler_internal_error,
    compiler_hang,  // stopped by the time limit while building or compiling
    compiler_out_of_memory,
    program_crash,  // compiled code died of a signal: an access beyond its buffers (guard pages) or an illegal
                    // instruction
    program_hang,
    program_out_of_memory,
    stray_write,      // compiled code wrote into padding between the cells it may write
    nondeterminism,   // two runs on the same inputs differ
    bad_case,         // the reference itself is undefined where an output is requested: the generator's fault
    outside_context,  // a run-time error, and a documented rule is not met; or a finding whose schedule breaks a rule
                      // that the compiler does not check: documented behaviour
    not_compared,     // ran, but the result cannot be exact and is not judged
    too_large,        // compiled code asks for larger inputs than we fill, or larger buffers than the target may have;
                      // or a limit of time or memory was reached, and the lowered program is too large to examine
    translation_fault,     // native agrees and the lowered program differs; or the lowered program refuses to run, but
                           // native ran; or it is malformed: our translation or interpreter is wrong
    unsound_validator,     // the validator proves a program that is wrong
    solver_contradiction,  // one solver calls a query of the validator satisfiable, the other one unsatisfiable
    harness_failure,       // our own machinery failed
};

std::string_view name(Class c);  // "wrong_result", …
std::optional<Class> parse_class(std::string_view);
bool is_finding(Class c);           // a compiler engineer wants to see it
bool is_own_fault(Class c);         // a fault of haruspex: should never happen
bool is_compiler_failure(Class c);  // the compiler did not finish: compiler_*
bool is_hang(Class c);              // compiler_hang, program_hang

// A documented rule that a directive of the schedule breaks.
struct Warning {
    std::size_t directive = 0;  // its position in the schedule, from 0
    std::string call;           // the directive itself: "f.unroll(y)"
    std::string rule;           // "constant_extent" (generators/schedule/rules.h)
    std::string asks;           // the end of a sentence: "that a loop that is unrolled has a constant extent"
    bool operator==(const Warning&) const = default;
};

// Whether the indices of a validated program are known to fit 32 bits (oracle/pipeline/index_fit.h).
struct IndexFit {
    bool is_for_all_sizes = false;  // otherwise for the case's sizes only
    bool is_known = false;
    std::optional<std::int64_t> most_size = std::nullopt;  // largest size, if for all sizes; nullopt: no limit
    bool operator==(const IndexFit&) const = default;
};
// "fit 32 bits", "fit 32 bits for sizes up to 4096", "are not known to fit 32 bits at these sizes".
std::string to_string(const IndexFit& fit);

// The kind of a hang, as far as it is known.
enum class Hang : std::uint8_t {
    limit,     // it computed until the time limit
    deadlock,  // it did nothing: each of its threads waited for another
};

struct Verdict {
    Class cls = Class::agrees;
    // One sentence, for people; for rejections, errors and crashes, the compiler's own message.
    std::string message;
    // The phase in which it happened: "build", "compile", "bounds query", "first run", …; empty when everything ran.
    std::string phase;
    // Of compiler_internal_error, if the compiler tells: the check in its code that failed.
    std::optional<FailedCheck> failed_check;
    int signal = 0;
    Hang hang = Hang::limit;     // of compiler_hang and program_hang
    bool is_heap_write = false;  // of stray_write: next to memory that the program itself allocated
    std::optional<Difference> difference;
    // The lowered program's outcome; nullopt if it was not requested.
    std::optional<LoweredOutcome> lowered;
    // The validator's answers for the case's sizes and for all sizes; nullopt if it was not asked.
    std::optional<Validation> own_sizes, all_sizes;
    // Whether indices fit machine integers. After a proof for all sizes: the largest size for which they do ("fit 32
    // bits for sizes up to 4096"). After a proof for the case's sizes only: whether they fit at those sizes.
    std::optional<IndexFit> indices;
    // The first wrong pass. If the compiler failed and no earlier program is wrong: the pass in which it failed.
    std::optional<PassInterval> pass;
    // In the order of the directives; none for a generated schedule.
    std::vector<Warning> warnings;
    bool operator==(const Verdict&) const = default;
};

// Whether the verdict is a hang in which each thread waits for another.
inline bool is_deadlock(const Verdict& verdict) { return is_hang(verdict.cls) && verdict.hang == Hang::deadlock; }

// "directive 2, f.unroll(y): the documentation asks that …"
std::string to_string(const Warning& warning);

}  // namespace haruspex::verdict
