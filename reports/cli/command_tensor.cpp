#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/sare/text.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/parser.h"
#include "generators/tensor/print.h"
#include "generators/tensor/wellformed.h"
#include "oracle/interp/tensor_interpreter.h"
#include "reports/cli/commands.h"
#include "reports/cli/describe.h"
#include "reports/cli/inputs.h"
#include "reports/cli/loading.h"
#include "reports/cli/options.h"
#include "reports/cli/sizes.h"
#include "reports/render/table.h"
#include "reports/render/tensor_text.h"
#include "reports/render/words.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    CaseArguments source;  // the file, and what a case has besides
    std::optional<std::int64_t> pad;
    std::string fill = "zero", form = "values";
    bool compiles = false;
};

bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// Formats a line for each variable: its role, its type, and its type at the sizes and with padding where they differ.
std::string types_text(const tensor::Program& program, const tensor::Context& here,
                       const std::optional<tensor::Context>& padded) {
    const std::vector<std::string> inputs = tensor::inputs_of(program), outputs = tensor::outputs_of(program);
    const tensor::Context types = tensor::context_of(program);
    render::Table table{{}, {"tensor", "role", "type"}};
    if (!program.parameters.empty()) { table.header.emplace_back("at these sizes"); }
    if (padded) { table.header.emplace_back("padded"); }
    for (const tensor::Declaration& d : program.declarations) {
        std::vector<std::string> roles;
        if (holds(inputs, d.name)) { roles.emplace_back("input"); }
        if (holds(outputs, d.name)) { roles.emplace_back("output"); }
        std::vector<std::string> row{d.name, fmt::format("{}", fmt::join(roles, ", ")), to_string(types.at(d.name))};
        if (!program.parameters.empty()) { row.push_back(to_string(here.at(d.name))); }
        if (padded) { row.push_back(to_string(padded->at(d.name))); }
        table.rows.push_back(std::move(row));
    }
    return to_text(table);
}

// The variables when the program starts: inputs have small numbers, all others are undefined.
interp::InputFunction initial_values(const tensor::Program& program, std::uint64_t seed) {
    const std::vector<std::string> inputs = tensor::inputs_of(program);
    std::map<std::string, value::Type> elements;
    for (const tensor::Declaration& d : program.declarations) { elements.emplace(d.name, d.element); }
    return [=](const std::string& name, const std::vector<std::int64_t>& indices) {
        const value::Type element = elements.at(name);
        if (!holds(inputs, name)) { return value::Value::undef(element); }
        return cases::input_value(seed, name, small_numbers(element), indices);
    };
}

std::string contents(const interp::Store& store, const std::vector<std::string>& names, const std::string& when) {
    std::string text;
    for (const std::string& name : names) { text += "\n" + when + render::to_text(name, store.at(name)); }
    return text;
}

std::string difference_text(const interp::TensorDifference& difference) {
    return fmt::format("exact and padded evaluation differ: {}({}) is {}, padded {}\n", difference.variable,
                       fmt::join(difference.indices, ", "), render::plain_value(difference.exact),
                       render::plain_value(difference.padded));
}

// Evaluates the program, with padding as well if that was asked for.
Result<ExitCode> evaluate(const Arguments& arguments, const session::SourceText& source, const tensor::Program& program,
                          Output& output) {
    const auto sizes = sizes_of(arguments.source.sizes, program.parameters, program.assumptions, source);
    if (!sizes) { return fail(sizes.error()); }
    const auto refuse = [&](const Error& error) { return fail(source.file + ": " + error.message); };
    const auto context = tensor::context_at(program, *sizes);
    if (!context) { return refuse(context.error()); }
    const std::uint64_t seed = arguments.source.seed.value_or(0);
    const interp::InputFunction initial = initial_values(program, seed);
    const interp::Padding padding{arguments.pad.value_or(1), filling_named(arguments.fill), seed};
    const auto start = interp::d_pad_var(*context, initial, padding);
    if (!start) { return refuse(start.error()); }
    const auto exact = interp::ev_prog(program, *sizes, initial);
    if (!exact) { return refuse(exact.error()); }
    const auto padded = arguments.pad ? interp::ev_pad_prog(program, *sizes, initial, padding) : exact;
    if (!padded) { return refuse(padded.error()); }

    const std::vector<std::string> outputs = tensor::outputs_of(program);
    std::string text = types_text(
        program, *context, arguments.pad ? std::optional(interp::rounded(*context, padding.multiple)) : std::nullopt);
    text += contents(*start, tensor::inputs_of(program), "input ");
    text += contents(*padded, outputs, "output ");
    const auto difference = interp::first_difference(*exact, *padded, outputs);
    if (arguments.pad) {
        text += "\n" + (difference ? difference_text(*difference)
                                   : "exact and padded evaluation agree on the original extents\n");
    }
    output.print(text);
    return difference ? findings : nothing_found;
}

