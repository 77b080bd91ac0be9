#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "harness/sched/syntax.h"

// Prophecies of the compiler for its writes, and their check against the specification.
namespace haruspex::pipeline {

struct LoweredProgram {
    sched::Program program;                      // from which code is generated
    std::vector<compiler::InputRegion> regions;  // of the inputs that it reads
};

// The reason for the absence of a program.
struct NoProgram {
    // "nothing lowered"; "translation", with the feature that has none; "malformed"; "with prophecies", with the error
    // after they are inserted; for two programs that differ, the part that differs (harness/sched/transplant.h).
    Feature what;
    bool is_compiler_limit = false;  // the compiler was stopped: only this may differ on another day
    bool operator==(const NoProgram&) const = default;
};
std::string to_string(const NoProgram& none);

// Returns the last lowered program.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> last_lowered(const compiler::Observation& observation);

// The program from which code is generated, with prophecies transplanted onto it (harness/sched/transplant.h). Runs
// nothing.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> lower_with_prophecies(const cases::Case& c,
                                                                             compiler::ForkServer& server);

// Compares each write of a run with the value of its prophecy in the interpreter of SAREs (factored.h).
struct ProphecyCheck {
    std::uint64_t right = 0;
    // The value written depends on unwritten memory; it reaches no output of a right run.
    std::uint64_t uninit = 0;
    std::uint64_t unspecified = 0;  // the specification has no such cell
    std::uint64_t wrong = 0;        // another value, or none where the specification has one
    std::string first_wrong;        // "f.1(3, 0) is 5i32, but 4i32 was written"
};
// An Error if the program is not run: it needs more than `most_steps` of the interpreter, or regions are unknown.
[[nodiscard]] Result<ProphecyCheck> check_prophecies(const cases::Case& c, const LoweredProgram& prophesied,
                                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
