#include "reports/render/table.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/render/html.h"

namespace haruspex::render {

std::string to_html(const Table& table) {
    const auto kind = [&](std::size_t k) { return k >= table.numbers_from ? " class=\"number\"" : ""; };
    std::string html =
        fmt::format("<div {}><table><caption>{}</caption>\n<thead><tr>", region(table.caption), escaped(table.caption));
    for (std::size_t k = 0; k < table.header.size(); ++k) {
        html += fmt::format("<th scope=\"col\"{}>{}</th>", kind(k), escaped(table.header[k]));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t k = 0; k < row.size(); ++k) {
            html += k == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[k]))
                           : fmt::format("<td{}>{}</td>", kind(k), escaped(row[k]));
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string to_markdown(const Table& table) {
    const auto line = [](const std::vector<std::string>& cells) {
        std::string text = "|";
        for (const std::string& cell : cells) {
            text += " ";
            for (const char c : cell) { text += c == '|' ? std::string("\\|") : std::string(1, c); }
            text += " |";
        }
        return text + "\n";
    };
    std::vector<std::string> rule;
    for (std::size_t k = 0; k < table.header.size(); ++k) { rule.push_back(k >= table.numbers_from ? "---:" : "---"); }
    std::string text = line(table.header) + line(rule);
    for (const auto& row : table.rows) { text += line(row); }
    return text;
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        if (!line.empty() || &cell != &cells.front()) { line += ","; }
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell) { line += c == '"' ? std::string("\"\"") : std::string(1, c); }
        line += '"';
    }
    return line + "\r\n";
}

Column left(std::size_t width, std::size_t gap) { return {Column::Align::left, width, gap}; }
Column right(std::size_t width, std::size_t gap) { return {Column::Align::right, width, gap}; }

std::string to_text(const Table& table, const std::vector<Column>& columns) {
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const auto& [align, width, gap] = columns.at(k);
            const std::string blanks(width - std::min(width, cells[k].size()), ' ');
            text.append(gap, ' ');
            if (align == Column::Align::right) { text += blanks; }
            text += cells[k];
            if (align == Column::Align::left && k + 1 < cells.size()) { text += blanks; }
        }
        return text + "\n";
    };
    std::string text = table.header.empty() ? std::string() : line(table.header);
    for (const auto& row : table.rows) { text += line(row); }
    return text;
}

std::string to_text(const Table& table) {
    std::vector<Column> columns;
    const auto measure = [&](const std::vector<std::string>& cells) {
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k == columns.size()) { columns.push_back(left(0, k == 0 ? 0 : 2)); }
            columns[k].width = std::max(columns[k].width, cells[k].size());
        }
    };
    measure(table.header);
    for (const auto& row : table.rows) { measure(row); }
    return to_text(table, columns);
}

}  // namespace haruspex::render
