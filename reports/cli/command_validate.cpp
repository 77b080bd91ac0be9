#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "generators/base/ensure.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/pipeline/index_fit.h"
#include "oracle/validator/evaluation/interface_check.h"
#include "oracle/validator/validator.h"
#include "reports/cli/commands.h"
#include "reports/cli/solver_options.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

using validator::Outcome;
using validator::Rung;

struct Arguments {
    std::string specification, program;
    std::string floats = "ieee", folder;
    SolverArguments solvers;
    bool sums_fit = false, explain = false, json = false;
};

// --- For people ---------------------------------------------------------------------------------------------------

std::string sizes_of(const validator::Counterexample& counterexample) {
    std::string text;
    for (const auto& [size, value] : counterexample.sizes) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", size, value);
    }
    return text.empty() ? "at the only size" : text;
}

std::string figures(const validator::Verdict& verdict) {
    const auto holding = std::ranges::count_if(verdict.judgements, &validator::Judgement::holds);
    std::string text = fmt::format("obligations     {} of {} hold", holding, verdict.judgements.size());
    const char* separator = ": ";
    for (const auto& [rung, count] : verdict.by_rung) {
        text += fmt::format("{}{} by {}", separator, count, name(rung));
        separator = "; ";
    }
    return text + fmt::format("\nsmt             {} {}, rlimit {}\n", verdict.queries,
                              verdict.queries == 1 ? "query" : "queries", verdict.rlimit);
}

// A proof is about unbounded integers, so this reports the sizes for which indices fit 32 bits, up to
// conversion::most_size.
std::string describe_indices(const sare::Sare& sare, const sched::Program& program) {
    const auto size = pipeline::largest_fitting_size(sare, program);
    return size ? fmt::format("fit 32 bits for sizes up to {}", *size) : "are not known to fit 32 bits";
}

