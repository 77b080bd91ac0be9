#include "reports/cli/status_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "oracle/verdict/verdict.h"
#include "reports/cli/output.h"
#include "reports/cli/screen.h"

namespace haruspex::cli {
namespace {

constexpr std::chrono::seconds plain_interval{10};

}  // namespace

std::string to_string(const campaign::Progress& progress) {
    std::string text = fmt::format("{} cases, {:.1f}/s", progress.done, progress.cases_per_second);
    // Agreeing cases are left out: they are the remainder.
    for (const auto& [name, cases] : progress.by_class) {
        if (name != verdict::name(verdict::Class::agrees)) { text += fmt::format(", {} {}", name, cases); }
    }
    if (progress.not_filed > 0) { text += fmt::format(", {} not filed (disk quota)", progress.not_filed); }
    return text + ", " + (progress.left ? clock(*progress.left) + " left" : clock(progress.elapsed) + " so far");
}

void note_group(std::size_t number, std::size_t count, const bugs::Group& group) {
    note(fmt::format("{} of {} groups: {}\n", number, count, group.name));
}

StatusLine::StatusLine(Kind kind) : terminal_(kind == Kind::fitting && takes_control_sequences(stderr)) {}

void StatusLine::show(const campaign::Progress& progress) { show(to_string(progress), progress.elapsed); }

void StatusLine::show(std::string text, std::chrono::seconds elapsed) {
    if (terminal_) {
        // A wrapped line cannot be overwritten.
        text.resize(std::min(text.size(), size_of_terminal(stderr).width - 1));
        std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
        shown_ = true;
    } else if (elapsed - last_ >= plain_interval) {
        std::fprintf(stderr, "%s\n", text.c_str());
        last_ = elapsed;
    }
    std::fflush(stderr);
}

void StatusLine::finish() {
    if (shown_) { std::fputs("\r\x1b[K", stderr); }
    shown_ = false;
}

}  // namespace haruspex::cli
