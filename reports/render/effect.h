#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/sare/syntax.h"
#include "oracle/verdict/verdict.h"

// The sign by which a stand-alone program shows that its bug is still there.
namespace haruspex::render {

enum class Effect : std::uint8_t {
    none,            // a run of the program cannot show anything: it prints a checksum
    value,           // a cell differs from its expected value
    garbage,         // a cell differs between two runs with other garbage in the memory
    unstable,        // an output differs between many runs with other garbage in the memory
    stray_write,     // cells beside an output change
    heap_write,      // bytes beside memory that the pipeline allocates change
    run_time_error,  // the compiled code stops with an error
    internal_error,  // the compiler stops with an error of its own
    compiler_crash,
    compiler_hang,
    compiler_out_of_memory,
    program_crash,
    program_hang,
    program_out_of_memory,
    lowering,  // no run shows the bug: the compiler lowers the pipeline to the wrong statement
};

// Returns the effect for a verdict's class and, for a latent bug, its trouble. `statement` is the statement to which
// the compiler lowers the case, empty if unknown. With it, a program can show a bug that no run shows.
Effect effect_of(const std::optional<verdict::Verdict>& verdict, const std::string& statement = {});
// Whether the effect shows while the compiler runs.
bool is_of_compiler(Effect effect);
// Says in a sentence or two when the program exits with 1 and when with 0. `sare` is that of the verdict's case.
std::string exit_codes(Effect effect, const std::optional<verdict::Verdict>& verdict, const sare::Sare& sare);

}  // namespace haruspex::render
