#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/equivalence/equivalence.h"
#include "oracle/validator/evaluation/interface_check.h"
#include "reports/cli/commands.h"
#include "reports/cli/options.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

using equivalence::Verdict;

struct Arguments {
    std::string specification, program, reorderable, floats = "ieee";
    bool symbols = false;
    std::uint64_t operations = equivalence::Options{}.operations;
    bool json = false;
};

using Json = nlohmann::ordered_json;

std::string json_of(const Verdict& verdict) {
    Json json{{"verdict", name(verdict.outcome)}, {"reason", verdict.reason}};
    json["outputs"] = Json::array();
    for (const equivalence::OutputCells& cells : verdict.outputs) {
        json["outputs"].push_back({{"tensor", cells.tensor},
                                   {"component", cells.component},
                                   {"requested", cells.requested},
                                   {"proved", cells.proved},
                                   {"not_proved", cells.not_proved}});
    }
    json["mismatches"] = Json::array();
    for (const equivalence::Mismatch& mismatch : verdict.mismatches) {
        json["mismatches"].push_back({{"what", mismatch.what},
                                      {"first", mismatch.first},
                                      {"second", mismatch.second},
                                      {"relation", mismatch.relation},
                                      {"hypothetical", mismatch.is_hypothetical}});
    }
    json["notes"] = verdict.notes;
    json["effort"] = {{"pairs", verdict.effort.pairs},
                      {"inductions", verdict.effort.inductions},
                      {"widenings", verdict.effort.widenings},
                      {"narrowings", verdict.effort.narrowings},
                      {"permutations", verdict.effort.permutations}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Whether the text is a program in SCHED, judging by its first word.
bool is_program(const std::string& text) {
    std::size_t at = text.find_first_not_of(" \t\r\n");
    while (at != std::string::npos && text[at] == '#') {
        at = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', at), text.size()));
    }
    return at != std::string::npos && text.compare(at, 5, "sched") == 0;
}

Result<Verdict> check(const Arguments& arguments) {
    const auto options = [&]() -> Result<equivalence::Options> {
        auto reorderable = equivalence::parse_reorderable(arguments.reorderable);
        if (!reorderable) { return fail("--ac: " + reorderable.error().message); }
        equivalence::Options chosen;
        chosen.reorderable = *reorderable;
        chosen.exact_reals = arguments.floats == "real";
        chosen.normal_forms = !arguments.symbols;
        chosen.operations = arguments.operations;
        return chosen;
    }();
    if (!options) { return fail(options.error()); }
    const auto specification = store::read_file(arguments.specification);
    if (!specification) { return fail(specification.error()); }
    const auto text = store::read_file(arguments.program);
    if (!text) { return fail(text.error()); }
    const auto program = sched::parse_program(*text, arguments.program);
    if (!program) { return fail(program.error()); }
    if (is_program(*specification)) {
        const auto first = sched::parse_program(*specification, arguments.specification);
        if (!first) { return fail(first.error()); }
        if (const auto fits = equivalence::fits(*first, *program); !fits) {
            return fail(arguments.program + ": " + fits.error().message);
        }
        return equivalence::check(*first, *program, {sare::Truth{true}}, *options);
    }
    const auto sare = sare::parse_sare(*specification, arguments.specification);
    if (!sare) { return fail(sare.error()); }
    if (const auto fits = validator::check_interface(*sare, *program); !fits) {
        return fail(arguments.program + ": " + fits.error().message);
    }
    return equivalence::check(*sare, *program, *options);
}

Result<ExitCode> run(const Arguments& arguments, Output& output) {
    const auto verdict = check(arguments);
    if (!verdict) { return fail(verdict.error()); }
    output.print(arguments.json ? json_of(*verdict) : equivalence::explain(*verdict));
    return verdict->outcome == equivalence::Outcome::proved ? nothing_found : findings;
}

}  // namespace

Command add_equivalence(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "equivalence",
        "Prove, without prophecies, that a SCHED program computes a SARE or the same as another program");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("specification", arguments->specification, "A SARE, or a SCHED program")->required();
    command->add_option("program", arguments->program, "A SCHED program; its prophecies are ignored")->required();
    command->add_option("--ac", arguments->reorderable,
                        "Operators that may be reordered, of " + equivalence::reorderable_names() +
                            "; each at the types at which it is commutative, and flattened where it is associative");
    command->add_flag("--symbols", arguments->symbols,
                      "Treat operators as uninterpreted symbols, as isa does, instead of normalising values first");
    command->add_option("--float", arguments->floats, "The arithmetic of floats: ieee (bit by bit) or real (exact)")
        ->check(CLI::IsMember({"ieee", "real"}))
        ->capture_default_str();
    add_number(*command, "--budget", arguments->operations,
               "Stop as undecided after this many elementary operations of isl", 1);
    command->add_flag("--json", arguments->json, "Print the verdict as one line of JSON");
    command->footer(
        "Exit code 0 when every requested cell is proved; 1 when some are not, when the budget runs out, and when a\n"
        "program is not static and affine.\n\n"
        "Examples:\n"
        "  haruspex equivalence blur.sare blur.sched\n"
        "  haruspex equivalence sums.sare sums.sched --ac add,max\n"
        "  haruspex equivalence before.sched after.sched --json");
    return {command, [arguments](Output& output) { return run(*arguments, output); }};
}

}  // namespace haruspex::cli
