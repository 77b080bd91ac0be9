#include "harness/halide/lowering.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "generators/sare/build.h"
#include "generators/sare/tokens.h"
#include "harness/halide/bounds_query.h"
#include "harness/halide/passes.h"
#include "harness/halide/prophecy.h"
#include "harness/halide/translate.h"
#include "harness/sched/text.h"
#include "harness/sched/typing.h"

namespace haruspex::halide {
namespace {

Interface interface_of(const Program& program, const std::vector<Input*>& inputs, const cases::Case& c) {
    Interface interface{c.sare.name, c.sare.parameters, {}, {}, {}, c.strict_float};
    for (const auto& [tensor, func] : program.funcs) { interface.functions[func.name()] = tensor; }
    for (const auto& [tensor, types] : program.types) {
        for (std::size_t k = 0; k < types.size(); ++k) {
            if (types[k] != value::Type::boolean) { continue; }
            interface.bool_arrays.insert(types.size() == 1 ? tensor : tensor + "." + std::to_string(k));
        }
    }
    for (const Input* input : inputs) {
        interface.buffers.push_back({sched::Role::input, input->param.name(), input->name, input->name, 0, 1,
                                     input->type, input->param.dimensions()});
    }
    for (const BufferArgument& input : interface.buffers) {
        if (input.type == value::Type::boolean) { interface.bool_arrays.insert(input.name); }
    }
    for (const sare::Output& output : c.sare.outputs) {
        const std::vector<value::Type>& types = program.types.at(output.tensor);
        const int count = static_cast<int>(types.size());
        for (int k = 0; k < count; ++k) {
            const std::string component = count == 1 ? "" : "." + std::to_string(k);
            interface.buffers.push_back({sched::Role::output, program.funcs.at(output.tensor).name() + component,
                                         output.tensor + component, output.tensor, k, count,
                                         types[static_cast<std::size_t>(k)], static_cast<int>(output.box.size())});
        }
    }
    return interface;
}

class Lowering : public LoweringWatch, private PassObserver {
public:
    Lowering(Program& program, const std::vector<Input*>& inputs, const cases::Case& c,
             const compiler::Request& request, const compiler::Progress& progress, compiler::Observation& observation);

private:
    Halide::Internal::Stmt before(const std::string& pass, const Halide::Internal::Stmt& statement) override;
    Halide::Internal::Stmt after(const std::string& pass, const Halide::Internal::Stmt& result,
                                 const std::map<std::string, Halide::Internal::Function>* environment) override;
    void final_statement(const Halide::Internal::Stmt& statement) override;
    // Takes note that lowering has come to the pass, which may have gone past others that are not observed.
    void arrive_at(std::string_view pass);
    void report(const std::string& pass, const Halide::Internal::Stmt& statement);
    void answer_bounds_query(const Halide::Internal::Stmt& statement);

