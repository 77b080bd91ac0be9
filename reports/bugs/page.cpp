#include "reports/bugs/page.h"

#include <algorithm>
#include <cstdio>

#include "reports/minimize/size.h"
#include "reports/render/html.h"
#include "reports/render/words.h"

namespace haruspex::bugs {
namespace {

using render::escaped;

const std::string margin(30, ' ');

std::string head(const std::string& number, const Bug& bug) {
    char text[64];
    std::snprintf(text, sizeof text, "%3s  %-10s %5llu cases  ", number.c_str(), std::string(name(bug.state)).c_str(),
                  static_cast<unsigned long long>(bug.cases));
    return text;
}

std::string unexamined_of(const Bug& bug) {
    return std::to_string(bug.unexamined) + " more cases go wrong there, and were not looked at";
}

// Returns the lines below a bug's title.
std::vector<std::string> notes(const Bug& bug) {
    std::vector<std::string> lines{minimize::describe(bug.smallest.c) + "; " + triage::to_string(bug.smallest.symptom)};
    for (const triage::Symptom& symptom : bug.consequences) {
        lines.push_back("later passes make of it: " + triage::to_string(symptom));
    }
    if (bug.unexamined > 0) { lines.push_back(unexamined_of(bug)); }
    if (!bug.known.empty()) { lines.push_back("known as " + bug.known + ", said to be mended"); }
    if (!bug.resembles.empty()) { lines.push_back("resembles " + bug.resembles); }
    return lines;
}

// Returns the first sentence of a reason, shortened; a reason may be a paragraph.
std::string beginning(const std::string& text) {
    constexpr std::size_t longest = 100;
    std::string line = text.substr(0, text.find('\n'));
    const std::size_t stop = line.find(". ");
    if (stop != std::string::npos) { line.resize(stop + 1); }
    return line.size() <= longest ? line : line.substr(0, line.rfind(' ', longest)) + " …";
}

std::string cases_of(const Bug& bug) {
    return std::string(name(bug.state)) + ", " + std::to_string(bug.cases) + (bug.cases == 1 ? " case" : " cases");
}

// For a bug that is not reported.
std::string name_and_reason(const Bug& bug, const std::vector<Known>& known) {
    const auto of = std::ranges::find(known, bug.known, &Known::name);
    return of == known.end() ? bug.group : bug.known + ": " + beginning(of->reason);
}

std::string totals(const std::vector<Bug>& bugs) {
    std::size_t reported = 0;
    std::uint64_t groups = 0;
    for (const Bug& bug : bugs) {
        groups += bug.groups;
        if (is_reported(bug.state)) { ++reported; }
    }
    return std::to_string(reported) + " bugs to look at; " + std::to_string(bugs.size() - reported) +
           " known or not shown again; " + std::to_string(groups) + " groups of findings";
}

}  // namespace

std::string entry(std::size_t number, const Bug& bug) {
    if (!bug.failure.empty()) {
        return head(std::to_string(number), bug) + "haruspex itself fails: " + bug.group + "\n" + margin +
               beginning(bug.failure) + "\n";
    }
    std::string text = head(std::to_string(number), bug) + render::title(bug.smallest.c, bug.smallest.verdict) + "\n";
    for (const std::string& line : notes(bug)) { text += margin + line + "\n"; }
    return text;
}

std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known) {
    std::string text;
    for (const Bug& bug : bugs) {
        if (is_reported(bug.state)) { continue; }
        text += head("", bug) + name_and_reason(bug, known) + "\n";
        if (bug.unexamined > 0) { text += margin + unexamined_of(bug) + "\n"; }
    }
    return text + totals(bugs) + "\n";
}

std::string to_html(const std::vector<Reported>& reported, const std::vector<Bug>& bugs,
                    const std::vector<Known>& known, const std::string& compiler) {
    std::string links, sections;
    for (std::size_t k = 0; k < reported.size(); ++k) {
        const auto& [bug, title, pipeline, report] = reported[k];
        const std::string id = "bug-" + std::to_string(k + 1);
        links += "<li><a href=\"#" + id + "\">" + escaped(title) + "</a></li>\n";
        sections += "<section id=\"" + id + "\"><h2>" + escaped(title) + "</h2>\n<p>" + escaped(cases_of(*bug));
        for (const std::string& line : notes(*bug)) { sections += "<br>\n" + escaped(line); }
        sections += "</p>\n" + render::code_block(pipeline, title) + "<p><a href=\"" + render::address(report) +
                    "\">What goes wrong, where, and how to see it: " + escaped(report) + "</a></p></section>\n";
    }
    std::string others;
    for (const Bug& bug : bugs) {
        if (std::ranges::find(reported, &bug, &Reported::bug) != reported.end()) { continue; }
        others += "<li>" + escaped(cases_of(bug) + ": " + name_and_reason(bug, known));
        if (bug.unexamined > 0) { others += "<br>\n" + escaped(unexamined_of(bug)); }
        others += "</li>\n";
    }
    if (!others.empty()) {
        others = "<h2>Known, not shown again, or without a report</h2>\n<ul>\n" + others + "</ul>\n";
    }
    return render::to_html({"Bugs of " + compiler, "",
                            "<h1>Bugs of " + escaped(compiler) + "</h1>\n<p>" + escaped(totals(bugs)) +
                                ".</p>\n<nav aria-label=\"Bugs\"><ol>\n" + links + "</ol></nav>\n<main>\n" + sections +
                                others + "</main>\n"});
}

}  // namespace haruspex::bugs
