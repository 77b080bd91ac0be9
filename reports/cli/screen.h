#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

// A page on a terminal that is drawn over again in its place, by the few control sequences that every terminal has.
namespace haruspex::cli {

// Whether the stream is a terminal that takes control sequences: one whose TERM is set and not "dumb".
bool takes_control_sequences(std::FILE* stream);

struct TerminalSize {
    std::size_t width = 80, height = 24;
    bool operator==(const TerminalSize&) const = default;
};
// The size of the terminal; 80 by 24 if it is unknown.
TerminalSize size_of_terminal(std::FILE* stream);

// Returns the text that draws the lines over the page before them, which had `before` lines.
std::string redrawn(const std::vector<std::string>& lines, std::size_t before);

class Screen {
public:
    explicit Screen(std::FILE* stream) : stream_(stream) {}
    // The room for a page: a line that fills the last column, or a page that fills the last row, might scroll.
    TerminalSize room() const;
    void draw(const std::vector<std::string>& lines);
    // Removes the page, or leaves it and goes to the line below it.
    void erase();
    void leave();

private:
    std::FILE* stream_;
    std::size_t drawn_ = 0;  // lines
    TerminalSize size_;      // when they were drawn
};

}  // namespace haruspex::cli
