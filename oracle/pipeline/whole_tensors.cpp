#include "oracle/pipeline/whole_tensors.h"

#include <algorithm>
#include <string>
#include <vector>

#include "generators/tensor/dataflow.h"
#include "generators/tensor/from_sare.h"

namespace haruspex::pipeline {
namespace {

// The first cell in which the store differs from the reference.
std::optional<interp::TensorDifference> first_difference(const std::vector<interp::OutputValues>& reference,
                                                         const interp::Store& store) {
    for (const interp::OutputValues& output : reference) {
        const interp::StoredTensor& found = store.at(output.tensor);
        // Both have dimension 1 fastest, and the boxes begin at 0 (from_sare).
        for (std::size_t p = 0; p < output.cells.size(); ++p) {
            const value::Value &a = output.cells[p], &b = found.cells.at(p);
            const bool agree = a.is_defined() && b.is_defined() ? value::same_number(a, b) : a == b;
            if (!agree) { return interp::TensorDifference{output.tensor, found.indices(p), a, b}; }
        }
    }
    return std::nullopt;
}

}  // namespace

Result<WholeTensors> evaluate_whole_tensors(const cases::Case& c, const Reference& reference, std::int64_t multiple,
                                            std::uint64_t most_steps) {
    const auto program = tensor::from_sare(c.sare);
    if (!program) { return fail(to_string(program.error())); }
    if (!reference) { return fail(reference.error()); }
    if (std::ranges::any_of(c.inputs, [](const auto& input) { return input.second.special_values; })) {
        return fail("inputs have special values");
    }
    const auto is_input = [&](const std::string& name) { return c.inputs.contains(name); };
    const interp::InputFunction initial = [&](const std::string& name, const std::vector<std::int64_t>& indices) {
        if (is_input(name)) { return cases::input_value(c.input_seed, name, c.inputs.at(name), indices); }
        const auto declared = std::ranges::find(program->declarations, name, &tensor::Declaration::name);
        return value::Value::undef(declared->element);
    };
    interp::TensorLimits limits;
    limits.most_steps = most_steps;
    const auto exact = interp::ev_prog(*program, c.sizes, initial, limits);
    if (!exact) { return fail(exact.error()); }
    const auto padded = interp::ev_pad_prog(*program, c.sizes, initial, {multiple, interp::Filling::zero}, limits);
    if (!padded) { return fail(padded.error()); }
    return WholeTensors{first_difference(*reference, *exact),
                        interp::first_difference(*exact, *padded, tensor::outputs_of(*program))};
}

}  // namespace haruspex::pipeline
