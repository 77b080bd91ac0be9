#include <fmt/core.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "generators/case/json.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/session/answer.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string compiler;
    bool validate = false, no_native = false, keep_going = false;
};

Result<ExitCode> judge(const Arguments& arguments, Output& output) {
    const std::string input = "standard input";
    const auto compiler = session::compiler_named(arguments.compiler);
    if (!compiler) { return fail(compiler.error()); }
    compiler::ForkServer server(**compiler, {}, compiler::ForkServer::WarmUp::before_the_first_run);
    pipeline::Options options;
    options.validate = arguments.validate;
    options.native = !arguments.no_native;
    if (!output.print(session::to_json(session::greeting_of(**compiler)) + "\n")) { return nothing_found; }
    bool has_finding = false, has_fault = false;
    std::string line;
    for (int number = 1; std::getline(std::cin, line); ++number) {
        auto c = cases::parse_case(line, input);
        if (!c) {
            Error error = std::move(c.error());
            error.where.line = number;
            if (!arguments.keep_going) { return fail(std::move(error)); }
            if (!output.print(session::to_json(session::refused(to_string(error))) + "\n")) { break; }
            continue;
        }
        const session::Answer answer = session::answer(*c, fmt::format("{}:{}", input, number), server, options);
        if (answer.verdict) {
            has_finding |= verdict::is_finding(answer.verdict->cls);
            has_fault |= verdict::is_own_fault(answer.verdict->cls);
        }
        if (!output.print(session::to_json(answer) + "\n")) { break; }
    }
    return has_fault ? own_fault : has_finding ? findings : nothing_found;
}

}  // namespace

Command add_judge(CLI::App& app) {
    CLI::App* command = app.add_subcommand("judge", "Judge the cases of standard input one after the other");
    const auto arguments = std::make_shared<Arguments>();
    add_compiler_option(*command, arguments->compiler);
    command->add_flag(
        "--validate", arguments->validate,
        "Also validate every lowered program for all inputs, first at the case's own sizes and then for all sizes");
    command->add_flag("--no-native", arguments->no_native,
                      "Lower every case but do not generate or run code: judge only the lowered program");
    command->add_flag("--keep-going", arguments->keep_going,
                      "Refuse a line that cannot be read as a case and go on, instead of ending with exit code 2");
    add_mutant_option(*command);
    command->footer(
        "Reads a case a line, as haruspex generate writes them. Writes a line of JSON with the versions of haruspex "
        "and\n"
        "the compiler, then one for each case as soon as it is judged: the verdict, as in a finding's verdict.json, "
        "or\n"
        "{\"refused\": REASON} for a case that cannot be put to the compiler.\n"
        "Exit code 1 when a verdict is a finding.\n"
        "\n"
        "Examples:\n"
        "  haruspex generate --seed 7 --count 100 | haruspex judge > verdicts.jsonl\n"
        "  haruspex judge --validate < cases.jsonl");
    return {command, [arguments](Output& output) { return judge(*arguments, output); }};
}

}  // namespace haruspex::cli
