#include "oracle/pipeline/prophecies.h"

#include <algorithm>

#include "generators/value/value.h"
#include "harness/sched/text.h"
#include "harness/sched/transplant.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/pipeline/factored.h"
#include "oracle/pipeline/lowered.h"

namespace haruspex::pipeline {
namespace {

std::expected<LoweredProgram, std::string> lower(const cases::Case& c, compiler::ForkServer& server, bool foretell) {
    compiler::Request request;
    request.run = false;
    request.lower = !foretell;
    request.foretell = foretell;
    return last_lowered(server.observe(c, request));
}

std::string cell_name(const interp::ForetoldWrite& write) {
    std::string text = write.tensor + "(";
    for (std::size_t d = 0; d < write.coordinates.size(); ++d) {
        text += (d == 0 ? "" : ", ") + std::to_string(write.coordinates[d]);
    }
    return text + ")" + (write.component == 0 ? "" : "[" + std::to_string(write.component) + "]");
}

bool has_cell(const sare::Sare& sare, const interp::ForetoldWrite& write) {
    const auto tensor = std::ranges::find(sare.tensors, write.tensor, &sare::Tensor::name);
    return tensor != sare.tensors.end() && tensor->variables.size() == write.coordinates.size() &&
           static_cast<std::size_t>(write.component) < tensor->types.size();
}

}  // namespace

std::expected<LoweredProgram, std::string> last_lowered(const compiler::Observation& observation) {
    if (observation.lowered.empty()) {
        const bool is_of_time = observation.outcome == compiler::Outcome::timed_out;
        return std::unexpected(is_of_time ? "time limit: " + observation.message : "nothing lowered");
    }
    const compiler::Lowered& lowered = observation.lowered.back();
    if (!lowered.unsupported.empty()) { return std::unexpected("unsupported: " + lowered.unsupported); }
    auto program = sched::parse_program(lowered.program, "lowered");
    if (!program) { return std::unexpected("malformed: " + to_string(program.error())); }
    return LoweredProgram{std::move(*program), observation.input_regions};
}

std::expected<LoweredProgram, std::string> lower_with_prophecies(const cases::Case& c, compiler::ForkServer& server) {
    auto plain = lower(c, server, false);
    if (!plain) { return plain; }
    const auto foretold = lower(c, server, true);
    if (!foretold) {
        const bool is_of_time = foretold.error().starts_with("time limit");
        return std::unexpected((is_of_time ? "" : "with prophecies: ") + foretold.error());
    }
    auto program = sched::transplant(plain->program, foretold->program);
    if (!program) { return std::unexpected(program.error()); }
    return LoweredProgram{std::move(*program), std::move(plain->regions)};
}

Result<ProphecyCheck> check_prophecies(const cases::Case& c, const LoweredProgram& foretold, std::uint64_t most_steps) {
    const auto parameters = bind_parameters(foretold.program, c, foretold.regions);
    if (!parameters) { return fail(parameters.error()); }
    const auto sare = foretold_specification(c);
    if (!sare) { return fail(sare.error()); }
    interp::SareInterpreter specification(*sare, c.sizes, [&](const std::string& input, const auto& cell) {
        return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
    });
    ProphecyCheck check;
    interp::Options options;
    options.most_steps = most_steps;
    options.foretold = [&](const interp::ForetoldWrite& write) {
        if (write.value.is_uninit()) {
            ++check.uninit;
            return;
        }
        if (!has_cell(*sare, write)) {
            ++check.unspecified;
            return;
        }
        const auto expected = specification.evaluate(write.tensor, write.component, write.coordinates);
        // Where the specification overflows, anything may be written; signs of zero are the judge's matter.
        const bool is_right = expected && (expected->is_undef() ||
                                           (write.value.is_defined() && value::same_number(*expected, write.value)));
        ++(is_right ? check.right : check.wrong);
        if (is_right || !check.first_wrong.empty()) { return; }
        check.first_wrong = cell_name(write) + " is " +
                            (expected ? value::to_string(*expected) : "nothing (" + expected.error().message + ")") +
                            ", but " + value::to_string(write.value) + " was written";
    };
    const auto run = interp::run(foretold.program, *parameters, input_values(c), options);
    if (!run) { return fail(run.error()); }
    if (!run->cut_short.empty()) { return fail(run->cut_short); }
    return check;
}

}  // namespace haruspex::pipeline
