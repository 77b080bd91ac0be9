#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "generators/base/choice.h"
#include "generators/random/tensor_program.h"

// Random well-formed programs of whole tensors, less tame than those of cases.
namespace haruspex::testing {

struct TensorPrograms {
    std::vector<value::Type> elements{value::Type::i32, value::Type::u8, value::Type::f32};
    bool divides = false;  // by anything, also by zero
    int depth = 3;
    std::size_t most_rank = 3;
};

// Draws a program of up to five statements (draw_tensors). Variables that are read first are qualified as inputs, or none
// is; any variable may be assigned.
inline tensor::Program random_tensor_program(Choices& choices, const TensorPrograms& kind = {}) {
    random::TensorPolicy policy;
    policy.qualified_per_mille = 600;
    policy.another_statement_per_mille = 700;
    policy.assigned_again_per_mille = 350;
    policy.most_rank = kind.most_rank;
    policy.first_dimension_per_mille = 650;
    policy.another_dimension_per_mille = 650;
    policy.extent = {3, 3, 4, 4, 1};
    policy.plain_statement_per_mille = 1000;
    policy.depth = kind.depth;
    policy.most_inner_rank = std::numeric_limits<std::size_t>::max();
    policy.form = {3, 4, 2, 4, 4, 3};
    policy.divides = kind.divides;
    policy.divisors_are_inputs = false;
    const value::Type element = choices.one_of(kind.elements);
    return random::draw_tensors(choices, policy, element);
}

}  // namespace haruspex::testing
