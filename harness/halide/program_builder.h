#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"

// Builds a Halide pipeline from a case.
//
//   parameter            Param<int> of its name, set to the case's size
//   input                ImageParam of its name; a rank-0 input is a rank-0 ImageParam, which takes part in the bounds
//                        query like any other
//   inline reduction     a function of its own (generators/sare/outline.h)
//   function             Func of its name; variables are Vars of their names; several components make a Tuple
//   n-th update of A     its recurrence variables are one RDom named A_u<n> in their order, the filter is its where()
//   schedule             one Halide call for each directive, in order (schedule_calls.h)
//   outputs              one Pipeline over all of them
namespace haruspex::halide {

// The loop variables of a definition by their names in the schedule.
using LoopVariables = std::map<std::string, Halide::VarOrRVar>;

struct Input {
    std::string name;
    value::Type type = value::Type::i32;
    Halide::ImageParam param;
};

struct Program {
    std::map<std::string, Halide::Param<int>> parameters;
    std::vector<Input> inputs;                  // in the SARE's order
    std::map<std::string, Halide::Func> funcs;  // including the intermediates of rfactor, by their names in the
                                                // schedule
    // By function and definition: 0 is the pure one, n + 1 the n-th update.
    std::map<std::pair<std::string, int>, LoopVariables> loops;
    std::map<std::string, std::vector<value::Type>> types;  // for functions
    Halide::Pipeline pipeline;
};

// Sets the program's parameters, each of which must have a size (ENSURE).
void set_sizes(Program& program, const Sizes& sizes);

// Fails if the case is not staged or Halide cannot express it. If Halide refuses it, Halide throws (Halide::Error).
[[nodiscard]] Result<Program> build_program(const cases::Case& c);

}  // namespace haruspex::halide
