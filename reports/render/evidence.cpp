#include "reports/render/evidence.h"

#include <algorithm>

#include "generators/sare/outline.h"
#include "harness/sched/text.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/validator/evaluation/interface_check.h"
#include "reports/render/words.h"

namespace haruspex::render {
namespace {

std::string statement_after(const std::vector<compiler::Lowered>& programs, const std::string& pass) {
    const auto found = std::ranges::find(programs, pass, &compiler::Lowered::pass);
    return found == programs.end() ? std::string() : found->statement;
}

// Evaluates the cell by the specification, and notes the inputs' cells that it reads.
void add_reference(const cases::Case& c, const verdict::Difference& difference, Evidence& evidence) {
    std::vector<smt::CellValue> cells;
    const auto input = [&](const std::string& name, const std::vector<std::int64_t>& indices) {
        const value::Value v = cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
        cells.push_back({name, 0, indices, v});
        return v;
    };
    interp::SareInterpreter interpreter(c.sare, c.sizes, input);
    const auto value = interpreter.evaluate(difference.tensor, difference.component, difference.cell);
    if (!value || !value->is_defined()) { return; }
    if (c.comparison == cases::Comparison::exact) { evidence.reference = *value; }
    evidence.inputs = std::move(cells);
}

// Adds the obligation by which the validator refutes the program.
void add_obligation(const cases::Case& c, const pipeline::LoweredProgram& lowered, Evidence& evidence) {
    const auto sizes = pipeline::bind_parameters(lowered.program, c, lowered.regions);
    const sare::Sare specification = sare::outlined(c.sare);
    if (!sizes || !validator::check_interface(specification, lowered.program, *sizes)) { return; }
    validator::Options options;
    options.sizes = *sizes;
    options.ladder.floats = c.strict_float ? validator::Floats::ieee : validator::Floats::real;
    options.ladder.keep_queries = true;
    // A tenth of the usual budgets: a report can do without an obligation that is not found at once.
    options.operations /= 10;
    options.evaluation_operations /= 10;
    options.obligation_operations /= 10;
    const validator::Verdict verdict = validator::validate(specification, lowered.program, options);
    if (verdict.outcome != validator::Outcome::refuted || !verdict.deciding) { return; }
    evidence.obligation = verdict.judgements[*verdict.deciding];
    if (!evidence.obligation->smt.empty()) { evidence.query = evidence.obligation->smt.back(); }
}

}  // namespace

Evidence gather(const cases::Case& c, const verdict::Verdict& verdict, compiler::ForkServer& server) {
    compiler::Request request;
    request.run = false;
    request.lower = request.snapshots = request.statements = true;
    const compiler::Observation observation = server.observe(c, request);
    Evidence evidence;
    if (verdict.pass && !is_where_it_failed(verdict)) {
        evidence.wrong_pass = WrongPass{verdict.pass->after, verdict.pass->upto, {}, {}};
    }
    if (evidence.wrong_pass) {
        evidence.wrong_pass->before = statement_after(observation.lowered, evidence.wrong_pass->last_right);
        evidence.wrong_pass->after = statement_after(observation.lowered, evidence.wrong_pass->first_wrong);
    }
    evidence.statement = statement_after(observation.lowered, std::string(verdict::final_program));
    if (evidence.statement.empty() && !observation.lowered.empty()) {
        evidence.last_pass = observation.lowered.back().pass;
    }
    if (verdict.difference) { add_reference(c, *verdict.difference, evidence); }
    if (const auto prophesied = pipeline::lower_with_prophecies(c, server)) {
        evidence.program = sched::print(prophesied->program);
        add_obligation(c, *prophesied, evidence);
    }
    return evidence;
}

}  // namespace haruspex::render
