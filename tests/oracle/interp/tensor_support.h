#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/base/fnv1a.h"
#include "oracle/interp/tensor_interpreter.h"
#include "tests/support/catch.h"
#include "tests/support/random_tensor.h"

// Random programs of whole tensors with sizes, and what their variables hold.
namespace haruspex::interp {

inline std::uint64_t scatter(const std::string& variable, const std::vector<std::int64_t>& indices) {
    std::string key = variable;
    for (const std::int64_t index : indices) { key += "," + std::to_string(index); }
    return fnv1a(key);
}

// Small numbers that depend on everything; `undefined_per_mille` of the variables that are no inputs are ⊥.
inline InputFunction small_numbers(const tensor::Program& program, unsigned undefined_per_mille = 0) {
    std::map<std::string, value::Type> types;
    std::set<std::string> inputs;
    for (const tensor::Declaration& d : program.declarations) {
        types[d.name] = d.element;
        if (d.input) { inputs.insert(d.name); }
    }
    return [=](const std::string& variable, const std::vector<std::int64_t>& indices) {
        const std::uint64_t random = scatter(variable, indices);
        const value::Type type = types.at(variable);
        if (!inputs.contains(variable) && random / 5 % 1000 < undefined_per_mille) { return value::Value::undef(type); }
        const auto number = static_cast<std::int64_t>(random % 5);
        return value::Value::integer(type, value::is_unsigned_integer(type) ? number : number - 2);
    };
}

inline Store done(const Result<Store>& store) {
    INFO((store ? std::string() : store.error().message));
    REQUIRE(store.has_value());
    return *store;
}

struct Drawn {
    tensor::Program program;
    Sizes sizes;
    std::int64_t multiple = 1;
};

inline Drawn draw(std::uint64_t seed, testing::TensorPrograms kind) {
    Choices choices(random_source(seed));
    kind.depth = 3;
    kind.most_rank = 2;
    Drawn drawn;
    drawn.program = testing::random_tensor_program(choices, kind);
    drawn.sizes = {{"N", choices.integer(1, 4)}, {"M", choices.integer(1, 4)}};
    drawn.multiple = choices.integer(1, 4);
    return drawn;
}

}  // namespace haruspex::interp
