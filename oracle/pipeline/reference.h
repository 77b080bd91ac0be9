#pragma once

#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/interp/sare_interpreter.h"

// The values that the specification defines.
namespace haruspex::pipeline {

using Reference = Result<std::vector<interp::OutputValues>>;

// Evaluates the SARE on the case's inputs. Also an Error if an index of the SARE does not fit 32 bits, in which
// compilers compute it.
[[nodiscard]] Reference evaluate_reference(const cases::Case& c);

// Whether there is a reference, and each requested cell has a defined value in it.
bool is_defined(const Reference& reference);

}  // namespace haruspex::pipeline
