#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "generators/value/operators.h"
#include "oracle/heap/heap.h"
#include "tests/support/random_relations.h"

// Concrete heaps: in each environment a map from cells to contents.
namespace haruspex::testing {

// Templates with 0 to 3 holes; the first has id 0.
struct Pool {
    static constexpr value::Type type = value::Type::i32;
    heap::Templates templates;
    heap::Template zero = templates.literal(value::Value::integer(type, 0));
    heap::Template s = templates.cell("S", 0, type, 0);
    heap::Template a = templates.cell("A", 0, type, 1);
    heap::Template b = templates.cell("B", 0, type, 2);
    heap::Template index = templates.embed(type);
    heap::Template product = templates.apply(value::BinaryOp::mul, a, b);

    std::vector<heap::Template> all() const { return {zero, s, a, b, index, product}; }
    std::vector<Shape> shapes() const {
        std::vector<Shape> shapes;
        for (const heap::Template t : all()) {
            shapes.emplace_back(heap::Templates::tuple_name(t), templates.holes(t));
        }
        return shapes;
    }
};

// One to two arrays of rank 0 to 2.
inline std::vector<Shape> random_arrays(Choices& choices) {
    std::vector<Shape> arrays;
    choices.sequence(1, 2, 500, [&](std::size_t i) {
        arrays.emplace_back(i == 0 ? "a" : "b", static_cast<std::size_t>(choices.integer(0, 2)));
    });
    return arrays;
}

// One or two parameters, and an iteration variable x.
inline World random_world(Choices& choices) {
    World world{{"N", 0, 2}};
    if (choices.boolean(400)) { world.push_back({"M", -1, 1}); }
    world.push_back({"x", 0, 3});
    return world;
}
inline World without_iteration(World world) {
    world.pop_back();
    return world;
}

// h1 ▷ h2 on memories.
inline Concrete updated(Concrete h1, const Concrete& h2) {
    for (const auto& [cell, contents] : h2) { h1[cell] = contents; }
    return h1;
}

inline Concrete united(Concrete h1, const Concrete& h2) {
    for (const auto& [cell, contents] : h2) { h1[cell].insert(contents.begin(), contents.end()); }
    return h1;
}

inline bool is_functional(const Concrete& memory) {
    return std::ranges::all_of(memory, [](const auto& entry) { return entry.second.size() == 1; });
}

// The value of a template with these indices, if `model` gives each cell's value from the tensor's name and the
// indices.
template <typename Model>
value::Value evaluate(const heap::Templates& templates, heap::Template t, const Row& holes, std::size_t& next,
                      const Model& model) {
    const auto of = [&](heap::Template operand) { return evaluate(templates, operand, holes, next, model); };
    const heap::Node& node = templates[t];
    if (const auto* literal = std::get_if<heap::Literal>(&node.what)) { return literal->value; }
    if (std::holds_alternative<heap::Embed>(node.what)) { return value::Value::integer(node.type, holes[next++]); }
    if (const auto* cell = std::get_if<heap::Cell>(&node.what)) {
        const auto first = holes.begin() + static_cast<std::ptrdiff_t>(next);
        next += cell->rank;
        return model(cell->tensor, Row(first, first + static_cast<std::ptrdiff_t>(cell->rank)));
    }
    if (const auto* unary = std::get_if<heap::Unary>(&node.what)) { return value::apply(unary->op, of(unary->a)); }
    if (const auto* select = std::get_if<heap::Select>(&node.what)) {
        const value::Value condition = of(select->condition), if_true = of(select->if_true);
        return value::select(condition, if_true, of(select->if_false));
    }
    const auto* binary = std::get_if<heap::Binary>(&node.what);
    ENSURE(binary != nullptr, "a template that the tests do not build");
    const value::Value a = of(binary->a);
    return value::apply(binary->op, a, of(binary->b));
}

template <typename Model>
value::Value evaluate(const heap::Templates& templates, const Tuple& expression, const Model& model) {
    std::size_t next = 0;
    return evaluate(templates, heap::Templates::of_tuple(expression.first), expression.second, next, model);
}

}  // namespace haruspex::testing
