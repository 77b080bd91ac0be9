#include "reports/cli/describe.h"

#include <fmt/ranges.h>

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
        line("tensor", difference->tensor);
        if (difference->component != 0) { line("component", std::to_string(difference->component)); }
        line("cell", fmt::format("({})", fmt::join(difference->cell, ", ")));
        line("expected", value::to_string(difference->expected));
        line("actual", value::to_string(difference->actual));
        line("differ", fmt::format("{} of {} cells", difference->differing_cells, difference->compared_cells));
    }
    return text;
}

ExitCode exit_code_of(verdict::Class cls) {
    // A case written by hand may well be bad.
    if (cls == verdict::Class::bad_case) { return bad_input; }
    if (verdict::is_own_fault(cls)) { return own_fault; }
    return verdict::is_finding(cls) ? findings : nothing_found;
}

}  // namespace haruspex::cli
