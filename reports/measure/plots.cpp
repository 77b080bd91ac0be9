#include "reports/measure/plots.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "harness/process/process.h"
#include "reports/measure/tables.h"
#include "reports/render/html.h"

namespace haruspex::measure {
namespace {

// Greys that stand for CSS variables until the SVG is postprocessed: gnuplot does not know CSS.
constexpr std::array<const char*, 7> variables{"", "--ink", "--faint", "--c1", "--c2", "--c3", "--c4"};
std::string colour(std::size_t k) { return fmt::format("#{0:02x}{0:02x}{0:02x}", k); }
constexpr std::size_t ink = 1, faint = 2;
std::size_t colour_of(Method method) { return 3 + static_cast<std::size_t>(method); }
// Shapes distinguish the points, too: circle, diamond, triangle, square.
int shape_of(Method method) {
    static constexpr std::array shapes{7, 13, 9, 5};
    return shapes.at(static_cast<std::size_t>(method));
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

std::string string_of(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') { result += '\\'; }
        result += c;
    }
    return result + "\"";
}

std::string preamble(int width, int height) {
    return fmt::format(
        "set terminal svg size {0},{1} dynamic noenhanced font \"sans-serif,14\"\n"
        "set border 3 lc rgb \"{2}\"\n"
        "set grid x y lc rgb \"{3}\" lt 1 lw 1\n"
        "set tics nomirror tc rgb \"{2}\"\n"
        "set key above left horizontal tc rgb \"{2}\"\n",
        width, height, colour(ink), colour(faint));
}

std::string label(const char* axis, const std::string& text) {
    return fmt::format("set {}label {} tc rgb \"{}\"\n", axis, string_of(text), colour(ink));
}

std::string style(Method method) {
    return fmt::format("lw 2 pt {} ps 0.9 lc rgb \"{}\" title {}", shape_of(method), colour(colour_of(method)),
                       string_of(std::string(name(method))));
}

std::uint64_t of(const Cell& cell, Share share) { return share == Share::proved ? cell.right : cell.put; }

double percentage(const Cell& cell, Share share, Method method) {
    const auto& counts = share == Share::proved ? cell.proved : cell.decided;
    const auto found = counts.find(method);
    const double count = found == counts.end() ? 0 : static_cast<double>(found->second);
    return 100 * count / static_cast<double>(of(cell, share));
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

// The range of a logarithmic axis. gnuplot finds it unless all points have the same value.
class Range {
public:
    void add(double value) {
        least_ = least_ ? std::min(*least_, value) : value;
        most_ = most_ ? std::max(*most_, value) : value;
    }
    std::string script(const char* axis) const {
        if (!least_ || *least_ < *most_) { return ""; }
        return fmt::format("set {}range [{}:{}]\n", axis, number(*least_ / 2), number(*most_ * 2));
    }

private:
    std::optional<double> least_, most_;
};

// For each method's sorted numbers: how many are at most x. Values below `least` are drawn at `least`, since they
// cannot be told apart on a logarithmic scale.
Plot cactus(const std::string& id, const std::string& of, const std::map<Method, std::vector<double>>& numbers,
            const std::string& what, double least) {
    std::string script = preamble(760, 420) + "set logscale x\nset format x \"%g\"\nset yrange [0:*]\n" +
                         label("x", what) + label("y", "problems decided with at most that");
    std::string curves, said;
    Range range;
    for (const auto& [method, sorted] : numbers) {
        if (sorted.empty()) { continue; }
        const std::string block = "$" + std::string(name(method));
        script += block + " << END\n";
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            const double x = std::max(sorted[k], least);
            range.add(x);
            script += fmt::format("{} {}\n", number(x), k + 1);
        }
        script += "END\n";
        curves += fmt::format("{}{} using 1:2 with steps lw 2.5 lc rgb \"{}\" title {}", curves.empty() ? "" : ", ",
                              block, colour(colour_of(method)), string_of(std::string(name(method))));
        said += fmt::format(" {} decides {}.", name(method), sorted.size());
    }
    return {id, "How many problems are decided in how much " + of,
            "Of each method, the number of problems decided by answers that took at most so much " + of +
                ": for all sizes, by interpreter and native code at the problems' own." + said,
            curves.empty() ? std::string() : script + range.script("x") + "plot " + curves + "\n"};
}

std::string share_script(const Group& group, const std::vector<Cell>& cells, Share share) {
    const auto rows = static_cast<int>(cells.size());
    std::string script = preamble(760, 110 + 24 * rows);
    script += fmt::format(
        "set border 1 lc rgb \"{0}\"\nset xrange [-2:102]\nset yrange [{1}.6:0.4]\nset ytics scale 0 tc rgb \"{0}\" (",
        colour(ink), rows);
    std::string data = "$data << END\n";
    for (int k = 0; k < rows; ++k) {
        const Cell& cell = cells[static_cast<std::size_t>(k)];
        std::string label = fmt::format("{}  ({})", label_of(cell, group), of(cell, share));
        replace_all(label, "%", "%%");  // the label of a tic is a format
        script += fmt::format("{}{} {}", k == 0 ? "" : ", ", string_of(label), k + 1);
        data += fmt::format("{} {} {}\n", k + 1, number(percentage(cell, share, Method::validator)),
                            number(percentage(cell, share, Method::equivalence)));
    }
    script +=
        ")\n" +
        label("x", std::string(share == Share::proved ? "proved, of a hundred right ones" : "decided, of a hundred") +
                       " (in brackets: how many there are)") +
        data + "END\n";
    // Where both values are equal, the larger point shows around the smaller one.
    return script + fmt::format(
                        "plot $data using 2:1:($3-$2):(0) with vectors nohead lw 4 lc rgb \"{}\" notitle, "
                        "$data using 2:1 with points pt 7 ps 1.3 lc rgb \"{}\" title \"validator\", "
                        "$data using 3:1 with points pt 13 ps 1.1 lc rgb \"{}\" title \"equivalence\"\n",
                        colour(faint), colour(colour_of(Method::validator)), colour(colour_of(Method::equivalence)));
}

// Recognises "rgb(  3,   3,   3)" at this place: the variable that the colour stands for, and the position behind it.
struct Found {
    std::string variable;
    std::size_t end;
};
std::optional<Found> variable_at(const std::string& svg, std::size_t at) {
    const std::size_t end = svg.find(')', at);
    int r = 0, g = 0, b = 0;
    if (end == std::string::npos || std::sscanf(svg.c_str() + at, "rgb(%d,%d,%d)", &r, &g, &b) != 3) { return {}; }
    const bool is_ours = r == g && g == b && r >= 1 && static_cast<std::size_t>(r) < variables.size();
    if (!is_ours) { return {}; }
    return Found{std::string("var(") + variables.at(static_cast<std::size_t>(r)) + ")", end + 1};
}

std::string with_variables(const std::string& svg) {
    std::string result;
    std::size_t from = 0;
    for (std::size_t at = svg.find("rgb("); at != std::string::npos; at = svg.find("rgb(", from)) {
        const auto found = variable_at(svg, at);
        result += svg.substr(from, at - from) + (found ? found->variable : "rgb(");
        from = found ? found->end : at + 4;
    }
    return result + svg.substr(from);
}

// Removes every text between the two marks, with the marks.
void cut(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        const std::size_t end = text.find(to, at);
        if (end == std::string::npos) { return; }
        text.erase(at, end + to.size() - at);
    }
}

}  // namespace

