#include "oracle/validator/evaluation/interface_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace haruspex::validator {
namespace {

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

struct Shape {
    std::vector<value::Type> types;
    std::size_t rank = 0;
    bool is_input = false;
};

std::string dimensions(std::size_t rank) { return std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions"); }

// Says why an array does not fit a tensor of this shape; empty if it fits.
std::string misfit(const sched::Array& array, const Shape& shape) {
    const auto component = static_cast<std::size_t>(array.component);
    if (array.role == sched::Role::input && !shape.is_input) { return "which is no input"; }
    if (component >= shape.types.size()) { return "which has no component " + std::to_string(component); }
    if (array.type != shape.types[component]) {
        return "whose type is " + std::string(value::name(shape.types[component])) + ", not " +
               std::string(value::name(array.type));
    }
    if (!has_rank(array, shape.rank)) {
        return "which has " + dimensions(shape.rank) + ", not " + std::to_string(array.dimensions.size());
    }
    return {};
}

}  // namespace

bool has_rank(const sched::Array& array, std::size_t rank) {
    return array.dimensions.size() == std::max<std::size_t>(rank, 1) || array.dimensions.size() == rank;
}

Result<void> check_interface(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes) {
    const auto open = [&](const std::vector<std::string>& parameters) {
        std::set<std::string> names(parameters.begin(), parameters.end());
        std::erase_if(names, [&](const std::string& name) { return sizes.contains(name); });
        return names;
    };
    if (open(sare.parameters) != open(program.parameters)) {
        return fail("its parameters are " + listed(program.parameters) + ", those of the specification " +
                    listed(sare.parameters));
    }
    std::map<std::string, Shape> shapes;
    for (const sare::Input& input : sare.inputs) {
        shapes[input.name] = {{input.type}, static_cast<std::size_t>(input.rank), true};
    }
    for (const sare::Tensor& tensor : sare.tensors) {
        shapes[tensor.name] = {tensor.types, tensor.variables.size(), false};
    }
    std::set<std::pair<std::string, int>> outputs;
    for (const sched::Array& array : program.arrays) {
        const auto shape = shapes.find(array.tensor);
        const std::string what = (array.role == sched::Role::input ? "input " : "output ") + array.name;
        if (shape == shapes.end()) {
            return fail(what + " is for " + array.tensor + ", which is no tensor of the specification");
        }
        if (const std::string why = misfit(array, shape->second); !why.empty()) {
            return fail(what + " is for " + array.tensor + ", " + why);
        }
        if (array.role == sched::Role::output && !outputs.emplace(array.tensor, array.component).second) {
            return fail(what + " is for " + array.tensor + ", for which there is another");
        }
    }
    return {};
}

}  // namespace haruspex::validator
