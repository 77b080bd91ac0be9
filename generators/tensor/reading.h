#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/tensor/no_program.h"
#include "generators/tensor/syntax.h"

// Reads the right-hand side of an equation as an expression over whole tensors (from_sare.h).
namespace haruspex::tensor {

// Returns the expression whose element at the variables, in this order, is `value`.
std::expected<Expr, NoProgram::Reason> read_whole(const sare::Expr& value, const std::vector<std::string>& variables);

// Returns the extent, over parameters, of a sum over one variable that begins at 0; nullopt for any other sum.
std::optional<sare::Index> extent_of_sum(const sare::Reduce& sum, const std::vector<std::string>& parameters);

}  // namespace haruspex::tensor
