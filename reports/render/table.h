#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Tables: on the terminal, in HTML, Markdown and CSV.
namespace haruspex::render {

// Rows of text under a header. In every row, the cells from `numbers_from` on are numbers.
struct Table {
    std::string caption;
    std::vector<std::string> header;  // may be empty for to_text, which then prints no header
    std::vector<std::vector<std::string>> rows = {};
    std::size_t numbers_from = 1;
};

std::string to_html(const Table& table);
// Returns the table in GitHub's Markdown.
std::string to_markdown(const Table& table);
// Returns a line of comma-separated values (RFC 4180), with its line break.
std::string csv_line(const std::vector<std::string>& cells);

// A column of to_text.
struct Column {
    enum class Align : std::uint8_t { left, right } align = Align::left;
    std::size_t width = 0;  // in bytes; a longer cell moves the rest of its line
    std::size_t gap = 0;    // blanks before the column
};
Column left(std::size_t width, std::size_t gap = 0);
Column right(std::size_t width, std::size_t gap = 0);

// Lines of text, header and rows alike. The last cell of a row is not filled up with blanks.
std::string to_text(const Table& table, const std::vector<Column>& columns);
// The same with left-aligned columns, two blanks apart, each as wide as its longest cell.
std::string to_text(const Table& table);

}  // namespace haruspex::render
