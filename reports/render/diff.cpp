#include "reports/render/diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <vector>

namespace haruspex::render {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) { lines.push_back(line); }
    return lines;
}

bool is_same(std::string_view a, std::string_view b) {
    a.remove_prefix(std::min(a.find_first_not_of(' '), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of(' '), b.size()));
    return a == b;
}

// Cuts a long line: a compiler may write whole bounds on one.
std::string shortened(const std::string& line) {
    constexpr std::size_t longest = 200;
    return line.size() <= longest ? line : line.substr(0, longest) + " …";
}

// The largest table for the parts between a common beginning and a common end. A larger one is not worth its memory:
// everything in between then counts as changed.
constexpr std::size_t most_cells = 16'000'000;

// Returns the lines of a diff, each with its mark.
Lines marked(const Lines& a, const Lines& b) {
    std::size_t begin = 0;
    while (begin < a.size() && begin < b.size() && is_same(a[begin], b[begin])) { ++begin; }
    std::size_t end = 0;
    while (end < a.size() - begin && end < b.size() - begin && is_same(a[a.size() - 1 - end], b[b.size() - 1 - end])) {
        ++end;
    }
    const std::size_t rows = a.size() - begin - end, columns = b.size() - begin - end;
    Lines result;
    for (std::size_t i = 0; i < begin; ++i) { result.push_back(" " + b[i]); }
    // The length of the longest common subsequence of the rest of both.
    std::vector<std::uint32_t> common;
    const bool is_small = (rows + 1) * (columns + 1) <= most_cells;
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
    if (is_small) {
        common.assign((rows + 1) * (columns + 1), 0);
        for (std::size_t i = rows; i-- > 0;) {
            for (std::size_t j = columns; j-- > 0;) {
                at(i, j) =
                    is_same(a[begin + i], b[begin + j]) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
    }
    std::size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        if (is_small && i < rows && j < columns && is_same(a[begin + i], b[begin + j])) {
            result.push_back(" " + b[begin + j++]);
            ++i;
        } else if (i < rows && (j == columns || !is_small || at(i + 1, j) >= at(i, j + 1))) {
            result.push_back("-" + a[begin + i++]);
        } else {
            result.push_back("+" + b[begin + j++]);
        }
    }
    for (std::size_t k = b.size() - end; k < b.size(); ++k) { result.push_back(" " + b[k]); }
    return result;
}

std::string more(std::size_t lines) { return fmt::format("… {} more {}\n", lines, lines == 1 ? "line" : "lines"); }

}  // namespace

std::string diff(const std::string& before, const std::string& after, std::size_t context, std::size_t most_lines) {
    const Lines all = marked(lines_of(before), lines_of(after));
    std::vector<bool> shown(all.size(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i][0] == ' ') { continue; }
        const std::size_t last = std::min(all.size() - 1, i + context);
        for (std::size_t k = i - std::min(i, context); k <= last; ++k) { shown[k] = true; }
    }
    std::string text;
    std::size_t count = 0, left = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!shown[i]) { continue; }
        if (count >= most_lines) {
            ++left;
            continue;
        }
        if (i > 0 && !shown[i - 1]) { text += "⋮\n"; }
        text += shortened(all[i]) + "\n";
        ++count;
    }
    return left == 0 ? text : text + more(left);
}

std::string beginning(const std::string& text, std::size_t most_lines) {
    const Lines lines = lines_of(text);
    std::string shown;
    for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) { shown += shortened(lines[i]) + "\n"; }
    return lines.size() <= most_lines ? shown : shown + more(lines.size() - most_lines);
}

}  // namespace haruspex::render
