#include <memory>

#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/print.h"
#include "harness/sched/text.h"
#include "oracle/pipeline/prophecies.h"
#include "reports/cli/commands.h"
#include "reports/cli/loading.h"
#include "reports/cli/mutant.h"
#include "reports/render/view.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    CaseArguments source;
    std::string form = "sare";
};

// The program in SCHED, with prophecies if they can be attached.
std::string with_prophecies(const cases::Case& c, const compiler::Lowered& plain) {
    const std::string* text = plain.text();
    if (text == nullptr) { return "# no translation: " + why_untranslated(plain) + "\n"; }
    const auto compiler = session::compiler_named(c.compiler);
    if (!compiler) { return "# " + to_string(compiler.error()) + "\n" + *text; }
    compiler::ForkServer server(**compiler, {});
    const auto prophesied = pipeline::lower_with_prophecies(c, server);
    return prophesied ? sched::print(prophesied->program)
                      : "# no prophecies: " + to_string(prophesied.error()) + "\n" + *text;
}

// The statement from which code is generated, as the compiler prints it or as SCHED; or SCHED after every observed
// pass.
Result<std::string> lowered(const cases::Case& c, const session::Origin& origin, const std::string& form) {
    compiler::Request request;
    request.run = false;
    request.lower = true;
    request.snapshots = form == "passes";
    request.statements = form == "stmt";
    const auto programs = session::lower(c, origin, request);
    if (!programs) { return fail(programs.error()); }
    if (form == "stmt") { return programs->back().statement; }
    if (form == "sched") { return with_prophecies(c, programs->back()); }
    std::string text;
    for (const compiler::Lowered& program : *programs) {
        if (!text.empty()) { text += "\n"; }
        if (form == "passes") { text += "# after " + program.pass + "\n"; }
        const std::string* translation = program.text();
        text += translation != nullptr ? *translation : "# no translation: " + why_untranslated(program) + "\n";
    }
    return text;
}

Result<std::string> shown(const LoadedCase& loaded, const std::string& form) {
    if (form == "sare") { return sare::print(loaded.c.sare); }
    if (form == "expanded") { return sare::print_expanded(loaded.c.sare); }
    if (form == "schedule") { return schedule::print(loaded.c.schedule); }
    if (form == "tensor") {
        const auto program = tensor::from_sare(loaded.c.sare);
        if (program) { return tensor::print(*program); }
        return fail(loaded.origin.error_in_program(
            program.error().tensor, "it is not a program of whole tensors: " + to_string(program.error())));
    }
    if (form == "json") { return cases::to_json(loaded.c, true) + "\n"; }
    if (form == "program") {
        const auto compiler = session::compiler_for(loaded.c, loaded.origin);
        if (!compiler) { return fail(compiler.error()); }
        auto program = render::view(loaded.c.compiler).program(loaded.c, loaded.verdict, (*compiler)->build_flags());
        if (!program) { return fail(program.error()); }
        return std::move(program->text);
    }
    return lowered(loaded.c, loaded.origin, form);
}

Result<ExitCode> show(const Arguments& arguments, Output& output) {
    const auto loaded = load_case(arguments.source);
    if (!loaded) { return fail(loaded.error()); }
    const auto text = shown(*loaded, arguments.form);
    if (!text) { return fail(text.error()); }
    output.print(*text);
    return nothing_found;
}

}  // namespace

Command add_show(CLI::App& app) {
    CLI::App* command = app.add_subcommand("show", "Print a case in another form");
    const auto arguments = std::make_shared<Arguments>();
    add_case_arguments(*command, arguments->source, "case");
    command
        ->add_option("--as", arguments->form,
                     "sare: the specification; expanded: with every stage's equations; program: a stand-alone program "
                     "for the compiler; tensor: the program over whole tensors, if it is one; schedule; json; stmt: "
                     "the lowered program in the compiler's notation; sched: "
                     "the lowered program as SCHED; passes: as SCHED after every observable pass")
        ->check(CLI::IsMember({"sare", "expanded", "program", "tensor", "schedule", "json", "stmt", "sched", "passes"}))
        ->capture_default_str();
    add_mutant_option(*command);
    command->footer(
        "Examples:\n"
        "  haruspex show case.json --as sare\n"
        "  haruspex show prog.sare prog.schedule --size W=64,H=32 --as json > case.json\n"
        "  haruspex show night/findings/GROUP/CASE --as program > repro.cpp");
    return {command, [arguments](Output& output) { return show(*arguments, output); }};
}

}  // namespace haruspex::cli
