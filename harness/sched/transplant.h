#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "harness/sched/syntax.h"

// Copies prophecies into a program that was lowered without prophecies (the plain program) from a program that was
// lowered from the same source with prophecies. The prophecies may have changed what the compiler did. So every verdict
// is about the plain program, and prophecies are copied only if both programs agree.
//
// The programs agree if their loops, branches, allocations, assignments, forks and semaphores correspond one to one:
// the same kinds of loops with the same bounds, the same conditions, assignments of the same lanes to the same arrays
// at the same indices, the same numbers of units of the same semaphores. Indices and conditions are compared by normal
// forms (normal_form.h). Lets and local names may differ, and so may assignments that change nothing, which a compiler
// removes unless they have prophecies. Values, asserts and frees are not compared: a prophecy is never trusted.
namespace haruspex::sched {

// The part in which two statements differ.
enum class Part : std::uint8_t { structure, bounds, condition, indices, units };
std::string_view name(Part part);  // "structure", …

// The first statement at which two programs differ.
struct Parting {
    Part part = Part::structure;
    std::string statement;  // headline of the plain program's statement; if it has none there, of the other program's
    bool operator==(const Parting&) const = default;
};

// Returns the plain program with the prophecies, or where the two programs differ. The copied prophecies mention only
// the plain program's loop variables, lanes and parameters; lets of the other program that they need become lets within
// them. A write whose prophecy mentions anything else, such as a value-let, gets no prophecy.
[[nodiscard]] std::expected<Program, Parting> transplant(const Program& plain, const Program& prophesied);

}  // namespace haruspex::sched