// Puts the program's SARE to the compiler, as `haruspex run` does.
Result<ExitCode> compile(const CaseArguments& arguments, const session::SourceText& source, Output& output) {
    const auto loaded = load_tensor_program(arguments, source);
    if (!loaded) { return fail(loaded.error()); }
    const auto judged = session::judge(loaded->c, loaded->origin);
    if (!judged) { return fail(judged.error()); }
    output.print("\n" + describe(*judged));
    return exit_code_of(judged->cls);
}

Result<ExitCode> run(const Arguments& arguments, Output& output) {
    if (arguments.form == "sare" && (arguments.pad || arguments.compiles)) {
        return fail("--as sare: nothing is evaluated or compiled; --pad and --run are for --as values");
    }
    // Before anything is read or printed.
    if (arguments.compiles) { session::become_owner_of(arguments.source.compiler); }
    auto source = read_source(arguments.source.file);
    if (!source) { return fail(source.error()); }
    source->comment = tensor::comment;
    const auto program = tensor::parse_program(source->text, source->file);
    if (!program) { return fail(program.error()); }
    if (arguments.form == "sare") {
        const auto sare = translated(*program, *source);
        if (!sare) { return fail(sare.error()); }
        output.print(sare::print(*sare));
        return nothing_found;
    }
    const auto evaluated = evaluate(arguments, *source, *program, output);
    if (!evaluated || !arguments.compiles) { return evaluated; }
    const auto compiled = compile(arguments.source, *source, output);
    return compiled ? std::max(*evaluated, *compiled) : compiled;
}

}  // namespace

Command add_tensor(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("tensor", "Evaluate a program of whole tensors, also with padding, and compare the results");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("program", arguments->source.file, "A program of whole tensors")->required();
    add_size_option(*command, arguments->source.sizes);
    command->add_option("--seed", arguments->source.seed, "Seed of the inputs; 0 unless given")->check(whole_number());
    add_padding_options(*command, arguments->pad, arguments->fill,
                        "Also evaluate with extents rounded up to multiples of this number, at most 1048576, and say "
                        "whether that changes the outputs");
    command
        ->add_option("--as", arguments->form,
                     "values: types, inputs and outputs; sare: the program translated to a SARE")
        ->check(CLI::IsMember({"values", "sare"}))
        ->capture_default_str();
    CLI::Option* compiles = command->add_flag("--run", arguments->compiles,
                                              "Also translate the program to a SARE, compile it, and judge it as "
                                              "haruspex run does, on inputs that it chooses");
    command
        ->add_option("--schedule", arguments->source.schedule,
                     "The schedule with which the program is compiled, one directive a line; empty unless given")
        ->needs(compiles);
    add_compiler_option(*command, arguments->source.compiler);
    command->get_option("--compiler")->needs(compiles);
    command->footer(
        "Exit code 1 when padding changes an output, and when the verdict on the compiled program is a finding.\n"
        "\n"
        "Examples:\n"
        "  haruspex tensor matmul.tensor --size N=8,M=3\n"
        "  haruspex tensor matmul.tensor --size N=8,M=3 --pad 4 --fill noise\n"
        "  haruspex tensor matmul.tensor --as sare > matmul.sare\n"
        "  haruspex tensor matmul.tensor --size N=8,M=3 --run --schedule matmul.schedule");
    return {command, [arguments](Output& output) { return run(*arguments, output); }};
}

}  // namespace haruspex::cli
