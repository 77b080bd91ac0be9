#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "generators/base/result.h"
#include "reports/cli/output.h"

// The commands of `haruspex`.
namespace haruspex::cli {

struct Command {
    const CLI::App* app;  // tells whether the command was chosen
    // Does the command's work. An Error is one in the usage or in a file: the exit code is then bad_input.
    std::function<Result<ExitCode>(Output&)> run;
};

// Each function adds its command to the command line.
Command add_fuzz(CLI::App& app);
Command add_merge(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_run(CLI::App& app);
Command add_judge(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_minimize(CLI::App& app);
Command add_status(CLI::App& app);
Command add_features(CLI::App& app);
Command add_triage(CLI::App& app);
Command add_recheck(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_versions(CLI::App& app);
Command add_known(CLI::App& app);
Command add_file(CLI::App& app);
Command add_show(CLI::App& app);
Command add_interpret(CLI::App& app);
Command add_tensor(CLI::App& app);
Command add_validate(CLI::App& app);
Command add_equivalence(CLI::App& app);
Command add_measure(CLI::App& app);
Command add_init(CLI::App& app);
Command add_compilers(CLI::App& app);
Command add_completion(CLI::App& app);
Command add_manual(CLI::App& app);
// Internal: with this command `measure` asks a compiler that contains a mutant (reports/measure/source.h).
Command add_compile_cases(CLI::App& app);

// "haruspex 0.1.0" and the compilers under test, a line each.
std::string versions();

}  // namespace haruspex::cli
