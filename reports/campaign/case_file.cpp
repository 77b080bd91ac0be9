#include "reports/campaign/case_file.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "generators/base/fnv1a.h"
#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "reports/store/files.h"
#include "reports/store/gzip.h"

namespace haruspex::campaign {

Result<CaseFile> read_case_file(const std::filesystem::path& file) {
    const auto content = store::read_file(file);
    if (!content) { return fail(content.error()); }
    const auto text = store::unpacked(*content);
    if (!text) { return fail(Error{text.error().message, {file.string(), 0, 0}, {}}); }
    CaseFile result{hexadecimal(fnv1a(*text)), {}};
    int number = 0;
    for (std::string_view rest = *text; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        ++number;
        auto c = cases::parse_case(line, file.string());
        if (!c) {
            Error error = c.error();
            error.where.file = file.string();
            error.where.line = number;
            return fail(std::move(error));
        }
        result.cases.push_back(std::move(*c));
    }
    if (result.cases.empty()) { return fail(Error{"no case: expected one a line", {file.string(), 1, 1}, {}}); }
    return result;
}

Result<std::optional<CaseFile>> cases_of(Options& options, const compiler::Identity& identity) {
    if (!options.cases_from) { return std::nullopt; }
    auto file = read_case_file(*options.cases_from);
    if (!file) { return fail(file.error()); }
    const auto other =
        std::ranges::find_if(file->cases, [&](const cases::Case& c) { return c.compiler != identity.name; });
    if (other != file->cases.end()) {
        return fail(options.cases_from->string() + ": case " + std::to_string(other - file->cases.begin()) +
                    " is for the compiler " + other->compiler + "; expected cases for " + identity.name);
    }
    const std::uint64_t all = file->cases.size();
    if (options.first >= all) {
        return fail(options.cases_from->string() + " has " + std::to_string(all) + " cases: none is the " +
                    std::to_string(options.first) + "th after the first");
    }
    options.cases = std::min(options.cases.value_or(all), all - options.first);
    return std::move(*file);
}

cases::Case case_at(std::uint64_t index, const Options& options, const CaseFile* file,
                    const compiler::Identity& identity) {
    return file != nullptr
               ? file->cases.at(index)
               : random::campaign_case(options.seed, index, options.policy, compiler::language_of(identity));
}

}  // namespace haruspex::campaign
