#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "generators/base/failed_check.h"
#include "generators/base/feature.h"
#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "generators/schedule/language.h"

// The interface of a compiler under test, for any compiler.
namespace haruspex::compiler {

// A dense box of values. `min` and `extent` have one number for each dimension, innermost (dimension 0) first. The cell
// at coordinates c has the index sum over d of (c[d] - min[d]) * (extent[0] * … * extent[d-1]) in `bits`.
struct TensorData {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    std::vector<std::int64_t> min, extent;
    std::vector<std::uint64_t> bits;  // one bit pattern for each cell
    bool operator==(const TensorData&) const = default;
};

// The region of an input that the compiled program requested in its bounds query; for a program that was only lowered,
// the region that it would request.
struct InputRegion {
    std::string input;
    std::vector<std::int64_t> min, extent;
    bool operator==(const InputRegion&) const = default;
};

enum class Phase : std::uint8_t { build, compile, bounds_query, first_run, second_run, done };

enum class Outcome : std::uint8_t {
    ran,             // compiled, ran twice
    rejected,        // the compiler refused the program or the schedule with a user error
    run_time_error,  // an assertion of the compiled code failed, possibly in its bounds query
    internal_error,  // the compiler reported a bug of its own
    crashed,         // the compiler or the compiled code (see phase) died of a signal that it caused, or called exit()
    timed_out,       // stopped by the CPU or wall-clock limit, times Limits::patience
    deadlocked,      // stopped because no thread did anything: each waits for another
    out_of_memory,   // hit the memory limit
    too_large,       // compiled, but its inputs exceed a limit of haruspex, or its buffers exceed the documented size
                     // for the target
    harness_failed,  // haruspex's own child process failed, broke the protocol or was killed from outside: counts as a
                     // fault of haruspex, never blamed on the compiler
};

struct Timings {
    std::chrono::nanoseconds build{0}, compile{0}, translate{0}, bounds{0}, run{0};
};

// The task of a compiler.
struct Request {
    bool run = true;          // generate code and run it
    bool lower = false;       // report the program from which code is generated
    bool snapshots = false;   // report also the program after every pass that can be observed
    bool statements = false;  // report these programs also as the compiler prints them
    // Lower with prophecies. This may change what the passes do, so such a program is never run.
    bool prophecies = false;
    // Further sizes at which the same code is then run; the results are in Observation::elsewhere.
    std::vector<Sizes> other_sizes;
};

// The text of a SCHED program (harness/sched/text.h).
struct ProgramText {
    std::string text;
    bool operator==(const ProgramText&) const = default;
};
// The text of a SCHED program is left out, because it is longer than the parser accepts.
struct LongText {
    std::uint64_t most_bytes = 0;  // the greatest length that the parser accepts
    bool operator==(const LongText&) const = default;
};
// A name that a program uses but does not define. A faulty compiler may leave one.
struct FreeVariable {
    std::string name;
    bool operator==(const FreeVariable&) const = default;
};

// A program that the compiler has lowered, translated to SCHED.
struct Lowered {
    // The pass after which the program was seen; "simplify.2" for the second run of a pass, "final" for the program
    // from which code is generated.
    std::string pass;
    // The translated program, or the reason why there is none. A Feature is the part that cannot be translated.
    std::variant<ProgramText, LongText, FreeVariable, Feature> program;
    std::string statement;  // as the compiler prints it, if the request asks for it
    bool operator==(const Lowered&) const = default;

