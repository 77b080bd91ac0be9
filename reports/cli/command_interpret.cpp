#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/validator/evaluation/interface_check.h"
#include "reports/cli/commands.h"
#include "reports/cli/inputs.h"
#include "reports/cli/options.h"
#include "reports/cli/sizes.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string specification, program;
    std::vector<std::string> sizes;
    std::uint64_t input_seed = 0;
    std::optional<std::int64_t> pad;
    std::string fill = "uninit", floats = "ieee";
};

// Makes a case from the specification and the sizes; no compiler is involved.
Result<cases::Case> make_case(const Arguments& arguments) {
    const auto text = store::read_file(arguments.specification);
    if (!text) { return fail(text.error()); }
    auto sare = sare::parse_sare(*text, arguments.specification);
    if (!sare) { return fail(sare.error()); }
    auto sizes = sizes_of(arguments.sizes, *sare, {arguments.specification, *text});
    if (!sizes) { return fail(sizes.error()); }
    cases::Case c;
    c.input_seed = arguments.input_seed;
    c.strict_float = arguments.floats == "ieee";
    for (const sare::Input& input : sare->inputs) { c.inputs[input.name] = small_numbers(input.type); }
    c.sare = std::move(*sare);
    c.sizes = std::move(*sizes);
    return c;
}

// For each input, the bounding box of the cells that the specification reads.
class Reads {
public:
    void add(const std::string& input, const std::vector<std::int64_t>& cell) {
        auto& [low, high] = hulls_.try_emplace(input, cell, cell).first->second;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            low[d] = std::min(low[d], cell[d]);
            high[d] = std::max(high[d], cell[d]);
        }
    }
    std::vector<compiler::InputRegion> regions(const sare::Sare& sare) const {
        std::vector<compiler::InputRegion> regions;
        for (const sare::Input& input : sare.inputs) {
            const auto rank = static_cast<std::size_t>(input.rank);
            compiler::InputRegion region{input.name, std::vector<std::int64_t>(rank), std::vector<std::int64_t>(rank)};
            if (const auto found = hulls_.find(input.name); found != hulls_.end()) {
                region.min = found->second.first;
                for (std::size_t d = 0; d < rank; ++d) {
                    region.extent[d] = found->second.second[d] - found->second.first[d] + 1;
                }
            }
            regions.push_back(std::move(region));
        }
        return regions;
    }

private:
    std::map<std::string, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> hulls_;
};

interp::Options options_of(const Arguments& arguments) {
    interp::Options options;
    options.ignores_sign_of_zero = arguments.floats != "ieee";
    if (!arguments.pad) { return options; }
    options.padding = interp::Padding{*arguments.pad, filling_named(arguments.fill), arguments.input_seed};
    return options;
}

Result<ExitCode> interpret(const Arguments& arguments, Output& output) {
    const auto c = make_case(arguments);
    if (!c) { return fail(c.error()); }
    const auto text = store::read_file(arguments.program);
    if (!text) { return fail(text.error()); }
    const auto program = sched::parse_program(*text, arguments.program);
    if (!program) { return fail(program.error()); }
    Reads reads;
    const auto values = pipeline::input_values(*c);
    const auto reference = interp::evaluate_outputs(c->sare, c->sizes, [&](const std::string& input, const auto& cell) {
        reads.add(input, cell);
        return values(input, 0, cell);
    });
    if (!reference) { return fail(arguments.specification + ": " + reference.error().message); }
    const auto parameters = pipeline::bind_parameters(*program, *c, reads.regions(c->sare), arguments.pad.value_or(1));
    if (!parameters) { return fail(arguments.program + ": " + parameters.error().message); }
    Sizes sizes = *parameters;
    sizes.insert(c->sizes.begin(), c->sizes.end());
    if (const auto fits = validator::check_interface(c->sare, *program, sizes); !fits) {
        return fail(arguments.program + ": " + fits.error().message);
    }
    const auto execution = interp::run(*program, *parameters, values, options_of(arguments));
    if (!execution) { return fail(arguments.program + ": " + execution.error().message); }
    const verdict::LoweredOutcome outcome = judge::judge_lowered(*c, *reference, *execution);
    std::string report = to_string(outcome) + "\n";
    for (const interp::Trouble& trouble : execution->troubles) {
        report += std::string(name(trouble.kind)) + ": " + to_string(trouble) + "\n";
    }
    if (!execution->cut_short.empty()) { report += "not run to its end: " + execution->cut_short + "\n"; }
    output.print(report);
    return outcome.state == verdict::LoweredState::equal ? nothing_found : findings;
}

}  // namespace

Command add_interpret(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "interpret", "Run a SCHED program on small inputs and compare the result with its specification");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("specification", arguments->specification, "A SARE")->required();
    command->add_option("program", arguments->program, "A SCHED program")->required();
    add_size_option(*command, arguments->sizes);
    command->add_option("--input-seed", arguments->input_seed, "Seed of the inputs")->check(whole_number());
    add_padding_options(*command, arguments->pad, arguments->fill,
                        "Round the extents of all arrays up to multiples of this number, at most 1048576");
    command
        ->add_option("--float", arguments->floats,
                     "Equality of floats: ieee (bit by bit), or real (zeros of both signs are equal)")
        ->check(CLI::IsMember({"ieee", "real"}))
        ->capture_default_str();
    command->footer(
        "Exit code 1 when the program computes another result, has a race, or accesses memory out of bounds.\n"
        "\n"
        "Examples:\n"
        "  haruspex interpret blur.sare blur.sched --size W=16,H=9\n"
        "  haruspex interpret blur.sare blur.sched --size W=16,H=9 --pad 8 --fill noise");
    return {command, [arguments](Output& output) { return interpret(*arguments, output); }};
}

}  // namespace haruspex::cli
