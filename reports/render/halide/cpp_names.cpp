#include "reports/render/halide/cpp_names.h"

#include <fmt/ranges.h>

#include <sstream>

namespace haruspex::render::halide {
namespace {

// The keywords of C++17, and the names that the programs use or declare themselves.
const std::set<std::string>& reserved() {
    static const std::set<std::string> words{"alignas",      "alignof",
                                             "and",          "and_eq",
                                             "asm",          "auto",
                                             "bitand",       "bitor",
                                             "bool",         "break",
                                             "case",         "catch",
                                             "char",         "char16_t",
                                             "char32_t",     "class",
                                             "compl",        "const",
                                             "const_cast",   "constexpr",
                                             "continue",     "decltype",
                                             "default",      "delete",
                                             "do",           "double",
                                             "dynamic_cast", "else",
                                             "enum",         "explicit",
                                             "export",       "extern",
                                             "false",        "float",
                                             "for",          "friend",
                                             "goto",         "if",
                                             "inline",       "int",
                                             "long",         "mutable",
                                             "namespace",    "new",
                                             "noexcept",     "not",
                                             "not_eq",       "nullptr",
                                             "operator",     "or",
                                             "or_eq",        "private",
                                             "protected",    "public",
                                             "register",     "reinterpret_cast",
                                             "return",       "short",
                                             "signed",       "sizeof",
                                             "static",       "static_assert",
                                             "static_cast",  "struct",
                                             "switch",       "template",
                                             "this",         "thread_local",
                                             "throw",        "true",
                                             "try",          "typedef",
                                             "typeid",       "typename",
                                             "union",        "unsigned",
                                             "using",        "virtual",
                                             "void",         "volatile",
                                             "wchar_t",      "while",
                                             "xor",          "xor_eq",
                                             "main",         "std",
                                             "Halide",       "Internal",
                                             "Var",          "RVar",
                                             "RDom",         "Func",
                                             "Stage",        "Expr",
                                             "Tuple",        "Param",
                                             "ImageParam",   "Buffer",
                                             "Pipeline",     "Realization",
                                             "Target",       "TailStrategy",
                                             "LoopLevel",    "LoopAlignStrategy",
                                             "Partition",    "PrefetchBoundStrategy",
                                             "int8_t",       "int16_t",
                                             "int32_t",      "int64_t",
                                             "uint8_t",      "uint16_t",
                                             "uint32_t",     "uint64_t",
                                             "cast",         "select",
                                             "min",          "max",
                                             "abs",          "clamp",
                                             "strict_float", "print",
                                             "memcpy",       "printf",
                                             "NULL",         "EOF",
                                             "NAN",          "INFINITY",
                                             "linux",        "unix",
                                             "assert",       "stdin",
                                             "stdout",       "stderr",
                                             "errno",        "Int",
                                             "UInt",         "Float",
                                             "Bool",         "JITUserContext",
                                             "RuntimeError", "InternalError",
                                             "hash",         "special",
                                             "guarded",      "garbage",
                                             "allocate",     "release",
                                             "fork",         "waitpid",
                                             "status",       "child",
                                             "alarm",        "signal",
                                             "strsignal",    "setrlimit",
                                             "rlimit",       "limit",
                                             "_exit",        "memset",
                                             "memcmp",       "actual",
                                             "expected",     "error",
                                             "uint",         "pid_t",
                                             "size_t"};
    return words;
}

}  // namespace

std::string Identifiers::of(const std::string& key, const std::string& name, const std::string& suffix) {
    const auto known = by_key_.find(key);
    if (known != by_key_.end()) { return known->second; }
    const bool is_free = !reserved().contains(name) && !taken_.contains(name);
    const std::string identifier = is_free || suffix.empty() ? fresh(name) : fresh(name + "_" + suffix);
    by_key_[key] = identifier;
    return identifier;
}

std::string Identifiers::fresh(const std::string& name) {
    std::string candidate = name;
    for (int number = 1; reserved().contains(candidate) || taken_.contains(candidate); ++number) {
        candidate = name + "_" + std::to_string(number);
    }
    taken_.insert(candidate);
    return candidate;
}

std::string string_literal(const std::string& text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            literal += std::string("\\") + c;
        } else if (c == '\n') {
            literal += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
            literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
            literal += c;
        }
    }
    return literal + "\"";
}

std::string comment(const std::string& text) {
    std::string lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        for (char& c : line) {
            if (static_cast<unsigned char>(c) < 0x20) { c = ' '; }
        }
        // A backslash at the end would continue the comment on the next line.
        while (!line.empty() && (line.back() == ' ' || line.back() == '\\')) { line.pop_back(); }
        lines += line.empty() ? "//\n" : "// " + line + "\n";
    }
    return lines;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string joined(const std::vector<std::int64_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ", ")); }

}  // namespace haruspex::render::halide
