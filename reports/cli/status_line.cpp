#include "reports/cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "oracle/verdict/verdict.h"

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
    char text[64];
    if (seconds >= 3600) {
        std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", static_cast<long long>(seconds / 3600),
                      static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
    } else {
        std::snprintf(text, sizeof text, "%lld:%02lld", static_cast<long long>(seconds / 60),
                      static_cast<long long>(seconds % 60));
    }
    return text;
}

std::string to_string(const campaign::Progress& progress) {
    char rate[64];
    std::snprintf(rate, sizeof rate, "%.1f/s", progress.cases_per_second);
    std::string text = std::to_string(progress.done) + " cases, " + rate;
    // Agreeing cases are left out: they are the remainder.
    for (const auto& [name, cases] : progress.by_class) {
        if (name != verdict::name(verdict::Class::agrees)) { text += ", " + name + " " + std::to_string(cases); }
    }
    if (progress.not_filed > 0) { text += ", " + std::to_string(progress.not_filed) + " not filed (disk quota)"; }
    return text + ", " + (progress.left ? clock(*progress.left) + " left" : clock(progress.elapsed) + " so far");
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
