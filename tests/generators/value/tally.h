#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "generators/value/value.h"

namespace haruspex::value {

// Counts comparisons, and disagreements by operator, each with its first example.
class Tally {
public:
    void compare(const std::string& what, const std::string& operands, const Value& ours, const Value& halide,
                 bool equal) {
        ++compared_;
        if (equal) { return; }
        auto& [count, example] = wrong_[what];
        if (count++ == 0) { example = operands + " is " + to_string(ours) + ", Halide gives " + to_string(halide); }
    }
    std::size_t compared() const { return compared_; }
    // Empty if all values agreed.
    std::string disagreements() const {
        std::string text;
        for (const auto& [what, seen] : wrong_) {
            text += what + " (" + std::to_string(seen.count) + " times): " + seen.example + "\n";
        }
        return text;
    }

private:
    struct Disagreement {
        int count = 0;
        std::string example;
    };
    std::size_t compared_ = 0;
    std::map<std::string, Disagreement> wrong_;
};

}  // namespace haruspex::value
