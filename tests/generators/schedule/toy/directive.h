#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "generators/schedule/schedule.h"

// The schedules of toy, the small compiler of the tests: nothing in them is like another compiler's.
//
//   directive ::= "chunk" tensor variable number     the loop over the variable runs in chunks of so many iterations
//               | "pass" name                        the next pass that the program goes through
//
// The passes are the case's own: each schedule has the order in which the compiler runs them.
namespace haruspex::schedule::toy {

struct Chunk {
    std::string tensor, variable;
    std::int64_t size = 2;
    bool operator==(const Chunk&) const = default;
};
struct Pass {
    std::string name;
    bool operator==(const Pass&) const = default;
};
struct Directive {
    std::variant<Chunk, Pass> action;
    bool operator==(const Directive&) const = default;
};

inline constexpr std::array<std::string_view, 5> passes{"tidy", "narrow", "settle", "rename", "widen"};

std::string print(const Directive& directive);
std::string kind_of(const Directive& directive);

}  // namespace haruspex::schedule::toy
