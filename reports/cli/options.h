#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "generators/random/policy.h"

// Options that several commands have.
namespace haruspex::cli {

// Returns a validator that accepts decimal digits of a number in the range, and nothing else. CLI11 itself would turn
// "-3" into a large number.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Adds an option for a number in the range; its help shows the number that it is now.
template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& names, Number& number, const std::string& description,
                        std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    return command.add_option(names, number, description)->check(whole_number(least, most))->capture_default_str();
}

// Adds the option --compiler. It sets `name`, which is default_compiler() if the option is not given.
void add_compiler_option(CLI::App& command, std::string& name);

// Adds the option --programs, a kind of programs (random::ProgramKind); absent unless it is given.
CLI::Option* add_programs_option(CLI::App& command, std::optional<std::string>& kind);
// The kind that the option names (ENSURE), else the one of a policy by default.
random::ProgramKind programs_of(const std::optional<std::string>& kind);

// Adds --jobs, for work whose outcome is the same for any number of them.
void add_jobs_option(CLI::App& command, int& jobs,
                     const std::string& description = "Number of worker processes; does not affect the outcome");

}  // namespace haruspex::cli
