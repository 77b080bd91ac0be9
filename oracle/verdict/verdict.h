#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/value/value.h"
#include "oracle/verdict/validation.h"

// What the oracles can say of a case (oracle/judge: when). Types only.
namespace haruspex::verdict {

enum class Class : std::uint8_t {
    agrees,          // nothing found
    rejected,        // the compiler refused the case with a user error: not judged, counted with its reason
    wrong_result,    // native differs from the reference, and what was lowered is not known
    wrong_lowering,  // native differs, and so does the lowered program
    wrong_code,      // native differs, the lowered program does not: code generation
    latent_bug,  // native agrees, but the lowered program races, leaves its bounds, or depends on memory not written
    refuted_lowering,     // the lowered program is right on the case's inputs, and wrong on others: the validator's
    introduced_overflow,  // the lowered program overflows where the specification does not
    over_rejection,       // a run-time error on sizes inside the context
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
    outside_context,  // a run-time error, and a documented rule is not met; or anything that would be a finding, and
                      // the schedule breaks a rule that the compiler does not check: documented behaviour
    not_compared,     // ran, but the result cannot be exact and is not judged
    too_large,        // asks for larger inputs than we fill, and is not run; or is larger than we look at, and came to
                      // a limit of time or memory
    translation_fault,  // native agrees, the lowered program does not: our translation or interpreter is wrong
    unsound_validator,  // the validator proves a program that is wrong
    harness_failure,    // our own machinery failed
};

std::string_view name(Class c);  // "wrong_result", …
std::optional<Class> parse_class(std::string_view);
bool is_finding(Class c);    // something a compiler engineer wants to see
bool is_own_fault(Class c);  // something that should never happen here

// One cell on which two computations disagree.
struct Difference {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> cell;
    value::Value expected = value::Value::undef(value::Type::i32);
    value::Value actual = value::Value::undef(value::Type::i32);
    std::uint64_t differing_cells = 0;  // how many cells differ in all, over all outputs
    std::uint64_t compared_cells = 0;
    bool operator==(const Difference&) const = default;
};

// What the compiler's documentation asks, and one directive of the schedule does not do.
struct Warning {
    std::size_t directive = 0;  // its place in the schedule, from 0
    std::string call;           // the directive itself: "f.unroll(y)"
    std::string rule;           // "constant_extent" (generators/schedule/halide/rules.h)
    std::string asks;           // the end of a sentence: "that a loop that is unrolled has a constant extent"
    bool operator==(const Warning&) const = default;
};

struct Verdict {
    Class cls = Class::agrees;
    // One sentence; for rejections, errors and crashes the compiler's own words.
    std::string message;
    std::string
        phase;  // where it happened: "build", "compile", "bounds query", "first run", …; empty when everything ran
    int signal = 0;
    std::optional<Difference> difference;
    // What the lowered program showed, in a sentence: "agrees", a difference, a trouble, why there is none; empty when
    // it was not asked for.
    std::string lowered;
    // What the validator says of the case's sizes, and of all; of what it was asked.
    std::optional<Validation> validator, all_sizes;
    // Of what is validated for all sizes: up to which its indices fit the machine's integers, "fit 32 bits for sizes up
    // to 4096"; of what is for the case's own, whether they do there (oracle/pipeline/index_fit.h).
    std::string indices;
    // The first wrong pass, as an interval of observed ones: "(unroll_loops, vectorize_loops]". Of a compiler that
    // failed, and lowered nothing wrong before, where it did: "(final, code generation]". Empty when there is none.
    std::string pass;
    // In the order of the directives; of a schedule that was drawn there are none.
    std::vector<Warning> warnings;
    bool operator==(const Verdict&) const = default;
};

// Whether what has no end does nothing: each of its threads waits for another.
bool is_deadlock(const Verdict& verdict);

// "directive 2, f.unroll(y): the documentation asks that …"
std::string to_string(const Warning& warning);

}  // namespace haruspex::verdict