std::string_view words_of(validator::Floats floats) {
    switch (floats) {
        case validator::Floats::ieee: return "IEEE's";
        case validator::Floats::numbers: return "numbers";
        case validator::Floats::abstract: return "abstract: sums are those of real numbers, in any order";
        case validator::Floats::real: return "real numbers";
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

// `indices`: the description of a proved program's indices; nullopt without a proof. `sums_fit`: whether that option was
// given.
std::string summary(const validator::Verdict& verdict, const std::optional<std::string>& indices, bool sums_fit) {
    std::string text;
    const auto line = [&](const char* what, std::string_view words) {
        text += fmt::format("{:<15} {}\n", what, words);
    };
    line("verdict", name(verdict.outcome));
    line("reason", reason(verdict));
    if (verdict.floats != validator::Floats::ieee) { line("floats", words_of(verdict.floats)); }
    if (indices) { line("indices", *indices); }
    if (verdict.deciding) {
        const validator::Judgement& judgement = verdict.judgements[*verdict.deciding];
        line("obligation", name(judgement.kind));
        line("statement", judgement.statement);
        line("rule", judgement.rule);
        line("not shown", judgement.reason);
        if (!judgement.environments.empty()) { line("where", judgement.environments); }
    }
    if (verdict.counterexample) {
        line("counterexample", sizes_of(*verdict.counterexample));
        line("interpreters", verdict.counterexample->message);
    }
    if (verdict.outcome != Outcome::validated && verdict.is_kept_by_overflow && !sums_fit) {
        line("sums", "signed integers are added in another order, in which they may overflow (--sums-fit)");
    }
    text += figures(verdict);
    if (verdict.cross_checks.checked() > 0) { line("checked", to_string(verdict.cross_checks)); }
    return text + contradictions_in(verdict.cross_checks);
}

// --- For programs -------------------------------------------------------------------------------------------------

using Json = nlohmann::ordered_json;

Json json_of(const validator::Judgement& judgement) {
    Json json{{"kind", name(judgement.kind)},
              {"statement", judgement.statement},
              {"rule", judgement.rule},
              {"state", name(judgement.state)}};
    if (judgement.rung) { json["rung"] = name(*judgement.rung); }
    if (judgement.state == validator::Judgement::State::not_shown) {
        json["reason"] = judgement.reason;
        json["environments"] = judgement.environments;
    }
    return json;
}

Json json_of(const validator::Counterexample& counterexample) {
    Json given = Json::array();
    for (const smt::CellValue& cell : counterexample.inputs.given) {
        given.push_back({{"tensor", cell.tensor}, {"cell", cell.coordinates}, {"value", value::to_string(cell.value)}});
    }
    Json sizes = Json::object();
    for (const auto& [size, value] : counterexample.sizes) { sizes[size] = value; }
    return {{"sizes", sizes},
            {"inputs",
             {{"style", name(counterexample.inputs.style)}, {"seed", counterexample.inputs.seed}, {"given", given}}},
            {"message", counterexample.message}};
}

Json json_of(const smt::CrossChecks& checks) {
    Json contradictions = Json::array();
    for (const smt::Contradiction& one : checks.contradictions) {
        contradictions.push_back({{"z3", name(one.z3)}, {"cvc5", name(one.cvc5)}, {"query", one.query}});
    }
    return {{"agreed", checks.agreed},
            {"undecided", checks.undecided},
            {"unanswered", checks.unanswered},
            {"contradictions", contradictions}};
}

std::string json_of(const validator::Verdict& verdict, const std::optional<std::string>& indices) {
    Json json{{"verdict", name(verdict.outcome)}, {"reason", reason(verdict)}};
    const bool is_proved = verdict.outcome == validator::Outcome::validated;
    json["floats"] = is_proved ? Json(name(verdict.floats)) : Json(nullptr);
    json["needs_fitting_sums"] = is_proved ? Json(verdict.needs_fitting_sums) : Json(nullptr);
    json["indices"] = indices ? Json(*indices) : Json(nullptr);
    json["kind"] = verdict.obligation ? Json(name(*verdict.obligation)) : Json(nullptr);
    json["counterexample"] = verdict.counterexample ? json_of(*verdict.counterexample) : Json(nullptr);
    json["obligations"] = Json::array();
    for (const validator::Judgement& judgement : verdict.judgements) {
        json["obligations"].push_back(json_of(judgement));
    }
    json["deciding"] = verdict.deciding ? Json(*verdict.deciding) : Json(nullptr);
    json["by_rung"] = Json::object();
    for (const auto& [rung, count] : verdict.by_rung) { json["by_rung"][std::string(name(rung))] = count; }
    json["cross_checks"] = json_of(verdict.cross_checks);
    json["queries"] = verdict.queries;
    json["rlimit"] = verdict.rlimit;
    json["rounds"] = verdict.rounds;
    if (!verdict.steps.empty()) { json["explanation"] = validator::explain(verdict); }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// --- Queries ------------------------------------------------------------------------------------------------------

// Makes a folder, which must be new or empty: all queries in it then belong to one program.
Result<void> make_empty_folder(const std::string& folder) {
    if (auto made = store::make_folder(folder); !made) { return made; }
    std::error_code error;
    const bool is_empty = std::filesystem::is_empty(folder, error);
    if (error) { return fail("cannot read " + folder + ": " + error.message()); }
    if (!is_empty) { return fail("--emit-smt2: " + folder + " holds files already; name a new or an empty folder"); }
    return {};
}

// Writes 0001.smt2, 0002.smt2, …, each headed by its obligation.
Result<std::size_t> write_queries(const validator::Verdict& verdict, const std::string& folder) {
    std::size_t count = 0;
    for (const validator::Judgement& judgement : verdict.judgements) {
        for (const std::string& query : judgement.smt) {
            const std::filesystem::path file = std::filesystem::path(folder) / fmt::format("{:04}.smt2", ++count);
            const auto written = store::write_atomically(file, fmt::format("; {}: {}\n; {}\n{}", name(judgement.kind),
                                                                           judgement.statement, judgement.rule, query));
            if (!written) { return fail(written.error()); }
        }
    }
    return count;
}

// --- The command --------------------------------------------------------------------------------------------------

Result<validator::Options> options_of(const Arguments& arguments) {
    validator::Options options;
    options.explain = arguments.explain;
    const auto floats = verdict::parse_floats(arguments.floats);
    ENSURE(floats.has_value(), "the command line allows names of floats only");
    options.ladder.floats = *floats;
    options.ladder.keep_queries = !arguments.folder.empty();
    options.may_assume_sums_fit = arguments.sums_fit;
    options.solvers = solvers_of(arguments.solvers);
    if (const auto there = can_be_asked(options.solvers); !there) { return fail(there.error()); }
    return options;
}

Result<ExitCode> validate(const Arguments& arguments, Output& output) {
    const auto specification = store::read_file(arguments.specification);
    if (!specification) { return fail(specification.error()); }
    const auto sare = sare::parse_sare(*specification, arguments.specification);
    if (!sare) { return fail(sare.error()); }
    const auto text = store::read_file(arguments.program);
    if (!text) { return fail(text.error()); }
    const auto program = sched::parse_program(*text, arguments.program);
    if (!program) { return fail(program.error()); }
    if (const auto fits = validator::check_interface(*sare, *program); !fits) {
        return fail(arguments.program + ": " + fits.error().message);
    }
    const auto options = options_of(arguments);
    if (!options) { return fail(options.error()); }
    if (!arguments.folder.empty()) {
        if (const auto made = make_empty_folder(arguments.folder); !made) { return fail(made.error()); }
    }
    const validator::Verdict verdict = validator::validate(*sare, *program, *options);
    std::optional<std::string> indices;
    if (verdict.outcome == Outcome::validated) { indices = describe_indices(*sare, *program); }
    std::string report;
    if (arguments.json) {
        report = json_of(verdict, indices);
    } else {
        if (arguments.explain) { report = validator::explain(verdict) + "\n"; }
        report += summary(verdict, indices, arguments.sums_fit);
    }
    if (!arguments.folder.empty()) {
        const auto count = write_queries(verdict, arguments.folder);
        if (!count) { return fail(count.error()); }
        if (!arguments.json) { report += fmt::format("queries         {} in {}\n", *count, arguments.folder); }
    }
    output.print(report);
    if (verdict.contradiction) { return own_fault; }
    return verdict.outcome == Outcome::validated && verdict.cross_checks.contradictions.empty() ? nothing_found
                                                                                                : findings;
}

}  // namespace

Command add_validate(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "validate", "Prove or refute that a SCHED program computes its specification for all sizes and inputs");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("specification", arguments->specification, "A SARE")->required();
    command->add_option("program", arguments->program, "A SCHED program with prophecies")->required();
    command->add_flag("--explain", arguments->explain,
                      "Print the derivation: for each statement the heap before and after it and its obligations; then "
                      "every obligation and what decided it");
    command->add_option("--emit-smt2", arguments->folder,
                        "Write the solver's queries, numbered, to this new or empty folder");
    command
        ->add_option("--float", arguments->floats,
                     "The arithmetic of floats: ieee (bit by bit), real (exact), or abstract (special values and "
                     "signs are IEEE's, operations are unknown functions, and sums have no order)")
        ->check(CLI::IsMember({"ieee", "real", "abstract"}))
        ->capture_default_str();
    command->add_flag("--sums-fit", arguments->sums_fit,
                      "Let signed integers be added in any order, as long as no partial sum overflows; a proof that "
                      "needs this says so");
    add_solver_options(*command, arguments->solvers);
    command->add_flag("--json", arguments->json, "Print the verdict as one line of JSON");
    command->footer(
        "Exit code 0 when the program is validated. Exit code 1 when it is refuted, undecided or unsupported, or when "
        "two\n"
        "solvers disagree. Exit code 3, a fault of haruspex, when every obligation holds but an interpreter shows that "
        "the\n"
        "program is wrong.\n"
        "\n"
        "Examples:\n"
        "  haruspex validate blur.sare blur.sched\n"
        "  haruspex validate blur.sare blur.sched --explain --solver both\n"
        "  haruspex validate blur.sare blur.sched --float real --emit-smt2 queries");
    return {command, [arguments](Output& output) { return validate(*arguments, output); }};
}

}  // namespace haruspex::cli
