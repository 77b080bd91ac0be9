#include "generators/sare/floats.h"

#include <algorithm>

#include "generators/base/overload.h"

namespace haruspex::sare {
namespace {

bool is_of_floats(const Expr& expr, const std::set<Component>& known) {
    const auto any = [&](const auto&... parts) { return (is_of_floats(*parts, known) || ...); };
    return std::visit(
        Overload{[](const Literal& n) { return value::is_float(n.value.type()); },
                 [](const Embed& n) { return value::is_float(n.type); }, [](const Guard&) { return false; },
                 [&](const Access& n) { return known.contains({n.tensor, static_cast<std::size_t>(n.component)}); },
                 [&](const Unary& n) { return any(n.a); }, [&](const Binary& n) { return any(n.a, n.b); },
                 [&](const Select& n) { return any(n.condition, n.if_true, n.if_false); },
                 [&](const Cast& n) { return value::is_float(n.type) || any(n.a); },
                 [&](const Reduce& n) { return any(n.body); }},
        expr.node);
}

}  // namespace

std::set<Component> components_of_floats(const Sare& sare) {
    std::set<Component> known;
    for (const Input& input : sare.inputs) {
        if (value::is_float(input.type)) { known.emplace(input.name, 0); }
    }
    for (std::size_t before = known.size() + 1; before != known.size();) {
        before = known.size();
        for (const Tensor& tensor : sare.tensors) {
            for (std::size_t k = 0; k < tensor.types.size(); ++k) {
                const bool is_made = std::ranges::any_of(tensor.equations, [&](const Equation& equation) {
                    return is_of_floats(equation.values[k], known);
                });
                if (is_made || value::is_float(tensor.types[k])) { known.emplace(tensor.name, k); }
            }
        }
    }
    return known;
}

bool has_floats(const Sare& sare) { return !components_of_floats(sare).empty(); }

std::set<Component> outputs_without_floats(const Sare& sare) {
    const std::set<Component> known = components_of_floats(sare);
    std::set<Component> without;
    for (const Output& output : sare.outputs) {
        const auto tensor = std::ranges::find(sare.tensors, output.tensor, &Tensor::name);
        const std::size_t components = tensor == sare.tensors.end() ? 1 : tensor->types.size();
        for (std::size_t k = 0; k < components; ++k) {
            if (!known.contains({output.tensor, k})) { without.emplace(output.tensor, k); }
        }
    }
    return without;
}

}  // namespace haruspex::sare
