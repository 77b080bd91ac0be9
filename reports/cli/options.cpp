#include "reports/cli/options.h"

#include <fmt/core.h>

#include "generators/base/numbers.h"
#include "reports/session/compilers.h"

namespace haruspex::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const auto check = [least, most](std::string& text) {
        const auto value = parse_number<std::uint64_t>(text);
        if (value && *value >= least && *value <= most) { return std::string(); }
        const bool unlimited = most == std::numeric_limits<std::uint64_t>::max();
        return fmt::format("expected a whole number from {} to {}, found {}", least,
                           unlimited ? "2^64 - 1" : std::to_string(most), text);
    };
    return CLI::Validator(check, "");
}

void add_compiler_option(CLI::App& command, std::string& name) {
    name = session::default_compiler();
    command.add_option("--compiler", name, "The compiler under test (see haruspex compilers)")
        ->capture_default_str()
        ->type_name("NAME");
}

void add_jobs_option(CLI::App& command, int& jobs, const std::string& description) {
    constexpr std::uint64_t most = 1024;  // more are most likely a typing error
    add_number(command, "--jobs", jobs, description, 1, most);
}

}  // namespace haruspex::cli
