#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/conversion/conversion.h"

namespace haruspex::conversion {

// What the head of a program asserts before anything is done.
struct Head {
    std::vector<Premise> premises;  // of the specification's parameters, where they do not hold by themselves
    // Of other parameters too, but for what concerns types and bytes; conditions without lets and without conjunctions.
    std::vector<sched::Expr> of_buffers;
};

// Of an assertion of the specification's parameters; nothing when it holds by itself.
std::optional<Premise> premise(const sched::Expr& assertion);

// Takes the assertions from the head of a program, which ends where memory is first read.
Head take_head(sched::Block& body, const std::vector<std::string>& parameters);

}  // namespace haruspex::conversion
