#include "reports/cli/usage.h"

#include <fmt/ranges.h>

namespace haruspex::cli {
namespace {

// Splits the values off a type: CLI11 writes "TEXT:{ieee,real}".
void split_type(std::string text, Argument& argument) {
    if (const std::size_t open = text.find(":{"); open != std::string::npos && text.ends_with('}')) {
        std::string set = text.substr(open + 2, text.size() - open - 3) + ",";
        text.resize(open);
        for (std::size_t end = set.find(','); end != std::string::npos; end = set.find(',')) {
            argument.values.push_back(set.substr(0, end));
            set.erase(0, end + 1);
        }
    }
    argument.type = std::move(text);
}

Argument argument_of(const CLI::Option& option) {
    Argument argument;
    if (option.get_positional()) {
        argument.names = {option.get_name(true)};
    } else {
        for (const std::string& name : option.get_snames()) { argument.names.push_back("-" + name); }
        for (const std::string& name : option.get_lnames()) { argument.names.push_back("--" + name); }
    }
    argument.description = option.get_description();
    // CLI11 gives flags a type name, too; ignore it.
    if (option.get_items_expected_max() > 0) { split_type(option.get_type_name(), argument); }
    argument.default_value = option.get_default_str();
    argument.is_required = option.get_required();
    argument.is_repeated =
        option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    return argument;
}

Usage usage_below(const CLI::App& app, std::vector<std::string> path) {
    Usage usage{std::move(path), app.get_description(), app.get_footer(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) { continue; }
        (option->get_positional() ? usage.positionals : usage.options).push_back(argument_of(*option));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
        std::vector<std::string> below = usage.path;
        below.push_back(command->get_name());
        usage.commands.push_back(usage_below(*command, std::move(below)));
    }
    return usage;
}

void collect(const Usage& usage, std::vector<const Usage*>& all) {
    all.push_back(&usage);
    for (const Usage& command : usage.commands) { collect(command, all); }
}

}  // namespace

bool Argument::may_be_file() const {
    return values.empty() && (type.starts_with("TEXT") || type.starts_with("FILE") || type.starts_with("PATH"));
}

std::string Usage::name() const { return path.empty() ? "haruspex" : "haruspex " + joined(path); }

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

Usage usage_of(const CLI::App& app) { return usage_below(app, {}); }

std::vector<const Usage*> with_commands(const Usage& usage) {
    std::vector<const Usage*> all;
    collect(usage, all);
    return all;
}

}  // namespace haruspex::cli
