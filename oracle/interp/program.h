#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "generators/value/value.h"
#include "oracle/interp/indices.h"
#include "oracle/interp/loop_bounds.h"
#include "oracle/interp/stage_steps.h"

// A SARE compiled for given parameters: a sequence of stack-machine instructions for every component of every equation.
//
// A frame of the machine has a slot for each variable of the tensor, then two slots for each variable that a reduction
// binds: its value and its last value. The instructions of an expression leave its value on the operand stack.
namespace haruspex::interp {

enum class Opcode : std::uint8_t {
    literal,      // push literals[a]
    embed,        // push index a as a value of type `type`
    guard,        // push condition a
    read_tensor,  // push the cell of reads[a]
    read_input,   // push the cell of reads[a]
    unary,        // pop 1, push; operator `sub`
    binary,       // pop 2, push; operator `sub`
    select,       // pop 3 (condition, if_true, if_false), push
    cast,         // pop 1, push; to `type`
    branch,       // continue at b unless condition a holds
    loop_begin,   // start loops[a], or continue at b if it is empty
    loop_next,    // next value of loops[a]: continue at b; fall through after the last
    give_up,      // stop with the error messages[a]
    finish,       // the cell's value is on the stack
};

struct Instruction {
    Opcode op;
    std::uint8_t sub = 0;
    value::Type type = value::Type::i32;
    std::uint32_t a = 0, b = 0;
};

// An access: its indices are consecutive in `Program::indices`.
struct Read {
    std::uint32_t source = 0;  // position of the tensor or input
    std::uint32_t component = 0;
    std::uint32_t first_index = 0, rank = 0;
};

struct LoopCode {
    struct BoundCode {
        IndexRef row;
        std::int64_t divisor = 1;
    };
    struct IntervalCode {
        std::vector<BoundCode> lower, upper;
    };
    std::uint32_t slot = 0;  // of the value; the slot of the last value follows it
    std::vector<IntervalCode> intervals;
};

struct EquationCode {
    ConditionRef domain;
    std::vector<std::uint32_t> entries;  // first instruction, for each component
};

// The cell that a staged tensor's cell copies (sare/staging.h).
struct StageLink {
    enum class Kind : std::uint8_t {
        none,   // an ordinary tensor, or the pure definition A.0
        final,  // A(x) = last value of the previous stage
        update  // A.s(x, k)
    };
    Kind kind = Kind::none;
    std::uint32_t previous = 0;         // the tensor of the previous stage
    std::unique_ptr<StageSteps> steps;  // update
};

struct TensorCode {
    std::string name;
    std::vector<value::Type> types;
    std::uint32_t rank = 0;
    std::uint32_t slot_count = 0;
    std::vector<EquationCode> equations;
    StageLink link;
};

struct InputCode {
    std::string name;
    value::Type type = value::Type::i32;
    std::uint32_t rank = 0;
};

struct Program {
    explicit Program(int index_bits) : code(index_bits) {}

    IndexCode code;
    std::vector<Instruction> instructions;
    std::vector<value::Value> literals;
    std::vector<IndexRef> indices;
    std::vector<Read> reads;
    std::vector<LoopCode> loops;
    std::vector<std::string> messages;
    std::vector<TensorCode> tensors;
    std::vector<InputCode> inputs;
    std::map<std::string, std::uint32_t> tensor_numbers;
};

// Compiles for a machine whose indices have `index_bits` bits. The SARE is well-formed and every parameter has a value
// (ENSURE).
Program compile(const sare::Sare& sare, const Sizes& parameters, int index_bits);

}  // namespace haruspex::interp
