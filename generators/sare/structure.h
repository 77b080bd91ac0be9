#pragma once

#include <set>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/fault.h"
#include "generators/sare/syntax.h"

// The checks of systems and algorithms that need no isl: names, scopes, ranks, types, the order of definitions.
namespace haruspex::sare {

// Checks the parts that SAREs and algorithms have in common: parameters, assumptions, inputs.
Checked check_header(const std::string& name, const std::vector<std::string>& parameters, const Condition& assumptions,
                     const std::vector<Input>& inputs);
Signatures input_signatures(const std::vector<Input>& inputs);
// Names of parameters, inputs and tensors must be distinct: all of them become names in the compiler.
Checked check_distinct(const std::vector<std::string>& parameters, const std::vector<Input>& inputs,
                       const std::vector<std::string>& tensors);
Checked check_tensor(const Tensor& tensor, const std::vector<std::string>& parameters, const Signatures& tensors);
Checked check_function(const Function& f, const std::vector<std::string>& parameters, const Signatures& tensors);
Checked check_outputs(const std::vector<Output>& outputs, const std::vector<std::string>& parameters,
                      const Signatures& defined);

// The names that the expressions read; the caller removes its own.
std::set<std::string> reads(const std::vector<Expr>& values);

// Makes all checks of an algorithm but those that need isl: that reductions are bounded and assumptions satisfiable.
[[nodiscard]] Result<void> check_structure(const Algorithm& algorithm);

}  // namespace haruspex::sare
