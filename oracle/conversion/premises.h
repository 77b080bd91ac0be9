#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// A condition that an assertion at the program's head puts on a run. The assertion is about the specification's
// parameters, or about a buffer that is passed. In the latter case it may fail although the buffer has exactly the
// cells that other assertions require.
struct Premise {
    std::string text;
    std::optional<sare::Condition> condition;  // nullopt if it is not affine, or is about buffers
    bool is_needed = true;                     // the converted program has to be proved only where it holds
    bool operator==(const Premise&) const = default;
};

// The assertions at the head of a program, before any other effect.
struct Head {
    std::vector<Premise> premises;  // assertions on the specification's parameters, except those that always hold
    // Assertions that mention other parameters, except those about types and bytes. They are conditions without lets,
    // split at conjunctions.
    std::vector<sched::Expr> of_buffers;
};

// The premise that an assertion on the specification's parameters states; nullopt if it always holds.
std::optional<Premise> premise(const sched::Expr& assertion);

// Removes the assertions from the head of a program and returns them. The head ends at the first statement that reads
// memory, or that neither declares nor asserts something.
Head take_head(sched::Block& body, const std::vector<std::string>& parameters);

}  // namespace haruspex::conversion