    const cases::Case& case_;
    Interface interface_;
    compiler::Request request_;
    const compiler::Progress& progress_;
    compiler::Observation& observation_;
    Dialect dialect_ = Dialect::coordinates;
    bool bounds_known_ = false;
    std::map<std::string, int> calls_;
    bool done_ = false;
    ScopedPassObserver observing_;
};

Lowering::Lowering(Program& program, const std::vector<Input*>& inputs, const cases::Case& c,
                   const compiler::Request& request, const compiler::Progress& progress,
                   compiler::Observation& observation)
    : case_(c),
      interface_(interface_of(program, inputs, c)),
      request_(request),
      progress_(progress),
      observation_(observation),
      observing_(*this) {}

void Lowering::report(const std::string& pass, const Halide::Internal::Stmt& statement) {
    const auto start = std::chrono::steady_clock::now();
    const auto program = translate(statement, interface_, dialect_);
    compiler::Lowered lowered{pass, {}, {}};
    if (request_.statements) {
        std::ostringstream words;
        words << statement;
        lowered.statement = words.str();
    }
    if (program && sched::nests_too_deeply(*program)) {
        lowered.program = Feature{"deep nesting", "more than " + std::to_string(sched::max_depth) + " levels"};
    } else if (program) {
        std::string text = sched::print(*program);
        if (text.size() > sare::max_text) {
            lowered.program = compiler::LongText{sare::max_text};
        } else {
            lowered.program = compiler::ProgramText{std::move(text)};
        }
    } else {
        std::visit([&](const auto& what) { lowered.program = what; }, program.error());
    }
    progress_.lowered(lowered);
    observation_.timings.translate += std::chrono::steady_clock::now() - start;
}

void Lowering::answer_bounds_query(const Halide::Internal::Stmt& statement) {
    const auto start = std::chrono::steady_clock::now();
    std::map<std::string, Region> outputs;
    for (const BufferArgument& b : interface_.buffers) {
        if (b.role != sched::Role::output) { continue; }
        const auto output = std::ranges::find(case_.sare.outputs, b.tensor, &sare::Output::tensor);
        for (const sare::Span& span : output->box) {
            outputs[b.compiler_name].min.push_back(sare::evaluate(span.min, case_.sizes));
            outputs[b.compiler_name].extent.push_back(sare::evaluate(span.extent, case_.sizes));
        }
    }
    const auto regions = query_bounds(statement, interface_, case_.sizes, outputs);
    if (regions) {
        progress_.regions(*regions);
    } else {
        observation_.regions_unknown = regions.error().reason;
        observation_.why_regions_unknown = regions.error().words;
    }
    observation_.timings.bounds += std::chrono::steady_clock::now() - start;
}

void Lowering::arrive_at(std::string_view pass) {
    const std::size_t place = place_of(pass);
    if (place >= place_of("allocation_bounds_inference")) { bounds_known_ = true; }
    if (place >= place_of("storage_flattening")) { dialect_ = Dialect::linear; }
}

Halide::Internal::Stmt Lowering::before(const std::string& pass, const Halide::Internal::Stmt& statement) {
    return request_.prophecies && !done_ && pass == "split_tuples" ? hide_as_lets(statement) : statement;
}

Halide::Internal::Stmt Lowering::after(const std::string& pass, const Halide::Internal::Stmt& after_pass,
                                       const std::map<std::string, Halide::Internal::Function>* environment) {
    // One program is lowered once; anything else that Halide lowers is ignored.
    if (done_) { return after_pass; }
    const Halide::Internal::Stmt result =
        request_.prophecies && pass == "split_tuples" ? show_as_calls(after_pass) : after_pass;
    arrive_at(pass);
    if (request_.prophecies && pass == "schedule_functions") { return add_prophecies(result, *environment); }
    const int times = ++calls_[pass];
    if (request_.snapshots && bounds_known_) { report(times == 1 ? pass : pass + "." + std::to_string(times), result); }
    return result;
}

void Lowering::final_statement(const Halide::Internal::Stmt& statement) {
    if (done_) { return; }
    done_ = true;
    arrive_at(last_pass);
    report("final", statement);
    if (!request_.run) { answer_bounds_query(statement); }
}

}  // namespace

std::unique_ptr<LoweringWatch> watch_lowering(Program& program, const std::vector<Input*>& inputs, const cases::Case& c,
                                              const compiler::Request& request, const compiler::Progress& progress,
                                              compiler::Observation& observation) {
    if (!request.lower && !request.snapshots && !request.prophecies) { return nullptr; }
    const compiler::Unobserved hidden = unobserved();
    if (hidden.lowered || (request.prophecies && hidden.prophecies)) { return nullptr; }
    return std::make_unique<Lowering>(program, inputs, c, request, progress, observation);
}

compiler::Unobserved unobserved() {
    // The library stays the same as long as the process lives.
    static const compiler::Unobserved hidden = unobserved(pass_hooks());
    return hidden;
}

}  // namespace haruspex::halide
