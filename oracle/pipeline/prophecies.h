#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "harness/sched/syntax.h"

// Lowers programs with prophecies, and checks the prophecies. A prophecy is attached to a write of the lowered program,
// and names the cell of the specification whose value the write is to have.
namespace haruspex::pipeline {

struct LoweredProgram {
    sched::Program program;                      // the one from which code is generated
    std::vector<compiler::InputRegion> regions;  // of the inputs that it reads
};

// The reason why there is no program.
struct NoProgram {
    // The kind is "nothing lowered"; "translation", with the feature that has no translation as detail; "malformed";
    // "with prophecies", with the error that occurs only once prophecies are inserted; or the name of the part in which
    // the program with prophecies differs from the plain one (harness/sched/transplant.h).
    Feature what;
    bool is_compiler_limit = false;  // the compiler was stopped; another time it may not be
    bool operator==(const NoProgram&) const = default;
};
std::string to_string(const NoProgram& none);

// Returns the last lowered program.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> last_lowered(const compiler::Observation& observation);

// Lowers the case and returns the program from which code is generated, with prophecies transplanted onto it
// (harness/sched/transplant.h). Runs nothing.
[[nodiscard]] std::expected<LoweredProgram, NoProgram> lower_with_prophecies(const cases::Case& c,
                                                                             compiler::ForkServer& server);

// The writes of a run, counted by how they compare with their prophecies.
struct ProphecyCheck {
    std::uint64_t right = 0;
    // The value written depends on unwritten memory; it reaches no output of a right run.
    std::uint64_t uninit = 0;
    // The prophecy names a tensor or component that the specification does not have, or a wrong number of indices.
    std::uint64_t unspecified = 0;
    // The value written differs from the prophecy's, which names a step of a reduction in any order (validator/README.md).
    std::uint64_t reordered = 0;
    // The value written differs from the prophecy's otherwise, or is Undef while the prophecy's is defined; or the prophecy's
    // cell cannot be evaluated.
    std::uint64_t wrong = 0;
    std::string first_wrong;  // "f.1(3, 0) is 5i32, but 4i32 was written"
};
// Runs the program and compares each write with the value of its prophecy in the interpreter of SAREs. An Error if the
// specification cannot be followed (factored.h), a parameter has no value, or the run needs more than `most_steps`.
[[nodiscard]] Result<ProphecyCheck> check_prophecies(const cases::Case& c, const LoweredProgram& prophesied,
                                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
