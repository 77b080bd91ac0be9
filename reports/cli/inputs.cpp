#include "reports/cli/inputs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/value/type.h"

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

std::vector<std::string> filling_names() {
    std::vector<std::string> names;
    for (const auto& [name, filling] : fillings) { names.emplace_back(name); }
    return names;
}

interp::Filling filling_named(const std::string& name) {
    const auto found = std::ranges::find_if(fillings, [&](const auto& one) { return one.first == name; });
    ENSURE(found != fillings.end(), "the command line allows names of fillings only");
    return found->second;
}

}  // namespace haruspex::cli
