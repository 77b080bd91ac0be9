#include "harness/halide/lowering.h"

#include <sstream>

#include "harness/halide/native_run.h"
#include "harness/halide/prophecy.h"
#include "harness/sched/text.h"

namespace haruspex::halide {
namespace {

Interface interface_of(Program& program, const cases::Case& c) {
    Interface interface{c.sare.name, c.sare.parameters, {}, {}};
    for (const auto& [tensor, func] : program.funcs) { interface.functions[func.name()] = tensor; }
    for (const auto& [tensor, types] : program.types) {
        for (std::size_t k = 0; k < types.size(); ++k) {
            if (types[k] != value::Type::boolean) { continue; }
            interface.bool_arrays.insert(types.size() == 1 ? tensor : tensor + "." + std::to_string(k));
        }
    }
    for (const Input* input : inputs_read(program)) {
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

}  // namespace

Lowering::Lowering(Program& program, const cases::Case& c, const compiler::Request& request,
                   const std::function<void(const compiler::Lowered&)>& report, std::chrono::nanoseconds& time)
    : interface_(interface_of(program, c)), request_(request), report_(report), time_(time), observing_(*this) {}

void Lowering::report(const std::string& pass, const Halide::Internal::Stmt& statement) {
    const auto start = std::chrono::steady_clock::now();
    const auto program = translate(statement, interface_, dialect_);
    compiler::Lowered lowered{pass, {}, {}, {}};
    if (request_.statements) {
        std::ostringstream words;
        words << statement;
        lowered.statement = words.str();
    }
    if (program) {
        lowered.program = sched::print(*program);
    } else {
        lowered.unsupported = program.error();
    }
    report_(lowered);
    time_ += std::chrono::steady_clock::now() - start;
}

Halide::Internal::Stmt Lowering::after(const std::string& pass, const Halide::Internal::Stmt& result,
                                       const std::map<std::string, Halide::Internal::Function>* environment) {
    // One program is lowered once; whatever Halide lowers beside it is none of ours.
    if (done_) { return result; }
    if (pass == "storage_flattening") { dialect_ = Dialect::linear; }
    if (pass == "allocation_bounds_inference") { bounds_known_ = true; }
    if (request_.foretell && pass == "schedule_functions") { return foretell(result, *environment); }
    const int times = ++calls_[pass];
    if (request_.snapshots && bounds_known_) { report(times == 1 ? pass : pass + "." + std::to_string(times), result); }
    return result;
}

void Lowering::final_statement(const Halide::Internal::Stmt& statement) {
    if (done_) { return; }
    done_ = true;
    report("final", statement);
}

void lower(Program& program, const cases::Case& c) {
    Halide::Target target(c.target);
    target.set_feature(Halide::Target::JIT);
    target.set_feature(Halide::Target::UserContext);
    program.pipeline.compile_to_module(program.pipeline.infer_arguments(), c.sare.name + "_lowered", target);
}

}  // namespace haruspex::halide
