#include "oracle/pipeline/prophecies.h"

#include <algorithm>
#include <utility>

#include "generators/value/value.h"
#include "harness/sched/text.h"
#include "harness/sched/transplant.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/pipeline/factored.h"
#include "oracle/pipeline/lowered_run.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/validator/specification/staged_reductions.h"

namespace haruspex::pipeline {
namespace {

std::expected<LoweredProgram, NoProgram> lower(const cases::Case& c, compiler::ForkServer& server,
                                               bool with_prophecies) {
    compiler::Request request;
    request.run = false;
    request.lower = !with_prophecies;
    request.prophecies = with_prophecies;
    return last_lowered(server.observe(c, request));
}

std::unexpected<NoProgram> none(std::string kind, std::string detail = {}, bool is_compiler_limit = false) {
    return std::unexpected(NoProgram{{std::move(kind), std::move(detail)}, is_compiler_limit});
}

std::string cell_name(const interp::ProphesiedWrite& write) {
    std::string text = write.tensor + "(";
    for (std::size_t d = 0; d < write.coordinates.size(); ++d) {
        text += (d == 0 ? "" : ", ") + std::to_string(write.coordinates[d]);
    }
    return text + ")" + (write.component == 0 ? "" : "[" + std::to_string(write.component) + "]");
}

bool has_cell(const sare::Sare& sare, const interp::ProphesiedWrite& write) {
    const auto tensor = std::ranges::find(sare.tensors, write.tensor, &sare::Tensor::name);
    return tensor != sare.tensors.end() && tensor->variables.size() == write.coordinates.size() &&
           static_cast<std::size_t>(write.component) < tensor->types.size();
}

}  // namespace

std::string to_string(const NoProgram& none) {
    return none.is_compiler_limit ? "time limit: " + none.what.detail : haruspex::to_string(none.what);
}

std::expected<LoweredProgram, NoProgram> last_lowered(const compiler::Observation& observation) {
    if (observation.lowered.empty()) {
        return is_stopped(observation) ? none("nothing lowered", observation.message, true) : none("nothing lowered");
    }
    const compiler::Lowered& lowered = observation.lowered.back();
    const std::string* text = lowered.text();
    if (text == nullptr) { return none("translation", why_untranslated(lowered)); }
    auto program = sched::parse_program(*text, "lowered");
    if (!program) { return none("malformed", haruspex::to_string(program.error())); }
    return LoweredProgram{std::move(*program), observation.input_regions};
}

std::expected<LoweredProgram, NoProgram> lower_with_prophecies(const cases::Case& c, compiler::ForkServer& server) {
    auto plain = lower(c, server, false);
    if (!plain) { return plain; }
    const auto prophesied = lower(c, server, true);
    if (!prophesied) {
        if (prophesied.error().is_compiler_limit) { return prophesied; }
        return none("with prophecies", to_string(prophesied.error()));
    }
    auto program = sched::transplant(plain->program, prophesied->program);
    if (!program) { return none(std::string(name(program.error().part)), program.error().statement); }
    return LoweredProgram{std::move(*program), std::move(plain->regions)};
}

Result<ProphecyCheck> check_prophecies(const cases::Case& c, const LoweredProgram& prophesied,
                                       std::uint64_t most_steps) {
    const auto parameters = bind_parameters(prophesied.program, c, prophesied.regions);
    if (!parameters) { return fail(parameters.error()); }
    const auto sare = prophesied_specification(c);
    if (!sare) { return fail(to_string(sare.error())); }
    interp::SareInterpreter specification(*sare, c.sizes, [&](const std::string& input, const auto& cell) {
        return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
    });
    std::vector<validator::StagedReduction> reductions = validator::staged_reductions(*sare);
    constexpr validator::Arithmetic most_liberal{.exact_reals = true, .are_numbers = true, .sums_fit = true};
    std::erase_if(reductions,
                  [&](const auto& reduction) { return !validator::allows_any_order(reduction, most_liberal); });
    const auto is_step = [&](const interp::ProphesiedWrite& write) {
        return std::ranges::any_of(reductions, [&](const validator::StagedReduction& reduction) {
            return reduction.stage == write.tensor && reduction.component == write.component;
        });
    };
    ProphecyCheck check;
    interp::Options options;
    options.most_steps = most_steps;
    options.prophesied = [&](const interp::ProphesiedWrite& write) {
        if (write.value.is_uninit()) {
            ++check.uninit;
            return;
        }
        if (!has_cell(*sare, write)) {
            ++check.unspecified;
            return;
        }
        const auto expected = specification.evaluate(write.tensor, write.component, write.coordinates);
        // Where the specification overflows, any value may be written; signs of zero are left to the judge.
        const bool is_right = expected && (expected->is_undef() ||
                                           (write.value.is_defined() && value::same_number(*expected, write.value)));
        if (!is_right && expected && write.value.is_defined() && is_step(write)) {
            ++check.reordered;
            return;
        }
        ++(is_right ? check.right : check.wrong);
        if (is_right || !check.first_wrong.empty()) { return; }
        check.first_wrong = cell_name(write) + " is " +
                            (expected ? value::to_string(*expected) : "nothing (" + expected.error().message + ")") +
                            ", but " + value::to_string(write.value) + " was written";
    };
    const auto run = interp::run(prophesied.program, *parameters, input_values(c), options);
    if (!run) { return fail(run.error()); }
    if (!run->cut_short.empty()) { return fail(run->cut_short); }
    return check;
}

}  // namespace haruspex::pipeline
