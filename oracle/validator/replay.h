#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/smt/query.h"
#include "oracle/validator/scope.h"

// Counterexamples, run: the program in the interpreter of SCHED against the specification in that of SAREs.
namespace haruspex::validator {

// Where input cells come from.
struct Inputs {
    // Small numbers whose arithmetic is exact; any bits; the ends of the type's range, and of smaller types' ranges.
    // Wide floats round, and are never NaN or infinite; extreme ones are often zero of either sign, infinite or NaN.
    enum class Style : std::uint8_t { small, wide, extreme } style = Style::small;
    std::uint64_t seed = 0;
    std::vector<smt::CellValue> given;  // these cells have these values
};

std::string_view name(Inputs::Style style);  // "small", …

interp::InputFunction inputs_of(const sare::Sare& sare, const Inputs& inputs);

// Why a program and its specification were not compared.
enum class NotReplayed : std::uint8_t {
    sizes,          // the specification does not allow them
    boxes,          // an output's box has a negative extent: nothing is said of these sizes
    parameters,     // one has no value
    refused,        // an assertion fails before anything is done, of which a caller must know
    indices,        // one leaves 64 bits
    steps,          // the program needs more
    cells,          // more are requested than a program of so many steps can write
    specification,  // it says nothing, or needs more steps than a program could take
};
std::string_view name(NotReplayed reason);  // "sizes", …

struct Trial {
    bool ran = false;       // the sizes are admissible, and neither interpreter gave up
    bool is_wrong = false;  // the program is in trouble, or a requested cell that is specified differs
    bool is_undef = false;  // all that is wrong is that cells are Undef, as after an overflow, that are specified
    std::string message;    // what is wrong, or why it did not run
    std::optional<interp::TroubleKind> trouble = std::nullopt;  // that the program is in, when that is what is wrong
    std::uint64_t steps = 0;                                 // of the program; of the specification when it needs more
    std::optional<NotReplayed> not_replayed = std::nullopt;  // of what did not run
};
// A trial of what did not run.
Trial untried(NotReplayed reason, std::string message, std::uint64_t steps = 0);
// "out_of_bounds_read: reads in[12], …", "F(3) is 5i32, expected 4i32".
std::string to_string(const Trial& trial);

// What an assertion that fails before anything is done is: a fault of the program, or what its caller must know.
enum class AtHead : std::uint8_t { is_wrong, refuses };

// One run. Every parameter of the specification and the program has a size (ENSURE). `zeros_are_one`: a requested cell
// is right with a zero of either sign, and iterations may leave either (interp::Options).
Trial replay(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, const Inputs& inputs,
             std::uint64_t most_steps, bool zeros_are_one = false, AtHead at_head = AtHead::is_wrong);

}  // namespace haruspex::validator
