#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "harness/sched/syntax.h"

// Prophecies for a program that has none, from another one that was lowered from the same source with prophecies in
// it. Putting them in can change what a compiler does, so every verdict is about the plain program, and only
// where both agree the prophecies count.
//
// They agree when their loops, branches, allocations, assignments, forks and semaphores correspond one to one: the same
// kinds of loops with the same bounds, the same conditions, assignments of the same lanes to the same arrays at the
// same indices, as many units of the same semaphores. That is modulo lets, the names of what is local, normal forms
// (normal_form.h), and assignments that change nothing, which a compiler takes away unless they are prophesied. Values,
// asserts and where memory is freed are not compared: a prophecy is never trusted.
namespace haruspex::sched {

// In what two statements differ.
enum class Part : std::uint8_t { structure, bounds, condition, indices, units };
std::string_view name(Part part);  // "structure", …

// Where two programs part: the headline of the plain statement.
struct Parting {
    Part part = Part::structure;
    std::string statement;
    bool operator==(const Parting&) const = default;
};

// The plain program with the prophecies; or where the two part. Prophecies mention the plain program's loop
// variables, lanes and parameters only; lets of the other program that they need become lets of their own. A write
// whose prophecy mentions anything else, such as a value, has none.
[[nodiscard]] std::expected<Program, Parting> transplant(const Program& plain, const Program& prophesied);

}  // namespace haruspex::sched
