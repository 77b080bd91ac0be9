#include "reports/cli/completion.h"

#include <algorithm>

namespace haruspex::cli {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

std::vector<std::string> names_of(const std::vector<Argument>& options) {
    std::vector<std::string> names;
    for (const Argument& option : options) { names.insert(names.end(), option.names.begin(), option.names.end()); }
    return names;
}

std::vector<std::string> names_of(const std::vector<Usage>& commands) {
    std::vector<std::string> names;
    for (const Usage& command : commands) { names.push_back(command.path.back()); }
    return names;
}

// The fixed values that positional arguments may have.
std::vector<std::string> values_of(const std::vector<Argument>& positionals) {
    std::vector<std::string> values;
    for (const Argument& one : positionals) { values.insert(values.end(), one.values.begin(), one.values.end()); }
    return values;
}

// The first part of the description, for one line of a list.
std::string short_description(const std::string& description) {
    return description.substr(0, std::min(description.find_first_of(";:"), description.size()));
}

// --- bash -------------------------------------------------------------------------------------------------------

// "known add", the command's key in the script.
std::string key(const Usage& usage) { return "\"" + joined(usage.path) + "\""; }

std::string bash_commands(const std::vector<const Usage*>& all) {
    std::string text;
    for (const Usage* usage : all) {
        if (usage->commands.empty()) { continue; }
        text += "            " + key(*usage) + ") commands=\"" + joined(names_of(usage->commands)) + "\" ;;\n";
    }
    return text;
}

std::string bash_values(const std::vector<const Usage*>& all) {
    std::string text;
    for (const Usage* usage : all) {
        for (const Argument& option : usage->options) {
            if (!option.takes_value()) { continue; }
            std::vector<std::string> patterns;
            for (const std::string& name : option.names) {
                patterns.push_back("\"" + joined(usage->path) + ":" + name + "\"");
            }
            const std::string how = !option.values.empty() ? "words \"" + joined(option.values) + "\""
                                    : option.may_be_file() ? "files"
                                                           : "words \"\"";
            text += "        " + joined(patterns, " | ") + ") _haruspex_" + how + "; return ;;\n";
        }
    }
    return text;
}

std::string bash_words(const std::vector<const Usage*>& all) {
    std::string text;
    for (const Usage* usage : all) {
        text += "        " + key(*usage) + ")\n            options=\"" + joined(names_of(usage->options)) + "\"\n";
        const auto values = usage->commands.empty() ? values_of(usage->positionals) : names_of(usage->commands);
        text += values.empty() ? std::string() : "            words=\"" + joined(values) + "\"\n";
        text += "            ;;\n";
    }
    return text;
}

// --- zsh --------------------------------------------------------------------------------------------------------

// Quotes the text in single quotes; `special` holds the characters that _arguments would interpret.
std::string quoted_for_zsh(std::string text, const std::string& special) {
    text = replaced(std::move(text), "\\", "\\\\");
    for (const char c : special) { text = replaced(std::move(text), std::string(1, c), std::string("\\") + c); }
    return replaced(std::move(text), "'", "'\\''");
}

std::string zsh_values(const Argument& argument) {
    if (!argument.values.empty()) { return "(" + joined(argument.values) + ")"; }
    return argument.may_be_file() ? "_files" : " ";
}

std::string zsh_option(const Argument& option) {
    std::string text = option.is_repeated ? "'*'" : "";
    if (option.names.size() > 1) {
        if (!option.is_repeated) { text += "'(" + joined(option.names) + ")'"; }
        text += "{" + joined(option.names, ",") + "}";
    } else {
        text += option.names.front();
    }
    text += "'[" + quoted_for_zsh(short_description(option.description), "[]") + "]";
    if (option.takes_value()) { text += ":" + quoted_for_zsh(option.type, ":") + ":" + zsh_values(option); }
    return text + "'";
}

std::string zsh_function(const Usage& usage) {
    const std::string name = "_haruspex" + (usage.path.empty() ? "" : "_" + joined(usage.path, "_"));
    std::string text = replaced(name, "-", "_") + "() {\n";
    if (!usage.commands.empty()) {
        text += "    local curcontext=\"$curcontext\" state line\n    typeset -A opt_args\n";
    }
    text += usage.commands.empty() ? "    _arguments" : "    _arguments -C";
    for (const Argument& option : usage.options) { text += " \\\n        " + zsh_option(option); }
    if (usage.commands.empty()) {
        for (const Argument& positional : usage.positionals) {
            text += " \\\n        '" + std::string(positional.is_repeated ? "*" : "") + ":" +
                    quoted_for_zsh(positional.names.front(), ":") + ":" + zsh_values(positional) + "'";
        }
        return text + "\n}\n";
    }
    text += " \\\n        '1: :->command' '*:: :->arguments'\n    case $state in\n        command)\n";
    text += "            local -a commands=(\n";
    for (const Usage& command : usage.commands) {
        text += "                '" + command.path.back() + ":" +
                quoted_for_zsh(short_description(command.description), ":") + "'\n";
    }
    text += "            )\n            _describe -t commands command commands\n            ;;\n        arguments)\n";
    text += "            case $words[1] in\n";
    for (const Usage& command : usage.commands) {
        text += "                " + command.path.back() + ") " + replaced(name + "_" + command.path.back(), "-", "_") +
                " ;;\n";
    }
    return text + "            esac\n            ;;\n    esac\n}\n";
}

// --- fish -------------------------------------------------------------------------------------------------------

std::string quoted_for_fish(const std::string& text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_line(const std::string& condition, const Usage& usage, const std::string& rest) {
    const std::string where = usage.path.empty() ? condition : condition + " " + joined(usage.path);
    return "complete -c haruspex -n '" + where + "' " + rest + "\n";
}

std::string fish_option(const Usage& usage, const Argument& option) {
    std::string text;
    for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.values.empty()) {
        text += " -x -a " + quoted_for_fish(joined(option.values));
    } else if (option.takes_value()) {
        text += option.may_be_file() ? " -r -F" : " -x";
    }
    text += " -d " + quoted_for_fish(short_description(option.description));
    return fish_line(usage.path.empty() ? "__haruspex_at" : "__haruspex_in", usage, text.substr(1));
}

std::string fish_command(const Usage& usage) {
    std::string text;
    for (const Usage& command : usage.commands) {
        text += fish_line(
            "__haruspex_at", usage,
            "-f -a " + command.path.back() + " -d " + quoted_for_fish(short_description(command.description)));
    }
    for (const Argument& option : usage.options) { text += fish_option(usage, option); }
    if (const auto values = values_of(usage.positionals); !values.empty()) {
        text += fish_line("__haruspex_in", usage, "-f -a " + quoted_for_fish(joined(values)));
    }
    return text;
}

}  // namespace

