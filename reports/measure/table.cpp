#include "reports/measure/table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "reports/render/html.h"

namespace haruspex::measure {

using render::escaped;

std::string to_html(const Table& table) {
    std::string html = "<div " + render::region(table.caption) + "><table><caption>" + escaped(table.caption) +
                       "</caption>\n<thead><tr>";
    for (std::size_t k = 0; k < table.header.size(); ++k) {
        const char* kind = k >= table.numbers_from ? " class=\"number\"" : "";
        html += std::string("<th scope=\"col\"") + kind + ">" + escaped(table.header[k]) + "</th>";
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k == 0) {
                html += "<th scope=\"row\">" + escaped(row[k]) + "</th>";
            } else {
                html += std::string("<td") + (k >= table.numbers_from ? " class=\"number\"" : "") + ">" +
                        escaped(row[k]) + "</td>";
            }
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

std::string three_digits(double number) {
    char text[32];
    const int decimals = number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
    std::snprintf(text, sizeof text, "%.*f", decimals, number);
    return text;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) { return "-"; }
    const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
    // An incomplete share is not shown as 100%, nor a share above zero as 0%.
    const double rounded = std::round(share * 10) / 10;
    const double shown = part == 0 || part == whole ? rounded : std::clamp(rounded, 0.1, 99.9);
    char text[32];
    std::snprintf(text, sizeof text, shown == std::floor(shown) ? "%.0f%%" : "%.1f%%", shown);
    return text;
}

}  // namespace haruspex::measure
