#include "reports/cli/options.h"

#include <fmt/core.h>

#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"
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

CLI::Option* add_programs_option(CLI::App& command, std::optional<std::string>& kind) {
    std::vector<std::string> names;
    for (const random::ProgramKind one : random::all_program_kinds) { names.emplace_back(name(one)); }
    return command
        .add_option(
            "--programs", kind,
            "The programs that are drawn: affine algorithms, or tensor: programs of whole tensors (see haruspex "
            "tensor), translated; affine unless given")
        ->check(CLI::IsMember(names))
        ->type_name("KIND");
}

random::ProgramKind programs_of(const std::optional<std::string>& kind) {
    if (!kind) { return random::Policy().programs; }
    const auto found = enumerator_named(random::all_program_kinds, *kind);
    ENSURE(found.has_value(), "the command line allows names of kinds only");
    return *found;
}

void add_jobs_option(CLI::App& command, int& jobs, const std::string& description) {
    constexpr std::uint64_t most = 1024;  // more are most likely a typing error
    add_number(command, "--jobs", jobs, description, 1, most);
}

}  // namespace haruspex::cli
