#include "reports/cli/sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "generators/base/numbers.h"
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"

namespace haruspex::cli {
namespace {

// "W=16"
Result<void> add_size(Sizes& sizes, const std::string& text) {
    const std::size_t sign = text.find('=');
    const bool named = sign != std::string::npos && sign > 0;
    const auto value = named ? parse_number<std::int64_t>(std::string_view(text).substr(sign + 1)) : std::nullopt;
    if (!value) { return fail("--size: expected a size such as W=16, found \"" + text + "\""); }
    const std::string name = text.substr(0, sign);
    // Compilers under test take parameters as 32-bit integers.
    using Limits = std::numeric_limits<std::int32_t>;
    if (*value < Limits::min() || *value > Limits::max()) {
        return fail("--size: expected a size of 32 bits, found \"" + text + "\"");
    }
    if (!sizes.emplace(name, *value).second) { return fail("--size: two sizes for " + name); }
    return {};
}

Result<Sizes> parse_sizes(const std::vector<std::string>& texts) {
    Sizes sizes;
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            if (auto added = add_size(sizes, text.substr(begin, end - begin)); !added) { return fail(added.error()); }
            begin = end + 1;
        }
    }
    return sizes;
}

// "W", "W and H", "W, H and K"
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
}

// "W=7, H=1"
std::string listed(const std::vector<std::string>& names, const Sizes& sizes) {
    std::string text;
    for (const std::string& name : names) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, sizes.at(name));
    }
    return text;
}

}  // namespace

void add_size_option(CLI::App& command, std::vector<std::string>& texts) {
    // With more than one argument per option, the following file name would be read as a size.
    command.add_option("--size", texts, "The value of each parameter of the program: W=64,H=32; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
}

Result<Sizes> sizes_of(const std::vector<std::string>& texts, const std::vector<std::string>& parameters,
                       const sare::Condition& assumptions, const session::SourceText& program) {
    auto sizes = parse_sizes(texts);
    if (!sizes) { return fail(sizes.error()); }
    for (const auto& [name, value] : *sizes) {
        if (std::ranges::find(parameters, name) != parameters.end()) { continue; }
        const std::string others = parameters.empty() ? "it has none" : "it has " + listed(parameters);
        return fail("--size: " + program.file + " has no parameter " + name + "; " + others);
    }
    std::vector<std::string> missing;
    std::string option;
    for (const std::string& parameter : parameters) {
        if (sizes->contains(parameter)) { continue; }
        option += (missing.empty() ? "--size " : ",") + parameter + "=N";
        missing.push_back(parameter);
    }
    if (!missing.empty()) {
        const std::string kind = missing.size() == 1 ? "parameter " : "parameters ";
        return fail(session::error_at_word(program, missing.front(),
                                           "no size for " + kind + listed(missing) + "; add " + option));
    }
    if (sare::try_evaluate(assumptions, *sizes) != true) {
        return fail(session::error_at_word(program, "assuming",
                                           "the program does not allow the sizes " + listed(parameters, *sizes) +
                                               ": it assumes " + sare::print(assumptions)));
    }
    return sizes;
}

Result<Sizes> sizes_of(const std::vector<std::string>& texts, const sare::Sare& sare,
                       const session::SourceText& program) {
    return sizes_of(texts, sare.parameters, sare.assumptions, program);
}

}  // namespace haruspex::cli
