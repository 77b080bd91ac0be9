#include "reports/cli/inputs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/value/type.h"
#include "reports/cli/options.h"

namespace haruspex::cli {
namespace {

constexpr std::array<std::pair<std::string_view, interp::Filling>, 3> fillings{
    {{"zero", interp::Filling::zero}, {"uninit", interp::Filling::uninit}, {"noise", interp::Filling::noise}}};

}  // namespace

cases::InputDomain small_numbers(value::Type type) {
    value::Range range{type, 0, 1, 0};
    if (value::is_unsigned_integer(type)) { range = {type, 0, 9, 0}; }
    if (value::is_signed_integer(type)) { range = {type, -9, 9, 0}; }
    if (value::is_float(type)) { range = {type, -36, 36, 2}; }
    return {range, false};
}

void add_padding_options(CLI::App& command, std::optional<std::int64_t>& pad, std::string& fill,
                         const std::string& description) {
    std::vector<std::string> names;
    for (const auto& [name, filling] : fillings) { names.emplace_back(name); }
    CLI::Option* option = command.add_option("--pad", pad, description)->check(whole_number(1, std::uint64_t{1} << 20));
    command.add_option("--fill", fill, "Content of the padding: zero, uninit or noise")
        ->check(CLI::IsMember(names))
        ->capture_default_str()
        ->needs(option);
}

interp::Filling filling_named(const std::string& name) {
    const auto found = std::ranges::find_if(fillings, [&](const auto& one) { return one.first == name; });
    ENSURE(found != fillings.end(), "the command line allows names of fillings only");
    return found->second;
}

}  // namespace haruspex::cli