    // Null if there is no translation.
    const std::string* text() const {
        const auto* program_text = std::get_if<ProgramText>(&program);
        return program_text == nullptr ? nullptr : &program_text->text;
    }
};
// Returns the reason why there is no translation, for people: "the free variable t3". There must be none (ENSURE).
std::string why_untranslated(const Lowered& lowered);

// For a program that was only lowered: the reason why the regions of the inputs that it reads are unknown.
enum class RegionsUnknown : std::uint8_t {
    no_answer,  // the bounds query has no answer
    divergent,  // the bounds query does not converge
};

// The observed behaviour of the compiler for one case.
struct Observation {
    Outcome outcome = Outcome::ran;
    Phase phase = Phase::done;  // the phase that the case reached, or in which it failed
    int signal = 0;             // for `crashed`
    std::string message;        // the compiler's own words, or the limit that was hit; see normalise (message.h)
    std::optional<FailedCheck> failed_check;  // of an internal error
    // For a failure: whether the message names the free variable of the last program that was lowered.
    bool names_free_variable = false;
    std::vector<InputRegion> input_regions;
    std::optional<RegionsUnknown> regions_unknown;  // for a program that was only lowered
    std::string why_regions_unknown;                // the reason for people
    bool is_mutated = false;                // a loaded mutant of the compiler changed something, as far as the case got
    std::vector<TensorData> first, second;  // the outputs of the two runs, by output and then by component
    // Describes a write outside the cells of a buffer or beside an allocation; empty if there is none.
    std::string stray_write;
    bool is_heap_write = false;  // the stray write is beside memory that the program allocates itself
    // The requested programs in the order of the passes, as far as the case got, whatever the outcome is.
    std::vector<Lowered> lowered;
    Timings timings;
    // The observations at Request::other_sizes, in order. The first that did not run or had a stray write is left out,
    // since an earlier run in the same process may have caused this; so are all after it.
    std::vector<Observation> elsewhere;
};

// Whether the case ran without a stray write.
inline bool is_clean(const Observation& observation) {
    return observation.outcome == Outcome::ran && observation.stray_write.empty();
}

// Whether the compiler refused to generate code for a program that it had lowered.
inline bool is_refused_in_code_generation(const Observation& observation) {
    return observation.outcome == Outcome::rejected && observation.phase == Phase::compile &&
           !observation.lowered.empty();
}

// Callbacks that report events as they happen, so that the reports survive the death of the process.
struct Progress {
    std::function<void(Phase)> enter;  // before each phase begins
    std::function<void(const Lowered&)> lowered;
    std::function<void(const std::vector<InputRegion>&)> regions;  // of all inputs at once
};

struct Limits {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30;
    std::chrono::milliseconds cpu{15000};
    // Wall-clock time, for a child that waits. While the child computes, however slowly on a busy machine, only the
    // limit on CPU time counts.
    std::chrono::milliseconds wall{30000};
    // A child that meets a limit on time is slow. It is stopped only when it has had this many times as much: CPU times
    // of equal runs differ by a tenth and more, so that a limit which is met often would decide now one way, now the
    // other. 1 for a look that need not be sure.
    int patience = 8;
};
// Returns the limits at which a child is stopped.
inline Limits at_the_end_of_patience(Limits limits) {
    limits.cpu *= limits.patience;
    limits.wall *= limits.patience;
    limits.patience = 1;
    return limits;
}

// The parts of the compiler's work that this build of its library hides.
struct Unobserved {
    bool lowered = false;             // the programs that it lowers, so that only native code is judged
    bool prophecies = false;          // lowering with prophecies, so that nothing is validated
    std::vector<std::string> passes;  // the programs after these passes, in the order of the passes. Unknown, and then
                                      // empty, if `lowered` is set.
    bool operator==(const Unobserved&) const = default;
};
// Returns what is not observed, for people: "the passes trim_no_ops, split_tuples"; empty if nothing is missing.
std::string to_string(const Unobserved& unobserved);

struct Identity {
    std::string name;     // as in Case::compiler
    std::string version;  // "14.0.0"
    int major = 0;
    Unobserved unobserved;
};

// Returns the language of the compiler's schedules at this version. The language must be registered (ENSURE).
const schedule::Language& language_of(const Identity& identity);

// To add a compiler, implement this in a folder of harness/ that carries the compiler's name, and list it in the
// registry (reports/registry). No other header of that folder is included from outside it.
class Compiler {
public:
    virtual ~Compiler() = default;
    virtual Identity identity() const = 0;
    // Returns the package, with its version, from which the compiler was installed, or the path of its library.
    virtual std::string package() const { return {}; }
    // Returns the flags to build a stand-alone program that uses the compiler.
    virtual std::string build_flags() const { return {}; }
    // Returns the reason why this machine cannot run code compiled for the target, as far as the target's name tells;
    // nullopt if the machine can run it.
    virtual std::optional<std::string> unrunnable(const std::string&) const { return std::nullopt; }
    // If the compiler aborts, it prints a line with the reason. Returns the text with which that line begins; empty if
    // it is the last line printed.
    virtual std::string_view reason_to_abort() const { return {}; }
    // Returns the passes that can be observed while the case is lowered, in order. nullopt if all cases go through the
    // same passes.
    virtual std::optional<std::vector<std::string>> passes_of(const cases::Case&) const { return std::nullopt; }
    // For a compiler that takes all cases through the same passes: returns the passes of all of its versions as in
    // Lowered::pass, in an order with which that of each version agrees, so that intervals of passes can be compared
    // across versions. Empty: not known.
    virtual std::vector<std::string> passes_of_all_versions() const { return {}; }
    // Does slow one-time work (loads and initialises the code generator), so that forked children need not repeat it.
    virtual void warm_up() = 0;
    // Carries out the request in this process. May crash, hang or exhaust memory: call it in a child. Leaves
    // Observation::lowered and Observation::input_regions empty, since they are reported through `progress`.
    virtual Observation observe(const cases::Case& c, const Request& request, const Progress& progress) = 0;
};

}  // namespace haruspex::compiler
