#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "harness/sched/syntax.h"

// Takes prophecies for a program without any from another program, which was lowered from the same source with
// prophecies. Inserting prophecies can change what a compiler does: every verdict is about the plain program, and
// prophecies count only where both programs agree.
//
// They agree if their loops, branches, allocations, assignments, forks and semaphores correspond one to one: the same
// kinds of loops with the same bounds, the same conditions, assignments of the same lanes to the same arrays at the
// same indices, the same numbers of units of the same semaphores. This is modulo lets, local names, normal forms
// (normal_form.h), and assignments that change nothing, which a compiler removes unless they are prophesied. Values,
// asserts and frees are not compared: a prophecy is never trusted.
namespace haruspex::sched {

// How two statements differ.
enum class Part : std::uint8_t { structure, bounds, condition, indices, units };
std::string_view name(Part part);  // "structure", …

// Where two programs differ: the headline of the plain statement.
struct Parting {
    Part part = Part::structure;
    std::string statement;
    bool operator==(const Parting&) const = default;
};

// Returns the plain program with the prophecies, or where the two programs differ. Prophecies mention only the plain
// program's loop variables, lanes and parameters; lets of the other program that they need become lets within them. A
// write whose prophecy mentions anything else, such as a value, gets none.
[[nodiscard]] std::expected<Program, Parting> transplant(const Program& plain, const Program& prophesied);

}  // namespace haruspex::sched
