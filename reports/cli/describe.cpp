#include "reports/cli/describe.h"

#include <fmt/core.h>

namespace haruspex::cli {

std::string describe(const verdict::Verdict& verdict) {
    std::string text;
    const auto line = [&](const char* what, const std::string& words) {
        text += fmt::format("{:<9} {}\n", what, words);
    };
    line("class", std::string(verdict::name(verdict.cls)));
    if (!verdict.message.empty()) { line("message", verdict.message); }
    if (!verdict.phase.empty()) { line("phase", verdict.phase); }
    if (verdict.signal != 0) { line("signal", std::to_string(verdict.signal)); }
    if (verdict.lowered) { line("lowered", to_string(*verdict.lowered)); }
    if (verdict.own_sizes) { line("validator", to_string(*verdict.own_sizes)); }
    if (verdict.all_sizes) { line("all sizes", to_string(*verdict.all_sizes)); }
    if (verdict.indices) { line("indices", to_string(*verdict.indices)); }
    if (verdict.pass) { line("pass", to_string(*verdict.pass)); }
    for (const verdict::Warning& warning : verdict.warnings) { line("warning", to_string(warning)); }
    if (const auto& difference = verdict.difference) {
        std::string cell;
        for (const std::int64_t coordinate : difference->cell) {
            cell += (cell.empty() ? "" : ", ") + std::to_string(coordinate);
        }
        line("tensor", difference->tensor);
        if (difference->component != 0) { line("component", std::to_string(difference->component)); }
        line("cell", fmt::format("({})", cell));
        line("expected", value::to_string(difference->expected));
        line("actual", value::to_string(difference->actual));
        line("differ", fmt::format("{} of {} cells", difference->differing_cells, difference->compared_cells));
    }
    return text;
}

}  // namespace haruspex::cli
