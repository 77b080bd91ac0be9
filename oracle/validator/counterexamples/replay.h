#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/smt/query.h"

// Replays counterexamples: runs the program in the interpreter of SCHED against the specification in that of SAREs.
namespace haruspex::validator {

// The source of the values of input cells.
struct Inputs {
    // `small`: small numbers, for exact arithmetic. `wide`: integers of any bits; floats that round, never NaN or
    // infinite. `extreme`: integers at the ends of the type's range, and of smaller types' ranges; floats that are
    // often zero of either sign, infinite or NaN. `special`: the same, but other numbers are small.
    enum class Style : std::uint8_t { small, wide, extreme, special } style = Style::small;
    std::uint64_t seed = 0;
    std::vector<smt::CellValue> given;  // these cells have these values
};

std::string_view name(Inputs::Style style);  // "small", …

interp::InputFunction inputs_of(const sare::Sare& sare, const Inputs& inputs);

// The reason why a program and its specification were not compared.
enum class NotReplayed : std::uint8_t {
    sizes,          // the specification does not allow them
    boxes,          // an output's box has a negative extent: nothing is claimed for these sizes
    parameters,     // a parameter has no value
    refused,        // an assertion at the program's head fails (AtHead::refuses)
    indices,        // an index leaves 64 bits
    steps,          // the program needs more than `most_steps`
    cells,          // more cells are requested than a run of `most_steps` can write
    specification,  // the specification has no value, or needs more steps than a program could take
};
std::string_view name(NotReplayed reason);  // "sizes", …

struct Trial {
    bool ran = false;       // the sizes are admissible, and neither interpreter gave up
    bool is_wrong = false;  // the program is in trouble, or a requested cell that is specified differs
    bool is_undef = false;  // the only fault: specified cells are Undef, as after an overflow
    std::string message;    // what is wrong, or why it did not run
    std::optional<interp::TroubleKind> trouble = std::nullopt;  // set if the program is in trouble
    std::uint64_t steps = 0;                                    // of the program; plus a failing specification's limit
    std::optional<NotReplayed> not_replayed = std::nullopt;     // set if the trial did not run
};
// A trial that did not run, for this reason.
Trial untried(NotReplayed reason, std::string message, std::uint64_t steps = 0);
// "out_of_bounds_read: reads in[12], …", "F(3) is 5i32, expected 4i32".
std::string to_string(const Trial& trial);

// The meaning of a failing assertion at the program's head: the program is wrong, or it refuses sizes for which its
// caller must not call it.
enum class AtHead : std::uint8_t { is_wrong, refuses };

// Runs the program once and compares it with its specification. Every parameter of both must have a size (ENSURE).
// `ignores_sign_of_zero`: a requested cell is right with a zero of either sign, and iterations may leave either
// (interp::Options). `ignores_rounding`: so it is with a number that differs from the specified one by little.
Trial replay(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, const Inputs& inputs,
             std::uint64_t most_steps, bool ignores_sign_of_zero = false, AtHead at_head = AtHead::is_wrong,
             bool ignores_rounding = false);

}  // namespace haruspex::validator
