#include "harness/sched/names.h"

#include <algorithm>
#include <array>

#include "generators/sare/names.h"

namespace haruspex::sched {

namespace {

// The words that may begin a statement or an expression, beyond those that SAREs reserve. "in", "of", "do", "from",
// "stride" and "sched" stand only where no name can.
constexpr std::array<std::string_view, 18> keywords{
    "skip", "let",    "allocate", "free",     "lanes",      "else",      "for",     "par",     "vector",
    "int",  "assert", "atomic",   "unrolled", "accumulate", "semaphore", "acquire", "release", "fork"};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool may_follow(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '$'; }

}  // namespace

bool is_program_name(std::string_view text) {
    return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), may_follow);
}

bool is_name(std::string_view text) {
    return is_program_name(text) && !sare::is_reserved(text) &&
           std::find(keywords.begin(), keywords.end(), text) == keywords.end();
}

bool is_tensor_name(std::string_view text) { return sare::is_tensor_name(text) && text != "int"; }

}  // namespace haruspex::sched
