#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// What --help is made of, as data: completions and the manual are made of the same.
namespace haruspex::cli {

struct Argument {
    std::vector<std::string> names;  // "-o", "--out"; of a positional its name alone
    std::string description;
    std::string type;                 // "TEXT", "UINT", "NAME=VALUE"; empty for a flag
    std::vector<std::string> values;  // those that it may have, if they are fixed
    std::string default_value;
    bool is_required = false;
    bool is_repeated = false;

    bool takes_value() const { return !type.empty(); }
    // Whether it may name a file, for all that is known.
    bool may_be_file() const;
};

struct Usage {
    std::vector<std::string> path;  // "known", "add"; empty for haruspex itself
    std::string description, footer;
    std::vector<Argument> options, positionals;
    std::vector<Usage> commands;

    // "haruspex known add"
    std::string name() const;
};

// The commands that people may give, in their order; those without a group are not theirs.
Usage usage_of(const CLI::App& app);

// The usage and that of all commands below it, the former first.
std::vector<const Usage*> with_commands(const Usage& usage);

}  // namespace haruspex::cli
