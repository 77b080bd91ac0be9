#include "oracle/judge/outputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/base/ensure.h"

namespace haruspex::judge {
namespace {

std::string cell_name(const sare::Sare& sare, const std::string& tensor, int component,
                      const std::vector<std::int64_t>& cell) {
    std::string name = tensor + "(";
    for (std::size_t d = 0; d < cell.size(); ++d) { name += (d == 0 ? "" : ", ") + std::to_string(cell[d]); }
    name += ")";
    const auto definition = std::ranges::find(sare.tensors, tensor, &sare::Tensor::name);
    const bool several = definition != sare.tensors.end() && definition->types.size() > 1;
    return several ? fmt::format("{}[{}]", name, component) : name;
}

// The severity of an actual value: unwritten memory is the worst, and Undef comes from an overflow only.
int weight(const value::Value& actual) { return actual.is_undef() ? 0 : actual.is_uninit() ? 2 : 1; }

// expected(output, index) and actual(output, index) are the values of a cell.
template <typename Expected, typename Actual, typename Same>
std::optional<verdict::Difference> compare(const std::vector<interp::OutputValues>& shape, Expected&& expected,
                                           Actual&& actual, Same same) {
    std::optional<verdict::Difference> first;
    std::uint64_t differing = 0;
    std::uint64_t compared = 0;
    for (std::size_t output = 0; output < shape.size(); ++output) {
        const std::size_t cells = shape[output].cells.size();
        compared += cells;
        for (std::size_t index = 0; index < cells; ++index) {
            const value::Value e = expected(output, index);
            const value::Value a = actual(output, index);
            if (same(e, a)) { continue; }
            ++differing;
            if (first && weight(a) <= weight(first->actual)) { continue; }
            first = verdict::Difference{};
            first->tensor = shape[output].tensor;
            first->component = shape[output].component;
            first->cell = cell_at(shape[output], index);
            first->expected = e;
            first->actual = a;
        }
    }
    if (first) {
        first->differing_cells = differing;
        first->compared_cells = compared;
    }
    return first;
}

value::Value value_at(const compiler::TensorData& data, std::size_t index) {
    return value::Value::from_bits(data.type, data.bits[index]);
}

// The value that a program left in a cell; Uninit if its array has no such cell.
value::Value left_in(const interp::FinalArray& array, const interp::OutputValues& wanted, std::size_t index) {
    const bool is_same_box = array.min == wanted.min && array.extent == wanted.extent;
    if (is_same_box && index < array.cells.size()) { return array.cells[index]; }
    const value::Value* const left = interp::cell_of(array, cell_at(wanted, index));
    return left != nullptr ? *left : value::Value::uninit(wanted.cells[index].type());
}

}  // namespace

std::vector<std::int64_t> cell_at(const interp::OutputValues& output, std::size_t index) {
    std::vector<std::int64_t> cell = output.min;
    for (std::size_t d = 0; d < cell.size(); ++d) {
        const auto extent = static_cast<std::size_t>(output.extent[d]);
        cell[d] += static_cast<std::int64_t>(index % extent);
        index /= extent;
    }
    return cell;
}

std::string cell_name(const sare::Sare& sare, const interp::OutputValues& output,
                      const std::vector<std::int64_t>& cell) {
    return cell_name(sare, output.tensor, output.component, cell);
}

std::string cell_name(const sare::Sare& sare, const verdict::Difference& difference) {
    return cell_name(sare, difference.tensor, difference.component, difference.cell);
}

std::optional<std::string> misshapen(const sare::Sare& sare, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::TensorData>& data) {
    if (data.size() != reference.size()) {
        return fmt::format("{} output components instead of {}", data.size(), reference.size());
    }
    for (std::size_t i = 0; i < data.size(); ++i) {
        const interp::OutputValues& wanted = reference[i];
        const compiler::TensorData& seen = data[i];
        const std::string where = fmt::format("output component {}, {}[{}]: ", i, wanted.tensor, wanted.component);
        if (seen.tensor != wanted.tensor || seen.component != wanted.component) {
            return fmt::format("{}found {}[{}]", where, seen.tensor, seen.component);
        }
        const auto definition = std::ranges::find(sare.tensors, wanted.tensor, &sare::Tensor::name);
        ENSURE(definition != sare.tensors.end(), "an output is a tensor of the SARE");
        const value::Type type = definition->types[static_cast<std::size_t>(wanted.component)];
        if (seen.type != type) {
            return fmt::format("{}its type is {} instead of {}", where, value::name(seen.type), value::name(type));
        }
        if (seen.min != wanted.min || seen.extent != wanted.extent) { return where + "its box is another"; }
        if (seen.bits.size() != wanted.cells.size()) {
            return fmt::format("{}{} cells instead of {}", where, seen.bits.size(), wanted.cells.size());
        }
    }
    return std::nullopt;
}

SameValue equality(const cases::Case& c) { return c.strict_float ? &value::same_result : &value::same_number; }

std::optional<verdict::Difference> compare_with_reference(const std::vector<interp::OutputValues>& reference,
                                                          const std::vector<compiler::TensorData>& data,
                                                          SameValue same) {
    return compare(
        reference, [&](std::size_t output, std::size_t index) { return reference[output].cells[index]; },
        [&](std::size_t output, std::size_t index) { return value_at(data[output], index); }, same);
}

std::optional<verdict::Difference> compare_runs(const std::vector<interp::OutputValues>& reference,
                                                const std::vector<compiler::TensorData>& first,
                                                const std::vector<compiler::TensorData>& second, SameValue same) {
    return compare(
        reference, [&](std::size_t output, std::size_t index) { return value_at(first[output], index); },
        [&](std::size_t output, std::size_t index) { return value_at(second[output], index); }, same);
}

std::optional<verdict::Difference> compare_lowered(const std::vector<interp::OutputValues>& reference,
                                                   const std::vector<interp::FinalArray>& outputs, SameValue same) {
    std::vector<const interp::FinalArray*> arrays;
    for (const interp::OutputValues& wanted : reference) {
        const auto found = std::ranges::find_if(outputs, [&](const interp::FinalArray& array) {
            return array.tensor == wanted.tensor && array.component == wanted.component;
        });
        arrays.push_back(found == outputs.end() ? nullptr : &*found);
    }
    const auto is_same = [same](const value::Value& e, const value::Value& a) {
        // Where the specification is Undef any value is right, but there must be one.
        return e.is_undef() ? !a.is_uninit() : a.is_defined() && same(e, a);
    };
    return compare(
        reference, [&](std::size_t output, std::size_t index) { return reference[output].cells[index]; },
        [&](std::size_t output, std::size_t index) {
            if (arrays[output] == nullptr) { return value::Value::uninit(reference[output].cells[index].type()); }
            return left_in(*arrays[output], reference[output], index);
        },
        is_same);
}

}  // namespace haruspex::judge