std::string bash_completion(const Usage& usage) {
    const auto all = with_commands(usage);
    // bash splits words at "=" and ":" (COMP_WORDBREAKS).
    return R"(# Completion of haruspex for bash.
_haruspex_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_haruspex_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_haruspex() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" commands options="" words="" i
    COMPREPLY=()
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        commands=""
        case $command in
)" + bash_commands(all) +
           R"(        esac
        if [[ " $commands " != *" ${COMP_WORDS[i]} "* ]]; then break; fi
        command+=${command:+ }${COMP_WORDS[i]}
    done
    case $command:$before in
)" + bash_values(all) +
           R"(    esac
    case $command in
)" + bash_words(all) +
           R"(    esac
    if [[ $current == -* ]]; then
        _haruspex_words "$options"
    elif [[ -n $words ]]; then
        _haruspex_words "$words"
    else
        _haruspex_files
    fi
}
complete -F _haruspex haruspex
)";
}

std::string zsh_completion(const Usage& usage) {
    std::string text = "#compdef haruspex\n# Completion of haruspex for zsh.\n";
    for (const Usage* one : with_commands(usage)) { text += zsh_function(*one); }
    return text + "if [[ $funcstack[1] == _haruspex ]]; then _haruspex \"$@\"; else compdef _haruspex haruspex; fi\n";
}

std::string fish_completion(const Usage& usage) {
    std::string text = R"(# Completion of haruspex for fish.
# Whether the command line so far is that of a command, with or without arguments.
function __haruspex_in
    set -l words (commandline -opc)
    set -l count (count $argv)
    test (count $words) -gt $count; or return 1
    test $count -eq 0; and return 0
    set -l last (math $count + 1)
    test "$words[2..$last]" = "$argv"
end
# Whether it ends with that command.
function __haruspex_at
    test (count (commandline -opc)) -eq (math (count $argv) + 1); and __haruspex_in $argv
end
)";
    for (const Usage* one : with_commands(usage)) { text += fish_command(*one); }
    return text;
}

}  // namespace haruspex::cli
