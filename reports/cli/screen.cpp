#include "reports/cli/screen.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace haruspex::cli {
namespace {

constexpr std::string_view erase_to_end_of_line = "\x1b[K", erase_below = "\x1b[J", clear_all = "\x1b[H\x1b[2J";

}  // namespace

bool takes_control_sequences(std::FILE* stream) {
    const char* const terminal = std::getenv("TERM");
    const std::string_view name = terminal == nullptr ? "" : terminal;
    return ::isatty(::fileno(stream)) == 1 && !name.empty() && name != "dumb";
}

TerminalSize size_of_terminal(std::FILE* stream) {
    winsize size{};
    if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < 2 || size.ws_row < 2) { return {}; }
    return {size.ws_col, size.ws_row};
}

std::string redrawn(const std::vector<std::string>& lines, std::size_t before) {
    std::string text = before > 0 ? "\r" : "";
    if (before > 1) { text += fmt::format("\x1b[{}A", before - 1); }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) { text += '\n'; }
        text += lines[i];
        text += erase_to_end_of_line;
    }
    return text += erase_below;
}

TerminalSize Screen::room() const {
    const TerminalSize size = size_of_terminal(stream_);
    return {size.width - 1, size.height - 1};
}

void Screen::draw(const std::vector<std::string>& lines) {
    const TerminalSize size = size_of_terminal(stream_);
    std::string text;
    if (drawn_ > 0 && size != size_) {
        // The terminal has arranged the lines anew.
        text = clear_all;
        drawn_ = 0;
    }
    text += redrawn(lines, drawn_);
    std::fwrite(text.data(), 1, text.size(), stream_);
    std::fflush(stream_);
    drawn_ = lines.size();
    size_ = size;
}

void Screen::erase() {
    if (drawn_ == 0) { return; }
    const std::string text = redrawn({}, drawn_);
    std::fwrite(text.data(), 1, text.size(), stream_);
    std::fflush(stream_);
    drawn_ = 0;
}

void Screen::leave() {
    if (drawn_ == 0) { return; }
    std::fputc('\n', stream_);
    std::fflush(stream_);
    drawn_ = 0;
}

}  // namespace haruspex::cli
