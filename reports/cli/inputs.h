#pragma once

#include <string>
#include <vector>

#include "generators/case/case.h"
#include "oracle/interp/sched_execution.h"

// Inputs and padding of programs that are interpreted without a compiler.
namespace haruspex::cli {

// A range of small numbers, including negative and fractional ones where the type has them.
cases::InputDomain small_numbers(value::Type type);

// The names of the fillings of padding, for --fill.
std::vector<std::string> filling_names();
// The filling of this name (ENSURE).
interp::Filling filling_named(const std::string& name);

}  // namespace haruspex::cli
