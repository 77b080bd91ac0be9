#include "reports/measure/page.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "reports/measure/plots.h"
#include "reports/measure/tables.h"
#include "reports/render/html.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;
using render::escaped;

// Added to the style of all pages.
constexpr const char* style = R"css(
figure { margin: 1.5rem 0; }
figure svg { width: 100%; height: auto; max-width: 760px; }
figcaption { font-weight: 600; }
.facts { color: var(--ink); background: var(--shade); padding: 0.5rem 1rem; overflow-wrap: anywhere; }
nav ul { columns: 2; padding-left: 1.2rem; }
)css";

std::string heading(const std::string& id, const std::string& text) {
    return "<h2 id=\"" + id + "\">" + escaped(text) + "</h2>\n";
}
std::string paragraph(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }

std::string folded(const std::string& summary, const std::string& content) {
    return "<details><summary>" + escaped(summary) + "</summary>\n" + content + "</details>\n";
}

// The plot, with its numbers folded away; if there is no plot, the numbers are shown.
std::string figure(const Plot& plot, const Table& table) {
    const auto svg = plot.script.empty() ? fail("nothing to draw") : draw(plot);
    if (!svg) { return to_html(table); }
    return "<figure><figcaption>" + escaped(plot.title) + "</figcaption>\n" + *svg + "</figure>\n" +
           folded("The numbers: " + table.caption, to_html(table));
}

// The table, or a note that it is empty.
std::string found(const Table& table) {
    return table.rows.empty() ? paragraph(table.caption + ": none.") : to_html(table);
}

std::string list(const std::vector<std::uint64_t>& indices) { return fmt::format("{}", fmt::join(indices, ", ")); }

std::string wrong_answers(const Results& results) {
    std::string html = heading("wrong", "Wrong answers");
    if (results.wrong_answers.empty()) {
        html += paragraph("None: no method proved a wrong program, and none refuted a right one.");
    } else {
        Table table{"Every wrong answer", {"index", "method", "answer", "reason", "what is true"}, {}, 5};
        for (const WrongAnswer& wrong : results.wrong_answers) {
            table.rows.push_back({std::to_string(wrong.index), title(wrong.method, wrong.question),
                                  std::string(name(wrong.outcome)), wrong.reason, wrong.shown});
        }
        html += fmt::format("<p class=\"bad\">{} wrong answers.</p>\n{}", results.wrong_answers.size(), to_html(table));
    }
    if (!results.made_right_and_wrong.empty()) {
        html += paragraph(
            "Made to be right, and shown to be wrong by the interpreters: " + list(results.made_right_and_wrong) +
            ". Of lowered programs, these are bugs of the compiler itself.");
    }
    if (!results.faults.empty()) {
        html += "<p class=\"bad\">haruspex itself failed on " + list(results.faults) + ".</p>\n";
    }
    return html;
}

std::string summary(const Results& results) {
    std::string text =
        fmt::format("{} programs, {} of them right and {} wrong.", results.put, results.right, results.wrong);
    for (const Method method : {Method::validator, Method::equivalence}) {
        const Confusion* confusion = results.find(method, Question::all_sizes);
        if (confusion == nullptr) { continue; }
        const auto proved = confusion->right.find(Outcome::proved);
        std::uint64_t right = 0;
        for (const auto& [outcome, count] : confusion->right) { right += count; }
        text += fmt::format(
            " For all sizes, the {} proves {} of the right ones and decides {} of all, with {} wrong answers.",
            method == Method::validator ? "validator" : "equivalence checker",
            percent(proved == confusion->right.end() ? 0 : proved->second, right),
            percent(confusion->decided(), confusion->put()), confusion->wrong_answers());
    }
    return text;
}

struct Section {
    const char *id, *title;
};
constexpr Section sections[] = {{"overview", "Overview"},
                                {"wrong", "Wrong answers"},
                                {"confusion", "Truth against answer"},
                                {"features", "Decided, by feature"},
                                {"better", "Where one is strictly better"},
                                {"times", "Times"},
                                {"reasons", "Why not"},
                                {"prophecies", "Wrong prophecies"},
                                {"mutants", "Mutants of the compiler"}};

std::string navigation(bool has_programs, bool has_rows) {
    std::string html = "<nav aria-label=\"Sections\"><ul>\n";
    if (has_rows) { html += "<li><a href=\"#rows\">Rows</a></li>\n"; }
    for (const Section& section : sections) {
        if (!has_programs && section.id != std::string("mutants")) { continue; }
        html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
    }
    return html + "</ul></nav>\n";
}

