#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/base/ids.h"
#include "generators/value/operators.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sched_number.h"

// An executable SCHED program: names are slots, parameters are constants, and every access knows the `par` loops and
// forks whose iterations or branches may race at it.
namespace haruspex::interp::loops {

struct NumberNode;
struct ValueNode;
using NumberId = Id<NumberNode>;
using ValueId = Id<ValueNode>;
using ArrayId = Id<struct ArrayTag>;
using LevelId = Id<struct LevelTag>;
using StepId = Id<struct StepTag>;
using SemaphoreId = Id<struct SemaphoreTag>;
// A branch of a fork; the first strand is the code outside all forks. Strands are numbered so that each comes after the
// one that contains it, and the first branch of a fork, with all strands inside it, before the second branch.
using StrandId = Id<struct StrandTag>;

// Numbers and values of variables live in two frames, indexed by slots. Each binding has a slot of its own, since there
// is no recursion.
using Slot = std::uint32_t;

struct LaneRange {
    const std::string* variable = nullptr;
    Slot slot = 0;
    std::int64_t count = 0;  // 0: no lanes
};

// A value-let: its value, or one for each lane in consecutive slots.
struct ValueBinding {
    Slot slot = 0;
    LaneRange lanes;
    ValueId value;
};

enum class NumberOp : std::uint8_t {
    constant,
    variable,
    linear,
    arithmetic,
    negation,
    denoted,
    select,
    let,
    let_value
};
struct NumberNode {
    NumberOp op = NumberOp::constant;
    Arithmetic arithmetic = Arithmetic::add;
    Slot slot = 0;     // variable, let
    NumberId a, b, c;  // operands; condition and arms; a let's value and body
    ValueId value;     // denoted
    // let_value: position in Code::bindings; linear: first position in Code::terms, and number of terms.
    std::uint32_t bound = 0, count = 0;
    std::int64_t constant = 0;  // also of a linear form
};
// A term of a linear form. Even with a coefficient of zero, an operand without a value leaves the form without one
// (Flaw in sched_number.h).
struct Term {
    NumberId operand;
    std::int64_t coefficient = 1;
};

enum class ValueOp : std::uint8_t {
    constant,
    embed,
    guard,
    variable,
    lane_variable,
    load,
    unary,
    binary,
    cast,
    select,
    reduce,
    let,
    let_value,
};
struct ValueNode {
    ValueOp op = ValueOp::constant;
    value::Type type = value::Type::i32;  // embed, cast
    value::UnaryOp unary = value::UnaryOp::negate;
    value::BinaryOp binary = value::BinaryOp::add;  // also of a reduction
    Slot slot = 0;                                  // variable, lane_variable, let
    std::uint32_t entry = 0;                        // load: in Code::accesses; let_value: in Code::bindings
    NumberId number;                                // embed, guard, lane, select's condition, a let's value
    ValueId a, b;                                   // operands, arms, bodies
    LaneRange lanes;                                // reduce; lane_variable: their count
    value::Value constant = value::Value::uninit(value::Type::i32);
};

// An occurrence of array[indices] in the program, or a statement that frees the array.
struct Access {
    ArrayId array;
    std::uint32_t first_index = 0, rank = 0;  // in Code::indices; none for a free
    std::optional<NumberId> guard;
    // The level of the innermost enclosing par loop that writes or frees the array, if the array is allocated outside;
    // otherwise 0.
    LevelId level;
    bool is_shared_by_branches = false;  // branches of a fork share the array, and one of them writes or frees it
    bool is_shared() const { return level.value != 0 || is_shared_by_branches; }
};

// The par loops of a level never run at the same time: they belong to one strand, and have the same number of enclosing
// par loops.
struct Level {
    std::vector<LevelId> path;  // the nested par loops, outermost first, itself last
    std::uint32_t depth() const { return static_cast<std::uint32_t>(path.size()); }
};

// --- Statements --------------------------------------------------------------------------------------------------

struct Step;
using Steps = std::vector<Step>;

struct LetStep {
    Slot slot = 0;
    NumberId value;
};
struct LetValueStep {
    ValueBinding binding;
};
struct DimensionCode {
    NumberId extent, min;
    std::optional<NumberId> stride;
};
struct AllocateStep {
    ArrayId array;
    std::vector<DimensionCode> dimensions;
    std::optional<NumberId> condition;
};
struct FreeStep {
    std::uint32_t access = 0;  // in Code::accesses, of all its cells
};
// A prophecy that is a tensor access, possibly inside affine lets.
struct ProphecyCode {
    const sched::TensorAccess* access = nullptr;
    std::vector<NumberId> indices;
    std::vector<NumberId> reduced;
};
struct WriteCode {
    const sched::Write* source = nullptr;
    std::uint32_t access = 0;  // in Code::accesses
    std::optional<value::BinaryOp> accumulation;
    ValueId value;
    std::optional<ProphecyCode> prophecy;
};
struct AssignStep {
    LaneRange lanes;
    std::optional<NumberId> condition;
    std::vector<WriteCode> writes;
    bool repeats_array = false;  // two of the writes are to the same array
};
struct IfStep {
    NumberId condition;
    Steps then, otherwise;
};
struct ForStep {
    const std::string* variable = nullptr;
    Slot slot = 0;
    NumberId min, extent;
    LevelId level;  // of a par loop; otherwise 0
    Steps body;
};
struct AssertStep {
    NumberId condition;
    const std::string* message = nullptr;
};
struct AtomicStep {
    std::uint32_t depth = 0;  // number of enclosing par loops
    Steps body;
};
struct BlockStep {
    Steps body;
};

struct SemaphoreStep {
    SemaphoreId semaphore;
    NumberId units;
};
struct AcquireStep {
    SemaphoreId semaphore;
    NumberId units;
};
struct ReleaseStep {
    SemaphoreId semaphore;
    NumberId units;
};
struct ForkStep {
    struct Branch {
        StrandId strand;
        Steps body;
    };
    Branch first, second;
};

struct Step {
    StepId id;
    bool may_switch = false;  // to another strand: it is or contains a fork, an acquire or a release
    std::variant<LetStep, LetValueStep, AllocateStep, FreeStep, AssignStep, IfStep, ForStep, AssertStep, AtomicStep,
                 BlockStep, SemaphoreStep, AcquireStep, ReleaseStep, ForkStep>
        node;
};

// --- Programs ----------------------------------------------------------------------------------------------------

enum class Role : std::uint8_t { input, output, local };
struct ArrayCode {
    const std::string* name = nullptr;
    value::Type type = value::Type::i32;
    Role role = Role::local;
    std::uint32_t depth = 0;  // number of par loops around its allocation
};

struct Code {
    std::vector<NumberNode> numbers;
    std::vector<ValueNode> values;
    std::vector<Term> terms;
    std::vector<NumberId> indices;
    std::vector<Access> accesses;
    std::vector<ValueBinding> bindings;
    std::vector<ArrayCode> arrays;  // the program's first, in its order
    std::vector<std::vector<DimensionCode>> outer_dimensions;
    std::vector<const sched::Stmt*> sources;  // by StepId
    Slot number_slots = 0, value_slots = 0;
    std::vector<Level> levels{1};                // by LevelId; number 0 is outside all par loops
    std::vector<const std::string*> semaphores;  // their names
    std::uint32_t strands = 1;
    Steps body;
};

}  // namespace haruspex::interp::loops
