#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// An assertion at the head of the program: about the parameters, or about a passed buffer if it may fail for a buffer
// that has exactly the asserted cells.
struct Premise {
    std::string text;
    std::optional<sare::Condition> condition;  // nullopt if it is not affine, or is about buffers
    bool is_needed = true;                     // the converted program is to be proved only where it holds
    bool operator==(const Premise&) const = default;
};

// The assertions at the head of a program, before any other effect.
struct Head {
    std::vector<Premise> premises;  // on the specification's parameters, unless they hold by themselves
    // Assertions on other parameters too, except those about types and bytes; conditions without lets and conjunctions.
    std::vector<sched::Expr> of_buffers;
};

// The premise of an assertion on the specification's parameters; nullopt if it holds by itself.
std::optional<Premise> premise(const sched::Expr& assertion);

// Removes the assertions from the head of a program and returns them. The head ends at the first statement that reads
// memory, or that is neither a declaration nor an assertion.
Head take_head(sched::Block& body, const std::vector<std::string>& parameters);

}  // namespace haruspex::conversion
