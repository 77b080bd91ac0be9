#include "reports/bugs/page.h"

#include <algorithm>
#include <cstdio>

#include "reports/minimize/size.h"
#include "reports/render/words.h"

namespace haruspex::bugs {
namespace {

const std::string margin(30, ' ');

std::string head(const std::string& number, const Bug& bug) {
    char text[64];
    std::snprintf(text, sizeof text, "%3s  %-10s %5llu cases  ", number.c_str(), std::string(name(bug.life)).c_str(),
                  static_cast<unsigned long long>(bug.cases));
    return text;
}

std::string unexamined_of(const Bug& bug) {
    return margin + std::to_string(bug.unexamined) + " more cases go wrong there, and were not looked at\n";
}

// The beginning of a reason, which may be a paragraph.
std::string beginning(const std::string& text) {
    constexpr std::size_t longest = 100;
    std::string line = text.substr(0, text.find('\n'));
    const std::size_t stop = line.find(". ");
    if (stop != std::string::npos) { line.resize(stop + 1); }
    return line.size() <= longest ? line : line.substr(0, line.rfind(' ', longest)) + " …";
}

}  // namespace

std::string entry(std::size_t number, const Bug& bug) {
    if (!bug.failure.empty()) {
        return head(std::to_string(number), bug) + "haruspex itself fails: " + bug.group + "\n" + margin +
               beginning(bug.failure) + "\n";
    }
    std::string text = head(std::to_string(number), bug) + render::title(bug.smallest.c, bug.smallest.verdict) + "\n";
    text += margin + minimize::describe(bug.smallest.c) + "; " + triage::to_string(bug.smallest.symptom) + "\n";
    for (const triage::Symptom& symptom : bug.consequences) {
        text += margin + "later passes make of it: " + triage::to_string(symptom) + "\n";
    }
    if (bug.unexamined > 0) { text += unexamined_of(bug); }
    if (!bug.known.empty()) { text += margin + "known as " + bug.known + ", said to be mended\n"; }
    if (!bug.resembles.empty()) { text += margin + "resembles " + bug.resembles + "\n"; }
    return text;
}

std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known) {
    std::string text;
    for (const Bug& bug : bugs) {
        if (is_reported(bug.life)) { continue; }
        text += head("", bug);
        const auto of = std::ranges::find(known, bug.known, &Known::name);
        text += of == known.end() ? bug.group + "\n" : bug.known + ": " + beginning(of->reason) + "\n";
        if (bug.unexamined > 0) { text += unexamined_of(bug); }
    }
    std::size_t reported = 0;
    std::uint64_t groups = 0;
    for (const Bug& bug : bugs) {
        groups += bug.groups;
        if (is_reported(bug.life)) { ++reported; }
    }
    return text + std::to_string(reported) + " bugs to look at; " + std::to_string(bugs.size() - reported) +
           " known or not shown again; " + std::to_string(groups) + " groups of findings\n";
}

}  // namespace haruspex::bugs
