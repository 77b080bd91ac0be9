#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace haruspex::measure {

// Rows of text under a header. In every row, the cells from `numbers_from` on are numbers.
struct Table {
    std::string caption;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::size_t numbers_from = 1;
};

std::string to_html(const Table& table);
// A table in GitHub's Markdown.
std::string to_markdown(const Table& table);
// A line of comma-separated values (RFC 4180), with its line break.
std::string csv_line(const std::vector<std::string>& cells);

// Formats a number with three significant digits: "12.3", "0.042".
std::string three_digits(double number);
// Formats a share: "37%", or "-" if `whole` is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace haruspex::measure
