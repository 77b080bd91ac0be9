#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "generators/base/ensure.h"
#include "oracle/pipeline/judged.h"
#include "reports/cli/commands.h"
#include "reports/cli/describe.h"
#include "reports/cli/loading.h"
#include "reports/cli/mutant.h"
#include "reports/cli/solver_options.h"
#include "reports/render/table.h"
#include "reports/session/judging.h"
#include "reports/store/verdict_json.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    CaseArguments source;
    bool json = false;
    bool trace_passes = false, validate = false;
    SolverArguments solvers;
};

std::string_view word(verdict::LoweredState state) {
    switch (state) {
        case verdict::LoweredState::unknown:
        case verdict::LoweredState::too_large: return "unknown";
        case verdict::LoweredState::equal: return "right";
        case verdict::LoweredState::differs: return "WRONG";
        case verdict::LoweredState::troubled: return "WRONG";
        case verdict::LoweredState::overflows: return "OVERFLOWS";
        case verdict::LoweredState::refuses: return "REFUSES";
        case verdict::LoweredState::malformed: return "MALFORMED";
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a program");
}

// Formats a line for each pass, and the first wrong pass.
std::string table(const std::vector<pipeline::PassResult>& passes, const std::optional<verdict::PassInterval>& wrong) {
    render::Table table;
    for (const pipeline::PassResult& pass : passes) {
        std::string state(word(pass.outcome.state));
        if (pass.outcome.state != verdict::LoweredState::equal) { state += "  " + to_string(pass.outcome); }
        table.rows.push_back({pass.pass, std::move(state)});
    }
    return to_text(table) +
           (wrong ? fmt::format("goes wrong in {}\n", to_string(*wrong)) : "no pass is known to be wrong\n");
}

// What the second solver says, and the queries on which the two contradict each other.
std::string words_of(const smt::CrossChecks& checks) {
    if (checks.checked() == 0) { return {}; }
    return fmt::format("{:<9} {}\n", "checked", to_string(checks)) + contradictions_in(checks);
}

std::string json_of(const verdict::Verdict& verdict, const std::optional<std::vector<pipeline::PassResult>>& passes) {
    const std::string line = store::to_json(verdict);
    if (!passes) { return line; }
    auto json = nlohmann::ordered_json::parse(line);
    json["passes"] = nlohmann::ordered_json::array();
    for (const pipeline::PassResult& pass : *passes) {
        json["passes"].push_back(
            {{"pass", pass.pass}, {"program", word(pass.outcome.state)}, {"message", to_string(pass.outcome)}});
    }
    return json.dump();
}

Result<ExitCode> run(const Arguments& arguments, Output& output) {
    const auto loaded = load_case(arguments.source);
    if (!loaded) { return fail(loaded.error()); }
    pipeline::Options options;
    options.validate = arguments.validate || arguments.solvers.solver;
    options.solvers = solvers_of(arguments.solvers);
    if (const auto there = can_be_asked(options.solvers); !there) { return fail(there.error()); }
    options.every_pass = arguments.trace_passes;
    auto judged = session::judge_with_passes(loaded->c, loaded->origin, options);
    if (!judged) { return fail(judged.error()); }
    const verdict::Verdict& verdict = judged->verdict;
    std::optional<std::vector<pipeline::PassResult>> passes;
    auto wrong = verdict.pass;
    std::optional<Error> not_traced;
    if (arguments.trace_passes && !judged->passes.empty()) {
        passes = std::move(judged->passes);
    } else if (arguments.trace_passes) {
        if (auto traced = session::trace(loaded->c, loaded->origin)) {
            passes = std::move(*traced);
            wrong = pipeline::first_wrong_pass(*passes);
        } else {
            not_traced = std::move(traced.error());
        }
    }
    if (arguments.json) {
        output.print(json_of(verdict, passes) + "\n");
    } else {
        output.print(describe(verdict) + words_of(judged->cross_checks) + (passes ? "\n" + table(*passes, wrong) : ""));
    }
    if (not_traced) { return fail(std::move(*not_traced)); }
    return exit_code_of(verdict.cls);
}

}  // namespace

Command add_run(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "Compile and run one case and judge it");
    const auto arguments = std::make_shared<Arguments>();
    add_case_arguments(*command, arguments->source, "case");
    command->add_flag("--json", arguments->json,
                      "Print the verdict as one line of JSON, with the passes if they are traced");
    command->add_flag("--trace-passes", arguments->trace_passes,
                      "Also interpret the program after each observable pass and say where it goes wrong; a program "
                      "that only the validator refutes is interpreted on its counterexample");
    command->add_flag(
        "--validate", arguments->validate,
        "Also validate the lowered program for all inputs, first at the case's own sizes and then for all sizes");
    add_solver_options(*command, arguments->solvers);
    add_mutant_option(*command);
    command->footer(
        "--solver implies --validate.\n"
        "Exit code 1 when the verdict is a finding; 3 when it is a fault of haruspex, such as two solvers that "
        "contradict\n"
        "each other.\n\n"
        "Examples:\n"
        "  haruspex run case.json\n"
        "  haruspex run prog.sare prog.schedule --size W=64,H=32\n"
        "  haruspex generate --seed 7 --first 123 --count 1 | haruspex run - --json");
    return {command, [arguments](Output& output) { return run(*arguments, output); }};
}

}  // namespace haruspex::cli
