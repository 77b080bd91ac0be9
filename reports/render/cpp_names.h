#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace haruspex::render {

// Identifiers of a C++ program. Languages of ours allow names that C++ or `using namespace Halide` has taken, and the
// same name for recurrence variables of two updates.
class Identifiers {
public:
    // The identifier of a thing: its own name where that is free, else the name with the suffix, else with a number
    // behind. The same key always has the same identifier.
    std::string of(const std::string& key, const std::string& name, const std::string& suffix = "");
    // An identifier that nothing else gets.
    std::string fresh(const std::string& name);

private:
    std::map<std::string, std::string> by_key_;
    std::set<std::string> taken_;
};

// The text as a C++ string literal, quotes included.
std::string string_literal(const std::string& text);
// The text as lines of a "//" comment, whatever it contains.
std::string comment(const std::string& text);
// As a list of arguments: "a, b".
std::string joined(const std::vector<std::string>& parts);
std::string joined(const std::vector<std::int64_t>& numbers);

}  // namespace haruspex::render
