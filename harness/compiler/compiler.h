#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/base/feature.h"
#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"

// The seam to a compiler under test, free of any particular one.
namespace haruspex::compiler {

// A dense box of values: minima and extents by dimension, innermost (dimension 0) first; cell at coordinate c of
// component k has index sum((c[d] - min[d]) * prod(extent[0..d))) in `bits`.
struct TensorData {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    std::vector<std::int64_t> min, extent;
    std::vector<std::uint64_t> bits;  // one bit pattern for each cell
    bool operator==(const TensorData&) const = default;
};

// The region of an input that the compiled program asked for in its bounds query; of one that was only lowered, would
// ask for.
struct InputRegion {
    std::string input;
    std::vector<std::int64_t> min, extent;
    bool operator==(const InputRegion&) const = default;
};

enum class Phase : std::uint8_t { build, compile, bounds_query, first_run, second_run, done };

enum class Outcome : std::uint8_t {
    ran,             // compiled, ran twice
    rejected,        // the compiler refused program or schedule with a user error
    run_time_error,  // an assertion of the compiled code failed (bounds query included)
    internal_error,  // the compiler reported a bug of its own
    crashed,         // died of a signal it brought upon itself, in the compiler or in compiled code (see phase)
    timed_out,       // stopped by the CPU or wall-clock limit
    deadlocked,      // stopped because none of its threads does anything: each waits for another
    out_of_memory,   // hit the memory limit
    too_large,       // compiled, but its inputs are larger than the harness cares to fill: a limit of ours; not run
    harness_failed,  // our own child process broke its protocol or was killed from outside: exit code 3 material, never
                     // blamed on the compiler
};

struct Timings {
    std::chrono::nanoseconds build{0}, compile{0}, translate{0}, bounds{0}, run{0};
};

// What is asked of a compiler.
struct Request {
    bool run = true;          // generate code and run it
    bool lower = false;       // show the program from which code is generated
    bool snapshots = false;   // and the program after every pass that can be observed
    bool statements = false;  // both also in the compiler's own words
    // Lower with prophecies; that may change what the passes do, so nothing that is made this way is run.
    bool prophecies = false;
    // At which the same code is run, too, once it has run at the case's own: Observation::elsewhere.
    std::vector<Sizes> other_sizes;
};

// The text of a program of SCHED (harness/sched/text.h).
struct ProgramText {
    std::string text;
    bool operator==(const ProgramText&) const = default;
};
// A text that is longer than anybody reads.
struct LongText {
    std::uint64_t most_bytes = 0;
    bool operator==(const LongText&) const = default;
};
// A name that the program uses and does not define. A compiler that goes wrong may leave one.
struct FreeVariable {
    std::string name;
    bool operator==(const FreeVariable&) const = default;
};

// A program of the compiler's, as SCHED.
struct Lowered {
    // After which it was seen; the second time "simplify.2"; "final" for that from which code is generated.
    std::string pass;
    // Or why it has no translation: of a Feature, what in it has none.
    std::variant<ProgramText, LongText, FreeVariable, Feature> program;
    std::string statement;  // in the compiler's own words, when the request asks for them
    bool operator==(const Lowered&) const = default;

    // Nothing where there is no translation.
    const std::string* text() const {
        const auto* program_text = std::get_if<ProgramText>(&program);
        return program_text == nullptr ? nullptr : &program_text->text;
    }
};
// Why there is no translation, for people: "the free variable t3". Of one that has none (ENSURE).
std::string why_untranslated(const Lowered& lowered);

// Why nothing is known of the regions that a program, which was only lowered, reads of its inputs.
enum class RegionsUnknown : std::uint8_t {
    no_answer,  // the bounds query has none
    divergent,  // nor does it come to an end
};

// What was seen of one case.
struct Observation {
    Outcome outcome = Outcome::ran;
    Phase phase = Phase::done;  // how far it came; for a failure, in which phase it happened
    int signal = 0;             // of `crashed`
    std::string message;  // the compiler's own words, or which limit; normalised addresses, no paths of this machine
    // Of a failure: whether these words name the free variable of the last program that was lowered.
    bool names_free_variable = false;
    std::vector<InputRegion> input_regions;
    std::optional<RegionsUnknown> regions_unknown;  // of a program that was only lowered
    std::string why_regions_unknown;                // then, for people
    bool is_mutated = false;  // a mutant of the compiler that is loaded changed something; as far as it came
    std::vector<TensorData> first, second;  // outputs of both runs, by output and component in order
    // A store into the padding or a gap between rows of a buffer: its description, else empty.
    std::string stray_write;
    bool is_heap_write = false;  // likewise beside memory that the program allocates itself
    // What was asked for, in the order of the passes, as far as it came; whatever the outcome is.
    std::vector<Lowered> lowered;
    Timings timings;
    // At Request::other_sizes, one after the other, up to the first that did not run or had a stray write: without that
    // one, for what ran before it in the same process may be to blame.
    std::vector<Observation> elsewhere;
};

// Whether it ran, and wrote nowhere that it should not.
inline bool is_clean(const Observation& observation) {
    return observation.outcome == Outcome::ran && observation.stray_write.empty();
}

// Whether the compiler refused to generate code of what it had lowered.
inline bool is_refused_in_code_generation(const Observation& observation) {
    return observation.outcome == Outcome::rejected && observation.phase == Phase::compile &&
           !observation.lowered.empty();
}

// Told as it happens, so that it outlives a death.
struct Progress {
    std::function<void(Phase)> enter;  // before each phase begins
    std::function<void(const Lowered&)> lowered;
    std::function<void(const std::vector<InputRegion>&)> regions;  // of InputRegion, all at once
};

struct Limits {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30;
    std::chrono::milliseconds cpu{15000};
    // Of a child that waits: while it computes, however slowly on a busy machine, only the limit on CPU time counts.
    std::chrono::milliseconds wall{30000};
};

struct Identity {
    std::string name;     // "halide"
    std::string version;  // "14.0.0"
    int major = 0;
};

class Compiler {
public:
    virtual ~Compiler() = default;
    virtual Identity identity() const = 0;
    // Does what is slow once (loads and initialises the code generator), so that forked children share it.
    virtual void warm_up() = 0;
    // Does what is requested in this process; may crash, hang or exhaust memory. Call it in a child. Leaves
    // Observation::lowered and ::input_regions empty: they go through `progress`.
    virtual Observation observe(const cases::Case& c, const Request& request, const Progress& progress) = 0;
};

}  // namespace haruspex::compiler
