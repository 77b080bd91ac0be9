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

#include "generators/base/feature.h"
#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "generators/schedule/language.h"

// The interface of a compiler under test, free of any particular one.
namespace haruspex::compiler {

// A dense box of values. Minima and extents are by dimension, innermost (dimension 0) first. The cell at coordinate c
// has index sum((c[d] - min[d]) * prod(extent[0..d))) in `bits`.
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
    run_time_error,  // an assertion of the compiled code failed (bounds query included)
    internal_error,  // the compiler reported a bug of its own
    crashed,         // died of a signal that it caused itself, in the compiler or in compiled code (see phase)
    timed_out,       // stopped by the CPU or wall-clock limit
    deadlocked,      // stopped because no thread does anything: each waits for another
    out_of_memory,   // hit the memory limit
    too_large,  // compiled, but its inputs exceed what the harness is willing to fill (a limit of ours), or its buffers
                // what is documented for the target
    harness_failed,  // our own child process broke its protocol or was killed from outside: exit code 3 material, never
                     // blamed on the compiler
};

struct Timings {
    std::chrono::nanoseconds build{0}, compile{0}, translate{0}, bounds{0}, run{0};
};

// What a compiler is asked to do.
struct Request {
    bool run = true;          // generate code and run it
    bool lower = false;       // show the program from which code is generated
    bool snapshots = false;   // and the program after every pass that can be observed
    bool statements = false;  // both also as the compiler prints them
    // Lower with prophecies. This may change what the passes do, so programs made this way are never run.
    bool prophecies = false;
    // Further sizes at which the same code is run after it has run at the case's own sizes: Observation::elsewhere.
    std::vector<Sizes> other_sizes;
};

// The text of a SCHED program (harness/sched/text.h).
struct ProgramText {
    std::string text;
    bool operator==(const ProgramText&) const = default;
};
// A text that is too long to be worth reading.
struct LongText {
    std::uint64_t most_bytes = 0;
    bool operator==(const LongText&) const = default;
};
// A name that the program uses but does not define. A faulty compiler may leave one.
struct FreeVariable {
    std::string name;
    bool operator==(const FreeVariable&) const = default;
};

// A program of the compiler, as SCHED.
struct Lowered {
    // The pass after which it was seen. For a pass's second run: "simplify.2". For the program from which code is
    // generated: "final".
    std::string pass;
    // The program, or why it has no translation. A Feature is the part that cannot be translated.
    std::variant<ProgramText, LongText, FreeVariable, Feature> program;
    std::string statement;  // as the compiler prints it, if the request asks for it
    bool operator==(const Lowered&) const = default;

    // Null if there is no translation.
    const std::string* text() const {
        const auto* program_text = std::get_if<ProgramText>(&program);
        return program_text == nullptr ? nullptr : &program_text->text;
    }
};
// Why there is no translation, for people: "the free variable t3". ENSUREs that there is none.
std::string why_untranslated(const Lowered& lowered);

// Why the regions of its inputs that a program reads are unknown. The program was only lowered.
enum class RegionsUnknown : std::uint8_t {
    no_answer,  // the bounds query has no answer
    divergent,  // the bounds query does not converge
};

// What was observed of one case.
struct Observation {
    Outcome outcome = Outcome::ran;
    Phase phase = Phase::done;  // how far it came; for a failure, in which phase it happened
    int signal = 0;             // for `crashed`
    std::string message;  // the compiler's own words, or which limit; normalised addresses, no paths of this machine
    // Of a failure: whether these words name the free variable of the last program that was lowered.
    bool names_free_variable = false;
    std::vector<InputRegion> input_regions;
    std::optional<RegionsUnknown> regions_unknown;  // for a program that was only lowered
    std::string why_regions_unknown;                // the same, for people
    bool is_mutated = false;                // a loaded mutant of the compiler changed something, as far as the case got
    std::vector<TensorData> first, second;  // outputs of both runs, by output and component in order
    // Describes a store into the padding or a gap between rows of a buffer; empty if there is none.
    std::string stray_write;
    bool is_heap_write = false;  // the stray write is beside memory that the program allocates itself
    // The requested programs in the order of the passes, as far as the case got, whatever the outcome is.
    std::vector<Lowered> lowered;
    Timings timings;
    // At Request::other_sizes, in order, up to the first that did not run or had a stray write. That one is left out,
    // since an earlier run in the same process may have caused it.
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

// Reports events as they happen, so that they survive the death of the process.
struct Progress {
    std::function<void(Phase)> enter;  // before each phase begins
    std::function<void(const Lowered&)> lowered;
    std::function<void(const std::vector<InputRegion>&)> regions;  // all at once
};

struct Limits {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30;
    std::chrono::milliseconds cpu{15000};
    // For a child that waits. While it computes, however slowly on a busy machine, only the limit on CPU time counts.
    std::chrono::milliseconds wall{30000};
};

struct Identity {
    std::string name;     // as in Case::compiler
    std::string version;  // "14.0.0"
    int major = 0;
};

// The schedules of the compiler at this version (ENSURE that its language is known).
const schedule::Language& language_of(const Identity& identity);

// To add a compiler, implement this in a folder of harness/ that carries the compiler's name, and list it in the registry
// (reports/registry). No other header of that folder is included from outside it.
class Compiler {
public:
    virtual ~Compiler() = default;
    virtual Identity identity() const = 0;
    // How it was installed: a package with its version, or the name of its library.
    virtual std::string package() const { return {}; }
    // The flags with which a stand-alone program that uses it is built.
    virtual std::string build_flags() const { return {}; }
    // Why this machine cannot run code compiled for the target, as far as the target tells; nullopt if it can.
    virtual std::optional<std::string> unrunnable(const std::string&) const { return std::nullopt; }
    // The start of the line in which it says why it aborts, if it prints anything else after that line.
    virtual std::string_view reason_to_abort() const { return {}; }
    // The passes that can be observed while the case is lowered, in order, if each case has an order of its own; nullopt
    // if all cases go through the same passes.
    virtual std::optional<std::vector<std::string>> passes_of(const cases::Case&) const { return std::nullopt; }
    // Does slow one-time work (loads and initialises the code generator), so that forked children share it.
    virtual void warm_up() = 0;
    // Carries out the request in this process. May crash, hang or exhaust memory: call it in a child. Leaves
    // Observation::lowered and ::input_regions empty, since they go through `progress`.
    virtual Observation observe(const cases::Case& c, const Request& request, const Progress& progress) = 0;
};

}  // namespace haruspex::compiler
