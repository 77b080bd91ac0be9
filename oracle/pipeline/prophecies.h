#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "harness/sched/syntax.h"

// What the compiler says it writes, and whether that is what the specification has there.
namespace haruspex::pipeline {

struct LoweredProgram {
    sched::Program program;                      // from which code is generated
    std::vector<compiler::InputRegion> regions;  // of the inputs that it reads
};

// Why there is no program.
struct NoProgram {
    // "nothing lowered"; "translation", with the feature that has none; "malformed"; "with prophecies", with what goes
    // wrong once they are in place; of two programs that part, in what (harness/sched/transplant.h).
    Feature what;
    bool is_compiler_limit = false;  // the compiler was stopped: that alone may be otherwise on another day
    bool operator==(const NoProgram&) const = default;
};
std::string to_string(const NoProgram& none);

// The last program that was lowered.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> last_lowered(const compiler::Observation& observation);

// The program from which code is generated, with prophecies transplanted onto it (harness/sched/transplant.h). Nothing
// is run.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> lower_with_prophecies(const cases::Case& c,
                                                                             compiler::ForkServer& server);

// Each write of a run against the value that its prophecy has in the interpreter of SAREs (factored.h).
struct ProphecyCheck {
    std::uint64_t right = 0;
    // The value written depends on memory not written, which reaches no output of a right run.
    std::uint64_t uninit = 0;
    std::uint64_t unspecified = 0;  // of a cell that the specification does not have
    std::uint64_t wrong = 0;        // another value, or none where the specification has one
    std::string first_wrong;        // "f.1(3, 0) is 5i32, but 4i32 was written"
};
// An Error when the program is not run: more than `most_steps` of the interpreter, regions unknown.
[[nodiscard]] Result<ProphecyCheck> check_prophecies(const cases::Case& c, const LoweredProgram& prophesied,
                                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
