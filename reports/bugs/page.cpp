#include "reports/bugs/page.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/minimize/size.h"
#include "reports/render/html.h"
#include "reports/render/words.h"

namespace haruspex::bugs {
namespace {

using render::escaped;

const std::string margin(30, ' ');

std::string head(const std::string& number, const Bug& bug) {
    return fmt::format("{:>3}  {:<10} {:>5} cases  ", number, name(bug.state), bug.cases);
}

std::string unexamined_of(const Bug& bug) {
    return fmt::format("{} more cases go wrong there, and were not looked at", bug.unexamined);
}

const Known* find_named(const std::vector<Known>& known, const std::string& name) {
    const auto at = std::ranges::find(known, name, &Known::name);
    return at == known.end() ? nullptr : &*at;
}

// "NAME, lives in 14 and 19"
std::string name_and_versions(const std::string& name, const std::vector<Known>& known) {
    const Known* bug = find_named(known, name);
    const std::string versions = bug == nullptr ? std::string() : describe(bug->versions);
    return versions.empty() ? name : name + ", " + versions;
}

bool is_looked_up(const Known* known) { return known != nullptr && known->upstream.look_up != LookUp::not_done; }

// Returns the lines below a bug's title.
std::vector<std::string> notes(const Bug& bug, const std::vector<Known>& known) {
    std::vector<std::string> lines{minimize::describe(bug.smallest.c) + "; " + triage::to_string(bug.smallest.symptom)};
    for (const triage::Symptom& symptom : bug.consequences) {
        lines.push_back("later passes make of it: " + triage::to_string(symptom));
    }
    if (bug.unexamined > 0) { lines.push_back(unexamined_of(bug)); }
    if (!bug.known.empty()) {
        lines.push_back("known as " + name_and_versions(bug.known, known) + "; said to be mended");
        const Known* const of = find_named(known, bug.known);
        if (is_looked_up(of)) { lines.push_back("upstream: " + to_string(of->upstream)); }
    }
    if (!bug.resembles.empty()) { lines.push_back("resembles " + name_and_versions(bug.resembles, known)); }
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
    return fmt::format("{}, {} {}", name(bug.state), bug.cases, bug.cases == 1 ? "case" : "cases");
}

// For a bug that is not reported: "NAME, lives in 14: REASON".
std::string name_and_reason(const Bug& bug, const std::vector<Known>& known) {
    const Known* of = find_named(known, bug.known);
    return of == nullptr ? bug.group : name_and_versions(bug.known, known) + ": " + beginning(of->reason);
}

std::string upstream_html(const Upstream& upstream) {
    const std::string text = escaped(to_string(upstream));
    return upstream.look_up == LookUp::found ? fmt::format("<a href=\"{0}\">{0}</a>", text) : text;
}

std::string totals(const std::vector<Bug>& bugs) {
    std::size_t reported = 0;
    std::uint64_t groups = 0;
    for (const Bug& bug : bugs) {
        groups += bug.groups;
        if (is_reported(bug.state)) { ++reported; }
    }
    return fmt::format("{} bugs to look at; {} known or not shown again; {} groups of findings", reported,
                       bugs.size() - reported, groups);
}

}  // namespace

std::string entry(std::size_t number, const Bug& bug, const std::vector<Known>& known) {
    if (!bug.failure.empty()) {
        return head(std::to_string(number), bug) + "haruspex itself fails: " + bug.group + "\n" + margin +
               beginning(bug.failure) + "\n";
    }
    std::string text = head(std::to_string(number), bug) + render::title(bug.smallest.c, bug.smallest.verdict) + "\n";
    for (const std::string& line : notes(bug, known)) { text += margin + line + "\n"; }
    return text;
}

std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known) {
    std::string text;
    for (const Bug& bug : bugs) {
        if (is_reported(bug.state)) { continue; }
        text += head("", bug) + name_and_reason(bug, known) + "\n";
        const Known* const of = find_named(known, bug.known);
        if (is_looked_up(of)) { text += margin + "upstream: " + to_string(of->upstream) + "\n"; }
        if (bug.unexamined > 0) { text += margin + unexamined_of(bug) + "\n"; }
    }
    return text + totals(bugs) + "\n";
}

std::string to_html(const std::vector<Reported>& reported, const std::vector<Bug>& bugs,
                    const std::vector<Known>& known, const std::string& compiler) {
    std::string links, sections;
    for (std::size_t k = 0; k < reported.size(); ++k) {
        const auto& [bug, title, pipeline, report] = reported[k];
        links += fmt::format("<li><a href=\"#bug-{}\">{}</a></li>\n", k + 1, escaped(title));
        sections +=
            fmt::format("<section id=\"bug-{}\"><h2>{}</h2>\n<p>{}", k + 1, escaped(title), escaped(cases_of(*bug)));
        for (const std::string& line : notes(*bug, known)) { sections += "<br>\n" + escaped(line); }
        sections +=
            fmt::format("</p>\n{}<p><a href=\"{}\">What goes wrong, where, and how to see it: {}</a></p></section>\n",
                        render::code_block(pipeline, title), render::address(report), escaped(report));
    }
    std::string others;
    for (const Bug& bug : bugs) {
        if (std::ranges::find(reported, &bug, &Reported::bug) != reported.end()) { continue; }
        others += "<li>" + escaped(cases_of(bug) + ": " + name_and_reason(bug, known));
        const Known* const of = find_named(known, bug.known);
        if (is_looked_up(of)) { others += "<br>\nupstream: " + upstream_html(of->upstream); }
        if (bug.unexamined > 0) { others += "<br>\n" + escaped(unexamined_of(bug)); }
        others += "</li>\n";
    }
    if (!others.empty()) {
        others = "<h2>Known, not shown again, or without a report</h2>\n<ul>\n" + others + "</ul>\n";
    }
    return render::to_html(
        {"Bugs of " + compiler, "",
         fmt::format(
             "<h1>Bugs of {}</h1>\n<p>{}.</p>\n<nav aria-label=\"Bugs\"><ol>\n{}</ol></nav>\n<main>\n{}{}</main>\n",
             escaped(compiler), escaped(totals(bugs)), links, sections, others)});
}

}  // namespace haruspex::bugs
