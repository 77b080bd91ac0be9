#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "reports/cli/commands.h"
#include "reports/cli/options.h"
#include "reports/session/compilers.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::uint64_t seed = 0, count = 1, first = 0;
    std::string compiler;
    std::optional<std::string> programs;
};

Result<ExitCode> generate(const Arguments& arguments, Output& output) {
    if (arguments.count > 0 && arguments.first > std::numeric_limits<std::uint64_t>::max() - (arguments.count - 1)) {
        return fail("--first and --count go beyond case 2^64 - 1");
    }
    const auto compiler = session::compiler_named(arguments.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const schedule::Language& language = compiler::language_of((*compiler)->identity());
    random::Policy policy;
    policy.programs = programs_of(arguments.programs);
    for (std::uint64_t i = 0; i < arguments.count; ++i) {
        const cases::Case c = random::campaign_case(arguments.seed, arguments.first + i, policy, language);
        if (!output.print(cases::to_json(c) + "\n")) { break; }
    }
    return nothing_found;
}

}  // namespace

Command add_generate(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("generate", "Print random cases as JSON lines; the same arguments give the same bytes");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("--seed", arguments->seed, "Seed of the campaign")->check(whole_number())->required();
    add_number(*command, "--count", arguments->count, "Number of cases");
    add_number(*command, "--first", arguments->first, "Index of the first case");
    add_programs_option(*command, arguments->programs);
    add_compiler_option(*command, arguments->compiler);
    command->footer(
        "Examples:\n"
        "  haruspex generate --seed 7 --count 1000 > cases.jsonl\n"
        "  haruspex generate --seed 7 --count 1000 --programs tensor > tensors.jsonl\n"
        "  haruspex generate --seed 7 --first 123 --count 1 | haruspex run -");
    return {command, [arguments](Output& output) { return generate(*arguments, output); }};
}

}  // namespace haruspex::cli
