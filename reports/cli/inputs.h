#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "generators/case/case.h"
#include "oracle/interp/sched_execution.h"

// Inputs and padding of programs that are interpreted without a compiler.
namespace haruspex::cli {

// A range of small numbers, including negative and fractional ones where the type has them.
cases::InputDomain small_numbers(value::Type type);

// Adds --pad, with this description, and --fill, the name of a filling of padding.
void add_padding_options(CLI::App& command, std::optional<std::int64_t>& pad, std::string& fill,
                         const std::string& description);
// The filling of this name (ENSURE).
interp::Filling filling_named(const std::string& name);

}  // namespace haruspex::cli
