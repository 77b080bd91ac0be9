#include "reports/cli/loading.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "generators/case/json.h"
#include "generators/random/written_case.h"
#include "generators/sare/fold.h"
#include "generators/schedule/language.h"
#include "generators/tensor/parser.h"
#include "generators/tensor/to_sare.h"
#include "reports/cli/options.h"
#include "reports/cli/sizes.h"
#include "reports/session/compilers.h"
#include "reports/store/files.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

bool has_whole_tensors(const std::string& file) { return std::filesystem::path(file).extension() == ".tensor"; }

bool is_program(const CaseArguments& arguments) {
    return !arguments.schedule.empty() || std::filesystem::path(arguments.file).extension() == ".sare" ||
           has_whole_tensors(arguments.file);
}

// Parses a program of the compiler from its text.
using Parse = Result<sare::Sare> (*)(const session::SourceText& source, const schedule::Language& language);

Result<sare::Sare> parse_equations(const session::SourceText& source, const schedule::Language& language) {
    return schedule::parse_program(source.text, source.file, language);
}

Result<sare::Sare> parse_whole_tensors(const session::SourceText& source, const schedule::Language& language) {
    const auto program = tensor::parse_program(source.text, source.file);
    if (!program) { return fail(program.error()); }
    for (const tensor::Declaration& d : program->declarations) {
        if (std::ranges::find(language.types(), d.element) != language.types().end()) { continue; }
        return fail(session::error_at_word(source, d.name,
                                           fmt::format("{} has no type {}: expected one of {}", language.compiler(),
                                                       value::name(d.element), value::names(language.types()))));
    }
    return translated(*program, source);
}

// Reads the program unless `program` is its text.
Result<LoadedCase> load_program(const CaseArguments& arguments, Parse parse,
                                std::optional<session::SourceText> program = std::nullopt) {
    if (arguments.file == "-" && arguments.schedule == "-") {
        return fail("standard input is either the program or the schedule; name a file for the other one");
    }
    session::become_owner_of(arguments.compiler);
    const auto* language = schedule::find_language(arguments.compiler);
    if (language == nullptr) { return fail(session::compiler_named(arguments.compiler).error()); }
    const std::string default_target(language->default_target());
    if (arguments.target == "") { return fail("--target: expected a target such as " + default_target); }
    if (!program) {
        auto text = read_source(arguments.file);
        if (!text) { return fail(text.error()); }
        program = std::move(*text);
    }
    auto sare = parse(*program, *language);
    if (!sare) { return fail(sare.error()); }

    random::Written written;
    session::Origin origin(program->file);
    if (!arguments.schedule.empty()) {
        auto text = read_source(arguments.schedule);
        if (!text) { return fail(text.error()); }
        auto schedule = language->parse(text->text, text->file);
        if (!schedule) { return fail(schedule.error()); }
        written.schedule = std::move(*schedule);
        origin.schedule = std::move(*text);
    }
    auto sizes = sizes_of(arguments.sizes, *sare, *program);
    if (!sizes) { return fail(sizes.error()); }
    written.sare = std::move(*sare);
    written.sizes = std::move(*sizes);
    written.input_seed = arguments.seed.value_or(0);
    written.strict_float = arguments.strict_float;
    written.target = arguments.target.value_or(default_target);
    origin.program = std::move(*program);
    const auto compiler = session::compiler_named(arguments.compiler);
    if (!compiler) { return fail(compiler.error()); }
    return LoadedCase{random::case_of(std::move(written), compiler::language_of((*compiler)->identity())),
                      std::move(origin)};
}

}  // namespace

Result<session::SourceText> read_source(const std::string& argument) {
    if (argument.empty()) { return fail("\"\": no such file"); }
    const bool is_stream = argument == "-";
    auto text = store::read_file(is_stream ? "/dev/stdin" : argument);
    if (!text) { return fail(text.error()); }
    return session::SourceText{is_stream ? "<stdin>" : argument, std::move(*text),
                               has_whole_tensors(argument) ? tensor::comment : session::SourceText().comment};
}

Result<sare::Sare> translated(const tensor::Program& program, const session::SourceText& source) {
    auto translation = tensor::to_sare(program);
    if (translation) { return sare::folded(translation->sare); }
    const tensor::Untranslatable& why = translation.error();
    return fail(session::error_at_word(source, why.variable, to_string(why)));
}

void add_case_arguments(CLI::App& command, CaseArguments& arguments, const std::string& name) {
    command
        .add_option(name, arguments.file,
                    "A case file, the folder of a finding or an issue, - for standard input, or a program (.sare, or "
                    ".tensor for one of whole tensors), of which the next argument and the options below say what else "
                    "a case has")
        ->required();
    command.add_option("schedule", arguments.schedule,
                       "The schedule of a program, one directive a line; empty unless given");
    add_size_option(command, arguments.sizes);
    command.add_option("--seed", arguments.seed, "Seed of the program's inputs; 0 unless given")->check(whole_number());
    add_compiler_option(command, arguments.compiler);
    command
        .add_option("--target", arguments.target,
                    "Target for which the program is compiled; the compiler's default target unless given")
        ->type_name("TARGET");
    command.add_flag("--strict-float", arguments.strict_float,
                     "Compile with strict floats and compare them bit by bit, even where they are rounded");
}

Result<LoadedCase> load_case(const CaseArguments& arguments) {
    if (is_program(arguments)) {
        return load_program(arguments, has_whole_tensors(arguments.file) ? parse_whole_tensors : parse_equations);
    }
    if (!arguments.sizes.empty() || arguments.seed || arguments.target || arguments.strict_float) {
        return fail(arguments.file +
                    ": a case has its own sizes, seed and target; --size, --seed, --target and --strict-float are for "
                    "a program (.sare or .tensor)");
    }
    return load_case(arguments.file);
}

Result<LoadedCase> load_tensor_program(const CaseArguments& arguments, session::SourceText source) {
    return load_program(arguments, parse_whole_tensors, std::move(source));
}

Result<LoadedCase> load_case(const std::string& argument) {
    if (argument.empty()) { return fail("\"\": no such file or folder"); }
    const std::filesystem::path folder = argument;
    std::error_code error;
    if (argument != "-" && std::filesystem::is_directory(folder, error)) {
        const bool is_issue = std::filesystem::exists(folder / "case.json", error) &&
                              std::filesystem::exists(folder / "report.md", error);
        if (is_issue) { return load_case((folder / "case.json").string()); }
        session::become_owner_of_finding(folder);
        auto finding = store::load_finding(folder);
        if (!finding) { return fail(finding.error()); }
        return LoadedCase{std::move(finding->c), argument, std::move(finding->verdict), finding->seed, finding->index};
    }
    const bool is_stream = argument == "-";
    const auto text = store::read_file(is_stream ? "/dev/stdin" : argument);
    if (!text) { return fail(text.error()); }
    session::become_owner_of(cases::compiler_in(*text), is_stream ? *text : std::string());
    const auto beside = [&](const std::string& name) {
        return store::read_file(std::filesystem::path(argument).parent_path() / name);
    };
    auto c = cases::parse_case(*text, is_stream ? "<stdin>" : argument,
                               is_stream ? cases::FilesBeside() : cases::FilesBeside(beside));
    if (!c) { return fail(c.error()); }
    return LoadedCase{std::move(*c), argument};
}

}  // namespace haruspex::cli