std::vector<Plot> share_plots(const Results& results, Share share) {
    const bool is_of_right = share == Share::proved;
    std::vector<Plot> plots;
    for (const Group& group : groups()) {
        std::vector<Cell> cells = cells_of(results, group);
        if (cells.empty()) { continue; }
        std::erase_if(cells, [&](const Cell& cell) { return of(cell, share) == 0; });
        std::uint64_t better = 0, worse = 0;
        for (const Cell& cell : cells) {
            const double by_validator = percentage(cell, share, Method::validator);
            const double by_equivalence = percentage(cell, share, Method::equivalence);
            better += by_validator > by_equivalence ? 1 : 0;
            worse += by_validator < by_equivalence ? 1 : 0;
        }
        const std::string id = is_of_right ? "proved-" : "decided-";
        plots.push_back(
            {id + group.prefix,
             (is_of_right ? "Right programs, proved for all sizes, by " : "Decided for all sizes, by ") + group.title,
             fmt::format(
                 "The validator {} more than the equivalence checker in {} of {} cells, and less in {}. The table "
                 "below has the numbers.",
                 is_of_right ? "proves" : "decides", better, cells.size(), worse),
             cells.empty() ? std::string() : share_script(group, cells, share)});
    }
    return plots;
}

Plot cactus_plot(const Times& times) {
    return cactus("cactus", "time", times.decided, "seconds of processor time for an answer", 0.001);
}

