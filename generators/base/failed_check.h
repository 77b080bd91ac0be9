#pragma once

#include <compare>
#include <optional>
#include <string>

namespace haruspex {

// The check in the compiler's own code that an internal error reports. Versions of a compiler differ in what they tell of
// it, so that two values are compared with is_same_check, not by ==.
struct FailedCheck {
    std::optional<std::string> file;       // "CodeGen_LLVM.cpp"; nullopt: not told
    std::optional<std::string> function;   // "codegen_dense_vector_load"; nullopt: not told
    std::optional<std::string> condition;  // "base >= 0", empty for a check without one; nullopt: not told
    std::string words;                     // what the check says besides: "Symbol not found: f.s0.x"; may be empty
    bool operator==(const FailedCheck&) const = default;
    auto operator<=>(const FailedCheck&) const = default;
};

// Whether the two may be one check: the words are equal, and so is all that both tell.
bool is_same_check(const FailedCheck& a, const FailedCheck& b);
// Whether what both tell, beside the file, names one place in the compiler's code: words, a condition or a function. A
// file has many checks without words.
bool names_place(const FailedCheck& a, const FailedCheck& b);

// "CodeGen_LLVM.cpp, codegen_dense_vector_load: base >= 0: the words", without what is not told.
std::string to_string(const FailedCheck& check);

}  // namespace haruspex