std::string facts(const std::string& header, const Times& times) {
    std::string html = "<p class=\"facts\">";
    const Json json = Json::parse(header);
    for (const auto& [key, value] : json.items()) {
        html += fmt::format("{}: {}<br>", escaped(key),
                            escaped(value.is_string() ? value.get<std::string>() : value.dump()));
    }
    for (const auto& [build, count] : times.builds) {
        html += fmt::format("measured by {}: {}<br>", escaped(build), count);
    }
    return html + "</p>\n";
}

std::string features(const Results& results) {
    std::string html = heading("features", "Decided, by feature") +
                       paragraph(
                           "A program is decided when it is right and proved, or wrong and refuted, for all sizes. "
                           "The equivalence checker refutes nothing: the pictures are of right programs alone.");
    const std::vector<Plot> plots = share_plots(results, Share::proved);
    const std::vector<Table> tables = cell_tables(results);
    for (std::size_t k = 0; k < plots.size() && k < tables.size(); ++k) { html += figure(plots[k], tables[k]); }
    return html;
}

std::string witnesses(const std::vector<Witness>& all) {
    std::string html = to_html(witness_table(all));
    for (const Witness& witness : all) {
        if (witness.c.empty()) { continue; }
        const auto c = cases::parse_case(witness.c, "witness");
        ENSURE(c.has_value(), "what was printed can be read");
        html += folded(std::string(name(witness.sought.method)) + ": " + witness.sought.reason,
                       render::code_block(sare::print(c->sare) + schedule::print(c->schedule), "The case"));
    }
    return html;
}

std::string detected(const std::vector<Detected>& all) {
    return paragraph(
               "How soon is a bug found? Each of these compilers gets the same random cases, and each method looks at "
               "one after the other, at their own sizes or for all of them, until it refutes what it does not refute "
               "of the compiler without the mutant. The equivalence checker refutes nothing: it has found what it no "
               "longer proves. "
               "“Changed” are the cases, of those that some method looked at, that are lowered to something else. "
               "Lowering is not counted; generating code is, of native code.") +
           to_html(discovery_table(all));
}

// The sections about programs.
std::string programs(const Measured& measured, const Results& results, const Times& times) {
    std::string html = heading("overview", "Overview") + to_html(overview(results, times)) +
                       paragraph(
                           "“own sizes”: for all inputs, at one size for each parameter. “all sizes”: for every size "
                           "that is assumed and documented to work. The interpreter and native code run the program at "
                           "its own sizes on its own inputs: they refute, and prove nothing.");
    html += wrong_answers(results);
    html += heading("confusion", "Truth against answer");
    for (const Confusion& confusion : results.confusions) { html += to_html(confusion_table(confusion)); }
    html += features(results);
    html += heading("better", "Where one is strictly better") + found(better_table(results));
    html += heading("times", "Times") + to_html(time_table(times)) + figure(cactus_plot(times), cactus_table(times)) +
            figure(memory_plot(times), memory_table(times)) + figure(growth_plot(times), growth_table(times));
    html += heading("reasons", "Why not") +
            paragraph(
                "What is said of programs that are not decided, without particulars, and of how many of them the other "
                "one of validator and equivalence checker decides. haruspex measure with the same options and --show "
                "INDEX prints the smallest of them.");
    html += found(reason_table(results, Question::all_sizes)) +
            folded("At the programs' own sizes", found(reason_table(results, Question::own_sizes)));
    if (!measured.witnesses.empty()) { html += witnesses(measured.witnesses); }
    html += heading("prophecies", "Wrong prophecies") +
            paragraph("Prophecies are not trusted: a wrong one may lose a proof, and must never make one.") +
            fmt::format("<p{}>Programs that are wrong, have a wrong prophecy, and were validated: {}.</p>\n{}",
                        results.fooled() > 0 ? " class=\"bad\"" : "", results.fooled(), found(prophecy_table(results)));
    return html;
}

}  // namespace

std::string page(const Measured& measured, const Results& results, const Times& times) {
    const Table rows = row_table(measured.records);
    std::string html = "<h1>What the provers decide, and what is true</h1>\n";
    const bool has_programs = results.put > 0;
    if (has_programs) { html += paragraph(summary(results)); }
    html += facts(measured.header, times) + navigation(has_programs, !rows.rows.empty()) + "<main>\n";
    if (!rows.rows.empty()) {
        const Table published = published_table(measured.records);
        html += heading("rows", "Rows");
        if (!published.rows.empty()) { html += to_html(published); }
        html += to_html(rows);
    }
    if (has_programs) { html += programs(measured, results, times); }
    html += heading("mutants", "Mutants of the compiler");
    if (has_programs) { html += found(detection_table(results)); }
    if (!measured.detected.empty()) { html += detected(measured.detected); }
    return render::to_html({"haruspex measure", style, html + "</main>\n"});
}

}  // namespace haruspex::measure
