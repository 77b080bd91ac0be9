#include <memory>

#include "reports/cli/command.h"
#include "reports/store/verdict_json.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string file;
    bool json = false;
};

int run(const Arguments& arguments) {
    const auto loaded = load_case(arguments.file);
    if (!loaded) { return refuse(loaded.error()); }
    const auto verdict = judge(loaded->c, arguments.file);
    if (!verdict) { return refuse(verdict.error()); }
    print(arguments.json ? store::to_json(*verdict) + "\n" : describe(*verdict));
    return exit_code_of(*verdict);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("run", "Compile and run one case and judge it");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("case", arguments->file, case_help)->required();
    command->add_flag("--json", arguments->json, "Print the verdict as one line of JSON");
    command->footer(
        "Exit code 1 when the verdict is a finding.\n\n"
        "Examples:\n"
        "  haruspex run case.json\n"
        "  haruspex generate --seed 7 --first 123 --count 1 | haruspex run - --json");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace haruspex::cli