Plot memory_plot(const Times& times) {
    return cactus("memory", "memory", times.memory_of_decided, "MiB for an answer, beyond what its process began with",
                  0.1);
}

Plot growth_plot(const Times& times) {
    std::string script = preamble(760, 420) + "set logscale xy\nset format y \"%g\"\nset xtics 4, 2\n" +
                         label("x", "statements of the program, at most") +
                         label("y", "median seconds of processor time");
    std::string curves;
    Range of_statements, of_seconds;
    for (const auto& [method, classes] : times.by_statements) {
        if (method == Method::interpreter) { continue; }  // far below the resolution of the clock
        const std::string block = "$" + std::string(name(method));
        std::string data;
        for (const auto& [most, summary] : classes) {
            if (summary.median <= 0) { continue; }
            of_statements.add(static_cast<double>(most));
            of_seconds.add(summary.median);
            data += fmt::format("{} {}\n", most, number(summary.median));
        }
        if (data.empty()) { continue; }
        script += block + " << END\n" + data + "END\n";
        curves += (curves.empty() ? "" : ", ") + block + " using 1:2 with linespoints " + style(method);
    }
    return {"growth", "How the time for an answer grows with the program (native code: at its own sizes)",
            "The median time of each method's answers, by the number of statements, both on logarithmic scales.",
            curves.empty() ? std::string()
                           : script + of_statements.script("x") + of_seconds.script("y") + "plot " + curves + "\n"};
}

Result<std::string> draw(const Plot& plot) {
    auto drawn = process::output_of({.words = {"gnuplot"}}, plot.script);
    if (!drawn) { return fail(drawn.error()); }
    std::string svg = std::move(*drawn);
    const std::size_t begin = svg.find("<svg");
    if (begin == std::string::npos) { return fail("gnuplot draws no SVG"); }
    svg = with_variables(svg.substr(begin));
    cut(svg, "<title>", "</title>");
    cut(svg, "<desc>", "</desc>");
    replace_all(svg, "=\"black\"", "=\"var(--ink)\"");
    replace_all(svg, "='black'", "='var(--ink)'");
    // Make ids unique on a page.
    for (const char* const quote : {"'", "\""}) {
        replace_all(svg, std::string("id=") + quote, std::string("id=") + quote + plot.id + "-");
        replace_all(svg, std::string("href=") + quote + "#", std::string("href=") + quote + "#" + plot.id + "-");
    }
    const std::string names = "<svg role=\"img\" aria-labelledby=\"" + plot.id + "-title " + plot.id + "-text\"";
    svg.replace(0, 4, names);
    const std::size_t inside = svg.find('>') + 1;
    svg.insert(inside, "\n<title id=\"" + plot.id + "-title\">" + render::escaped(plot.title) +
                           "</title>\n<desc id=\"" + plot.id + "-text\">" + render::escaped(plot.description) +
                           "</desc>");
    return svg;
}

std::string as_file(const std::string& svg) {
    const std::size_t inside = svg.find('>') + 1;
    std::string file = svg;
    file.insert(inside, "\n<style>" + std::string(render::colours) + "</style>");
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + file;
}

}  // namespace haruspex::measure
