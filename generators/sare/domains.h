#pragma once

#include <string>
#include <vector>

#include "generators/sare/fault.h"
#include "generators/sare/syntax.h"

// The well-formedness checks (wellformed.h) that need arithmetic on domains.
namespace haruspex::sare {

// A definition as written: an equation, or an update; an update's domain is its recurrence domain and its filter.
struct Definition {
    Subject subject;
    std::vector<std::string> variables;
    Condition domain;
    const std::vector<Expr>* values;
};

// Tensors that are not total by construction: they have several equations, or one with a condition.
using PartialTensors = std::vector<const Tensor*>;

// Checks that the assumptions are satisfiable, reductions are bounded, equations of a partial tensor have disjoint
// domains, and every cell of a partial tensor that is read or requested is defined. All other checks must have passed.
Checked check_domains(const std::vector<std::string>& parameters, const Condition& assumptions,
                      const std::vector<Definition>& definitions, const PartialTensors& partial,
                      const std::vector<Output>& outputs);

}  // namespace haruspex::sare
