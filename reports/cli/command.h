#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/judged.h"
#include "oracle/verdict/verdict.h"
#include "reports/cli/loading.h"
#include "reports/triage/pass_order.h"

// The commands of `haruspex`. Each function adds its command to the command line; the command, if chosen, sets
// `exit_code`.
namespace haruspex::cli {

// The exit codes of all commands.
enum ExitCode : int {
    nothing_found = 0,
    findings = 1,
    bad_input = 2,  // usage, files
    own_fault = 3,
};

void add_fuzz(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_minimize(CLI::App& app, int& exit_code);
void add_triage(CLI::App& app, int& exit_code);
void add_recheck(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_known(CLI::App& app, int& exit_code);
void add_file(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_interpret(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_equivalence(CLI::App& app, int& exit_code);
void add_measure(CLI::App& app, int& exit_code);
void add_init(CLI::App& app, int& exit_code);
void add_compilers(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_manual(CLI::App& app, int& exit_code);
// Internal: with this command `measure` asks a compiler that contains a mutant (reports/measure/source.h).
void add_compile_cases(CLI::App& app, int& exit_code);

// "haruspex 0.1.0" and the compiler under test, a line each.
std::string versions();

// --- Shared by the commands ---

// Returns the compiler of the case. An Error if this build has none, or the case cannot be put to it (refusal in
// loading.h).
[[nodiscard]] Result<std::unique_ptr<compiler::Compiler>> compiler_for(const cases::Case& c, const Origin& origin);
// Returns the verdict of one case, compiled in a limited child process. An Error if the case cannot be put to the
// compiler (refusal in loading.h).
[[nodiscard]] Result<verdict::Verdict> judge(const cases::Case& c, const Origin& origin,
                                             const pipeline::Options& options = {});
// As judge, with the passes that were examined to find where the program goes wrong.
[[nodiscard]] Result<pipeline::Judged> judge_with_passes(const cases::Case& c, const Origin& origin,
                                                         const pipeline::Options& options);
// Options for judging a finding again: with the validator only if the validator found it.
pipeline::Options judging_again(const verdict::Verdict& verdict);
// Options for judging smaller cases of a finding. If the original program was too long to interpret, candidates are
// interpreted for fewer steps, too: one that terminates cannot have the same finding.
pipeline::Options judging_smaller(const verdict::Verdict& verdict);
// The limits for a first look at smaller cases of a hang (minimize::Options::glance): a smaller case reaches its hang
// sooner. nullopt if the verdict is not a hang.
std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict);
// Returns the order of the compiler's passes. Compiles a small program.
triage::PassOrder pass_order(compiler::ForkServer& server);
// Returns the programs after all observed passes, the final one last, each with the interpreter's result. Compiles the
// case natively first, since the compiler says which regions of the inputs it reads.
[[nodiscard]] Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin);
// Lowers the case as requested; nothing is run.
[[nodiscard]] Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                                           const compiler::Request& request);
// Formats a verdict for people: class, message, warnings, and the cell with the expected and the actual value.
std::string describe(const verdict::Verdict& verdict);
ExitCode exit_code_of(verdict::Class cls);

// Accepts only decimal digits of a number in the range; the library would wrap "-3" around.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Writes to standard output. Returns false if it cannot; a command that has more to print then ends.
bool print(const std::string& text);
// The error that lost output, if any was lost. A reader that has gone away is not an error.
std::optional<Error> lost_output();
// Prints the error in the usage or in a file to standard error; returns bad_input.
int refuse(const Error& error);

}  // namespace haruspex::cli
