#pragma once

#include <vector>

#include "generators/sare/fault.h"

// The checks that need arithmetic on domains.
namespace haruspex::sare {

// A definition as it is written: an equation, or an update with its steps and filter as the domain.
struct Definition {
    Subject subject;
    std::vector<std::string> variables;
    Condition domain;
    const std::vector<Expr>* values;
};

// A tensor that is not total by construction: it has several equations or a domain.
using PartialTensors = std::vector<const Tensor*>;

// Satisfiable assumptions, bounded reductions, disjoint domains of the partial tensors, and every cell of them that is
// read or requested is defined. Everything else is sound already.
Checked check_domains(const std::vector<std::string>& parameters, const Condition& assumptions,
                      const std::vector<Definition>& definitions, const PartialTensors& partial,
                      const std::vector<Output>& outputs);

}  // namespace haruspex::sare
