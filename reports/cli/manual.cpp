#include "reports/cli/manual.h"

#include <sstream>

namespace haruspex::cli {
namespace {

// Escapes text for roff: hyphens stay copyable, and no line becomes a request.
std::string escaped(const std::string& text) {
    std::string roff;
    for (const char c : text) {
        switch (c) {
            case '\\': roff += "\\e"; break;
            case '-': roff += "\\-"; break;
            case '\'': roff += "\\(aq"; break;
            case '`': roff += "\\(ga"; break;
            case '^': roff += "\\(ha"; break;
            case '~': roff += "\\(ti"; break;
            default: roff += c;
        }
    }
    return roff.starts_with('.') ? "\\&" + roff : roff;
}
std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string sentence(const std::string& text) {
    return escaped(text) + (text.empty() || text.ends_with('.') ? "" : ".");
}

// "file [schedule] [options]"
std::string synopsis(const Usage& usage) {
    std::string text = bold(usage.name());
    if (!usage.commands.empty()) { text += " " + italic("command"); }
    for (const Argument& one : usage.positionals) {
        const std::string name = italic(one.names.front()) + (one.is_repeated ? " ..." : "");
        text += " " + (one.is_required ? name : "[" + name + "]");
    }
    return text + (usage.options.empty() ? "" : " [" + italic("options") + "]") + "\n";
}

std::string heading(const Argument& argument) {
    std::vector<std::string> names;
    for (const std::string& name : argument.names) {
        names.push_back(name.starts_with("-") ? bold(name) : italic(name));
    }
    std::string text = joined(names, ", ");
    const bool is_option = argument.names.front().starts_with("-");
    if (is_option && argument.takes_value()) { text += " " + italic(argument.type); }
    return text;
}

std::string described(const Argument& argument) {
    std::string text = ".TP\n" + heading(argument) + "\n" + sentence(argument.description) + "\n";
    if (!argument.values.empty()) {
        std::vector<std::string> values;
        for (const std::string& value : argument.values) { values.push_back(bold(value)); }
        text += "One of " + joined(values, ", ") + ".\n";
    }
    if (!argument.default_value.empty()) { text += "Default: " + bold(argument.default_value) + ".\n"; }
    if (argument.is_required && argument.names.front().starts_with("-")) { text += "Required.\n"; }
    return text;
}

// Sets paragraphs as text and indented lines verbatim.
std::string footer(const std::string& text) {
    std::string roff;
    std::istringstream lines(text);
    bool is_example = false, is_new = true;
    for (std::string line; std::getline(lines, line);) {
        const bool is_indented = line.starts_with("  ");
        if (is_example && !is_indented) { roff += ".fi\n.RE\n"; }
        if (is_indented && !is_example) { roff += ".RS 4\n.nf\n"; }
        if (!is_indented && !line.empty() && is_new) { roff += ".PP\n"; }
        if (!line.empty()) { roff += escaped(is_indented ? line.substr(2) : line) + "\n"; }
        is_new = line.empty() || (is_example && !is_indented);
        is_example = is_indented;
    }
    return roff + (is_example ? ".fi\n.RE\n" : "");
}

std::string section(const Usage& usage) {
    std::string text = ".SS " + escaped(usage.name()) + "\n" + synopsis(usage);
    text += ".PP\n" + sentence(usage.description) + "\n";
    for (const Argument& one : usage.positionals) { text += described(one); }
    for (const Argument& one : usage.options) { text += described(one); }
    return text + footer(usage.footer);
}

}  // namespace

std::string manual(const Usage& usage, const std::string& version) {
    std::string text = ".TH HARUSPEX 1 \"\" \"haruspex " + escaped(version) + "\" \"User Commands\"\n";
    text += ".SH NAME\nharuspex \\- " + escaped(usage.description) + "\n";
    text += ".SH SYNOPSIS\n" + synopsis(usage);
    text += ".SH DESCRIPTION\n" + footer(usage.footer);
    text += ".SH OPTIONS\n";
    for (const Argument& option : usage.options) { text += described(option); }
    text += ".SH COMMANDS\n";
    for (const Usage* command : with_commands(usage)) {
        if (!command->path.empty()) { text += section(*command); }
    }
    return text;
}

}  // namespace haruspex::cli
