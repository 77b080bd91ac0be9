#include "tests/reports/campaign/reference_compiler.h"

#include "oracle/interp/sare_interpreter.h"

namespace haruspex::test {

compiler::Observation ReferenceCompiler::observe(const cases::Case& c, const compiler::Request&,
                                                 const compiler::Progress& progress) {
    progress.enter(compiler::Phase::first_run);
    compiler::Observation observation;
    const auto outputs = interp::evaluate_outputs(c.sare, c.sizes, [&](const auto& name, const auto& indices) {
        return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
    });
    if (outputs) {
        for (const interp::OutputValues& output : *outputs) {
            compiler::TensorData data{output.tensor, output.component, value::Type::i32, output.min, output.extent, {}};
            for (const value::Value& cell : output.cells) {
                data.type = cell.type();
                data.bits.push_back(cell.is_defined() ? cell.bit_pattern() : 0);
            }
            observation.first.push_back(data);
        }
    }
    observation.second = observation.first;
    if (mischief_) {
        mischief_(c, observation);
        // Both runs agree, whatever the mischief changed.
        observation.second = observation.first;
    }
    return observation;
}

}  // namespace haruspex::test
