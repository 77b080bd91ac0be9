#include "reports/campaign/case_file.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "generators/base/fnv1a.h"
#include "generators/case/json.h"
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

}  // namespace haruspex::campaign
