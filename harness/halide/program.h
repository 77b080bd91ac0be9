#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/value/type.h"

// A case as a Halide pipeline (program_builder.h).
namespace haruspex::halide {

// The loop variables of a definition, by their names in the schedule.
using LoopVariables = std::map<std::string, Halide::VarOrRVar>;

struct Input {
    std::string name;
    value::Type type = value::Type::i32;
    Halide::ImageParam param;
};

struct Program {
    std::map<std::string, Halide::Param<int>> parameters;
    std::vector<Input> inputs;                  // in the SARE's order
    std::map<std::string, Halide::Func> funcs;  // by their names in the schedule, including the intermediates of
                                                // rfactor
    // By function and number of the definition: 0 for the pure definition, n + 1 for update number n, which counts from
    // 0.
    std::map<std::pair<std::string, int>, LoopVariables> loops;
    std::map<std::string, std::vector<value::Type>> types;  // of functions
    Halide::Pipeline pipeline;
};

// Sets the program's parameters, each of which must have a size (ENSURE).
void set_sizes(Program& program, const Sizes& sizes);

}  // namespace haruspex::halide
