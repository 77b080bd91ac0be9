#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
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

// The commands of `haruspex`. Each adds itself to the command line and, when it is chosen, leaves its exit code.
namespace haruspex::cli {

// What the exit code of every command means.
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
void add_completion(CLI::App& app, int& exit_code);
void add_manual(CLI::App& app, int& exit_code);
// Not for people: how `measure` asks a compiler that is wrong on purpose (reports/measure/source.h).
void add_compile_cases(CLI::App& app, int& exit_code);

// "haruspex 0.1.0" and the compiler under test, a line each.
std::string versions();

// --- What the commands share ---

// The verdict of one case, compiled in a limited child process. An Error when it cannot be put to the compiler (refusal
// in loading.h).
[[nodiscard]] Result<verdict::Verdict> judge(const cases::Case& c, const Origin& origin,
                                             const pipeline::Options& options = {});
// The same, with the passes by which it is known where the program goes wrong.
[[nodiscard]] Result<pipeline::Judged> judge_with_passes(const cases::Case& c, const Origin& origin,
                                                         const pipeline::Options& options);
// With what a finding is judged again: what the validator found, it alone can find.
pipeline::Options judging_again(const verdict::Verdict& verdict);
// With what its smaller cases are judged: of a program that was too long to be interpreted, none is interpreted for
// long either. It cannot have the same finding if it comes to its end.
pipeline::Options judging_smaller(const verdict::Verdict& verdict);
// Within which limits the smaller cases of what hangs are glanced at (minimize::Options::glance): what is smaller comes
// sooner to where it hangs. Nothing for what does not hang.
std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict);
// In which order the compiler's passes come. Compiles a small program.
triage::PassOrder pass_order(compiler::ForkServer& server);
// The programs after all observed passes, the final one last, each with what it shows. Compiles the case natively
// first, since the compiler says which regions of the inputs it reads.
[[nodiscard]] Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin);
// What the compiler lowers the case to, as requested; nothing is run.
[[nodiscard]] Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                                           const compiler::Request& request);
// For people: class, message, warnings, and the cell with what was expected and what came out.
std::string describe(const verdict::Verdict& verdict);
ExitCode exit_code_of(verdict::Class cls);

// Refuses everything but the decimal digits of a number in the range; the library would wrap "-3" around.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Writes to standard output. False when it cannot: then a command that has more to say ends.
bool print(const std::string& text);
// Why output was lost, if some was. That its reader has gone away is no loss.
std::optional<Error> lost_output();
// Tells on standard error what is wrong with the usage or a file; returns bad_input.
int refuse(const Error& error);

}  // namespace haruspex::cli
