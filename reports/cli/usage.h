#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// The contents of --help as data. Completions and the manual are made from it.
namespace haruspex::cli {

struct Argument {
    std::vector<std::string> names;  // "-o", "--out"; for a positional only its name
    std::string description;
    std::string type;                 // "TEXT", "UINT", "NAME=VALUE"; empty for a flag
    std::vector<std::string> values;  // the values allowed, if they are fixed
    std::string default_value;
    bool is_required = false;
    bool is_repeated = false;

    bool takes_value() const { return !type.empty(); }
    // Whether the argument may name a file, judging by its type.
    bool may_be_file() const;
};

struct Usage {
    std::vector<std::string> path;  // "known", "add"; empty for haruspex itself
    std::string description, footer;
    std::vector<Argument> options, positionals;
    std::vector<Usage> commands;

    // Returns the whole command, such as "haruspex known add".
    std::string name() const;
};

std::string joined(const std::vector<std::string>& words, const std::string& separator = " ");

// Returns the usage of the public commands, in order. Commands without a group are internal.
Usage usage_of(const CLI::App& app);

// Returns `usage` and the usages of all commands below it, which are borrowed.
std::vector<const Usage*> with_commands(const Usage& usage);

}  // namespace haruspex::cli
