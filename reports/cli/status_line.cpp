#include "reports/cli/status_line.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "oracle/verdict/verdict.h"
#include "reports/cli/output.h"

namespace haruspex::cli {
namespace {

constexpr std::chrono::seconds plain_interval{10};

std::size_t terminal_width() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80U;
}

}  // namespace

std::string clock(std::chrono::seconds time) {
    const auto seconds = time.count();
    if (seconds < 3600) { return fmt::format("{}:{:02}", seconds / 60, seconds % 60); }
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

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

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const campaign::Progress& progress) { show(to_string(progress), progress.elapsed); }

void StatusLine::show(std::string text, std::chrono::seconds elapsed) {
    if (terminal_) {
        // A wrapped line cannot be overwritten.
        text.resize(std::min(text.size(), terminal_width() - 1));
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
