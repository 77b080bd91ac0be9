#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace haruspex::render::halide {

// Identifiers of a C++ program. Our languages allow names that C++ or `using namespace Halide` uses, and the same name
// for recurrence variables of two updates.
class Identifiers {
public:
    // Returns the identifier for a key: `name` if that is free, else name_suffix if `suffix` is given, with a number if
    // that is taken, too. The same key always has the same identifier.
    std::string of(const std::string& key, const std::string& name, const std::string& suffix = "");
    // Returns an identifier that is not used otherwise: `name`, with a number if necessary.
    std::string fresh(const std::string& name);

private:
    std::map<std::string, std::string> by_key_;
    std::set<std::string> taken_;
};

// Returns the text as a C++ string literal, quotes included.
std::string string_literal(const std::string& text);
// Returns any text as lines of a "//" comment.
std::string comment(const std::string& text);
// Joins a list of arguments: "a, b".
std::string joined(const std::vector<std::string>& parts);
std::string joined(const std::vector<std::int64_t>& numbers);

}  // namespace haruspex::render::halide
