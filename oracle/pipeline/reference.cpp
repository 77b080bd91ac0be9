#include "oracle/pipeline/reference.h"

#include <algorithm>

namespace haruspex::pipeline {

Reference evaluate_reference(const cases::Case& c) {
    const auto input = [&c](const std::string& name, const std::vector<std::int64_t>& indices) {
        return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
    };
    // An index that overflows 32 bits, as in compiled code, is the case's fault.
    constexpr int compiled_index_bits = 32;
    return interp::evaluate_outputs(c.sare, c.sizes, input, interp::default_most_steps, compiled_index_bits);
}

bool is_defined(const Reference& reference) {
    return reference && std::ranges::all_of(*reference, [](const interp::OutputValues& output) {
               return std::ranges::all_of(output.cells, &value::Value::is_defined);
           });
}

}  // namespace haruspex::pipeline
