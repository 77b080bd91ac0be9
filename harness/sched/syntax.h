#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/alternatives.h"
#include "generators/base/box.h"
#include "generators/sare/syntax.h"
#include "generators/value/operators.h"

// SCHED: the loop language with prophecies (thesis ch. 4 and 7.3), with what lowered code adds to it.
//
//   program   ::= "sched" name "(" parameters ")" [ "with" "loose" "floats" ] "{" array* statement* "}"
//   array     ::= ("input" | "output") name [ "for" tensor [ "[" component "]" ] ] ":" type "[" dimension,… "]" ";"
//   dimension ::= expr [ "from" expr ] [ "stride" expr ]                       extent, minimum, stride
//   statement ::= "skip" ";"
//               | "let" name "=" expr ";"                                      a variable, until the end of the block
//               | "let" name [ lanes ] ":" type "=" expr ";"                   a value-let, until the end of the block
//               | "allocate" name ":" type "[" dimension,… "]" [ "if" expr ] ";"      until the end of the block
//               | "free" name ";"
//               | [ "lanes" name "<" integer "do" ] [ "if" expr "do" ] write ("," write)* ";"        an assignment
//               | "if" expr block [ "else" block ]
//               | ("for" | "par" | "vector" | "unrolled") name "in" "[" expr "," expr ")" block
//               | "assert" [ "{" ("type" | "size") "}" ] expr string ";"       { } holds its convention (AssertKind)
//               | "atomic" block
//               | "accumulate" name block
//               | "semaphore" name "=" expr ";"                                units; until the end of the block
//               | ("acquire" | "release") expr "of" name ";"                   units of a semaphore
//               | "fork" block "and" block
//   lanes     ::= "[" name "<" integer "]"
//   block     ::= "{" statement* "}"
//   write     ::= name "[" expr,… "]" [ "{" expr "}" ] ":=" expr               { } holds the prophecy
//               | name "[" expr,… "]" [ "{" expr "}" ] accumulate "{" expr,… "}" expr      { } the reduced index
//   accumulate::= "+=" | "*=" | "min=" | "max=" | "and=" | "or="
//   expr      ::= integer | "true" | "false" | name                            an index, a condition, a variable
//               | expr ("+" | "-" | "*" | "/" | "%") expr | ("min" | "max") "(" expr "," expr ")"
//               | expr ("<" | "<=" | "=" | "!=" | ">" | ">=") expr | expr "and" expr | expr "or" expr | "not" expr
//               | "int" "(" expr ")"                                           the integer that a value stands for
//               | literal | type "<" expr ">" | "[" expr "]"                   as in SAREs: a value, i32<x+1>, [x < 3]
//               | name [ "[" expr "]" ]                                        a value-let, at a lane
//               | name "[" expr,… "]" [ "?" "(" expr ")" ]                     a read of memory, if the guard holds
//               | tensor "(" expr,… ")" [ "[" component "]" ]                  a tensor of the SARE: in prophecies only
//               | operators and casts on values, as in SAREs
//               | "select" "(" expr "," expr "," expr ")"                      of indices, conditions or values; eager
//               | ("sum" | "prod" | "min" | "max" | "and" | "or") "lanes" name "<" integer "of" "(" expr ")"
//               | "let" name "=" expr "in" expr | "let" name [ lanes ] ":" type "=" expr "in" expr
//
// Operators bind as in C++, and "=" binds like "==". Looser than these are, in this order, "not", "and", "or" and "let
// … in"; a "let … in" needs brackets as an operand. An operator that indices and values share is one of values if an
// operand is a value. -x of an index x is -1*x. The text of a loop gives its minimum and the index at which it ends,
// minimum + extent. A string stands in double quotes on one line, with \", \\, \n and \xHH.
//
// A name is a C identifier that may also contain dots and dollars after its first character ("g.s1.r$x"). It is not a
// word that begins a statement or an expression, a type or a literal. All names share one space: the innermost
// declaration or binding of a name hides all others. A block declares a name at most once; the parameters, the arrays
// and the statements of the body count as one block. Tensors have the names of the SARE, in a space of their own; "int"
// cannot be a tensor. Expressions and statements nest at most 256 deep. "#" starts a comment that ends with the line.
//
// Kinds (thesis 4.4, Fig. 4.7; typing.h): an expression is an index (𝔸, a mathematical integer), a condition (𝔹), or a
// value of a scalar type. An integer literal without a type is an index; the literal of a value names its type (5i32).
//
// Meaning (Fig. 4.3–4.5; oracle/interp runs it). Statements of a block run in order. `let x = ι` is the thesis's affine
// let: its expression reads no memory. `let v : τ = e`, a value-let, is evaluated where it stands, with its reads, so
// it may not be moved past a store. With lanes it is a family of values, one for each lane, all evaluated at once. An
// assignment makes all reads before all writes; but an accumulation reads its cell after the writes that precede its
// own write. Writes are made in the order of the text: if two writes of one lane are to the same cell, the value of the
// later one stays. Lanes for which the condition does not hold read and write nothing. A read whose guard does not hold
// reads nothing and is Uninit. Division and modulo of indices are Euclidean; by zero they give zero.
//
// Iterations of a parallel loop, and lanes, that write the same cell must leave the same value in it, whatever the
// specification says of the cell. Where the specification may be Undef, two of them count as leaving the same value if
// their values result from the same computation. (The thesis's U-PARLOOP and S-ParLoop require that two iterations are
// compatible, Lemmas 5.4.1 and 5.4.2; where a specification is Undef, all iterations would be compatible.) Lanes do not
// accumulate in a cell that they share.
//
// Loops run over [minimum, minimum + extent). `for` and `unrolled` run in order. `par` runs its iterations without
// communication between them (U-PARLOOP). `vector` is a loop that has not become lanes yet, and runs in order. In
// `atomic` blocks, iterations of a `par` may update the same cell. `accumulate` (7.3.4) delimits a reduction and has no
// effect when run.
//
// `allocate` makes fresh cells, all Uninit, each time it is run, or no cells if its condition is false. Without strides
// an array has one index for each dimension d, which runs over [minimum_d, minimum_d + extent_d). With strides an array
// has a single, linear index: the cell with coordinates minimum_d + c_d, where 0 <= c_d < extent_d, has as its index
// the sum of c_d * stride_d. Either all dimensions have a stride or none has.
//
// `fork A and B` runs two blocks, its branches, at once, and ends when both have ended. The branches synchronise by
// semaphores alone. A semaphore has a number of units: `release` adds units, and `acquire` waits until it can take as
// many units as it asks for. No number of units is negative. Units are taken in the order in which they were released.
// The statements of a branch before a release happen before the statements after an acquire that takes one of the
// released units. Likewise, the statements before a fork happen before its branches, and the branches before the
// statements after the fork. Two accesses to one cell by different branches race, whatever their values, if one of them
// writes and neither happens before the other. Branches that wait for each other forever are in a deadlock. Iterations
// of a `par` do not wait for each other: inside a branch they run one after the other.
//
// Floats are IEEE's. `with loose floats` says that the code that finally runs may compute some float operations
// differently: in another order, or as if there were no NaN and only one zero. An interpreter runs such a program with
// IEEE floats; a proof that assumes IEEE floats does not prove such a program.
//
// Prophecies are ghost code: they never run, and they are not trusted. A prophecy is the value that the write leaves; or,
// if the order in which an update is reduced is open, the step A.s(x, k) that the write reduces, or several steps: `sum
// lanes l < n of (A.s(x, k))`, with the update's operator.
namespace haruspex::sched {

struct Expr;
using Relation = sare::Relation;

// --- Indices and conditions --------------------------------------------------------------------------------------

struct Integer {
    std::int64_t value = 0;
    bool operator==(const Integer&) const = default;
};
struct Truth {
    bool value = false;
    bool operator==(const Truth&) const = default;
};
// A parameter, a loop's variable, a lane variable, or a variable bound by an affine let.
struct Variable {
    std::string name;
    bool operator==(const Variable&) const = default;
};
enum class IndexOp : std::uint8_t { add, sub, mul, div, mod, min, max };
struct IndexBinary {
    IndexOp op;
    Box<Expr> a, b;
    bool operator==(const IndexBinary&) const = default;
};
struct Comparison {
    Relation relation;
    Box<Expr> a, b;  // indices; conditions only with eq and ne
    bool operator==(const Comparison&) const = default;
};
struct And {
    Box<Expr> a, b;
    bool operator==(const And&) const = default;
};
struct Or {
    Box<Expr> a, b;
    bool operator==(const Or&) const = default;
};
struct Not {
    Box<Expr> a;
    bool operator==(const Not&) const = default;
};
// The integer that a defined value of an integer type stands for, or the truth that a defined bool stands for.
struct IntegerOf {
    Box<Expr> a;
    bool operator==(const IntegerOf&) const = default;
};

// --- Values ------------------------------------------------------------------------------------------------------

// Never a bool: a bool literal is a Guard of a Truth.
struct Literal {
    value::Value value;
    bool operator==(const Literal&) const = default;
};
// An index, converted to a value of a type. An index that does not fit i32 or i64 gives Undef; other integers wrap, and
// floats round.
struct Embed {
    value::Type type;
    Box<Expr> index;
    bool operator==(const Embed&) const = default;
};
struct Guard {
    Box<Expr> condition;
    bool operator==(const Guard&) const = default;
};
// The value of a value-let; at a lane if the let has lanes.
struct ValueVariable {
    std::string name;
    std::optional<Box<Expr>> lane;
    bool operator==(const ValueVariable&) const = default;
};
struct Load {
    std::string array;
    std::vector<Expr> indices;
    std::optional<Box<Expr>> guard;  // a condition or a bool
    bool operator==(const Load&) const;
};
struct TensorAccess {
    std::string tensor;
    std::vector<Expr> indices;
    int component = 0;
    bool operator==(const TensorAccess&) const;
};
struct Unary {
    value::UnaryOp op;
    Box<Expr> a;
    bool operator==(const Unary&) const = default;
};
struct Binary {
    value::BinaryOp op;
    Box<Expr> a, b;
    bool operator==(const Binary&) const = default;
};
struct Cast {
    value::Type type;
    Box<Expr> a;
    bool operator==(const Cast&) const = default;
};

// --- Of every kind -----------------------------------------------------------------------------------------------

struct Select {
    Box<Expr> condition;          // a condition or a bool
    Box<Expr> if_true, if_false;  // of one kind
    bool operator==(const Select&) const = default;
};
struct Lanes {
    std::string variable;
    std::int64_t count = 0;  // at least 1
    bool operator==(const Lanes&) const = default;
};
// Folds the values of the lanes in ascending order, beginning with the first lane's value.
struct LaneReduce {
    value::ReductionOp op;
    Lanes lanes;
    Box<Expr> body;
    bool operator==(const LaneReduce&) const = default;
};
struct LetIn {
    std::string name;
    Box<Expr> value, body;
    bool operator==(const LetIn&) const = default;
};
struct LetValueIn {
    std::string name;
    std::optional<Lanes> lanes;
    value::Type type;
    Box<Expr> value, body;
    bool operator==(const LetValueIn&) const = default;
};

struct Expr {
    Alternatives<Integer, Truth, Variable, IndexBinary, Comparison, And, Or, Not, IntegerOf, Literal, Embed, Guard,
                 ValueVariable, Load, TensorAccess, Unary, Binary, Cast, Select, LaneReduce, LetIn, LetValueIn>
        node;
    bool operator==(const Expr&) const = default;
};

inline bool Load::operator==(const Load&) const = default;
inline bool TensorAccess::operator==(const TensorAccess&) const = default;

// --- Statements --------------------------------------------------------------------------------------------------

struct Stmt;
using Block = std::vector<Stmt>;

struct Let {
    std::string name;
    Expr value;  // an index or a condition
    bool operator==(const Let&) const = default;
};
struct LetValue {
    std::string name;
    std::optional<Lanes> lanes;
    value::Type type = value::Type::i32;
    Expr value;
    bool operator==(const LetValue&) const = default;
};
struct Dimension {
    Expr extent;
    Expr min{Integer{0}};
    std::optional<Expr> stride;
    bool operator==(const Dimension&) const = default;
};
struct Allocate {
    std::string array;
    value::Type type = value::Type::i32;
    std::vector<Dimension> dimensions;
    std::optional<Expr> condition;
    bool operator==(const Allocate&) const = default;
};
struct Free {
    std::string array;
    bool operator==(const Free&) const = default;
};
// array[indices] {prophecy} ⊙(reduced)= value (RED-U-OPASSIGN).
struct Accumulation {
    value::ReductionOp op;
    std::vector<Expr> reduced;
    bool operator==(const Accumulation&) const = default;
};
struct Write {
    std::string array;
    std::vector<Expr> indices;
    std::optional<Expr> prophecy;
    std::optional<Accumulation> accumulation;
    Expr value;
    bool operator==(const Write&) const = default;
};
struct Assign {
    std::optional<Lanes> lanes;
    std::optional<Expr> condition;  // a condition or a bool; may mention the lane variable
    std::vector<Write> writes;      // at least one
    bool operator==(const Assign&) const = default;
};
struct If {
    Expr condition;  // a condition or a bool
    Block then, otherwise;
    bool operator==(const If&) const;
};
enum class LoopKind : std::uint8_t { serial, parallel, vector, unrolled };
struct For {
    LoopKind kind = LoopKind::serial;
    std::string variable;
    Expr min, extent;
    Block body;
    bool operator==(const For&) const;
};
// The convention that an assertion is about, if any.
enum class AssertKind : std::uint8_t {
    plain,  // none
    type,   // a buffer's cells have the type of the specification
    size,   // a buffer has at most 2^31 - 1 cells or bytes
};
struct Assert {
    Expr condition;  // a condition or a bool
    // The run-time system's name of the error, possibly followed by a colon and details. For readers, and for comparing
    // failures.
    std::string message;
    AssertKind kind = AssertKind::plain;
    bool operator==(const Assert&) const = default;
};
struct Atomic {
    Block body;
    bool operator==(const Atomic&) const;
};
struct Accumulate {
    std::string array;
    Block body;
    bool operator==(const Accumulate&) const;
};

struct Semaphore {
    std::string name;
    Expr units;  // the initial number
    bool operator==(const Semaphore&) const = default;
};
struct Acquire {
    std::string semaphore;
    Expr units;
    bool operator==(const Acquire&) const = default;
};
struct Release {
    std::string semaphore;
    Expr units;
    bool operator==(const Release&) const = default;
};
struct Fork {
    Block first, second;
    bool operator==(const Fork&) const;
};

// A block without statements is `skip`.
struct Stmt {
    Alternatives<Let, LetValue, Allocate, Free, Assign, If, For, Assert, Atomic, Accumulate, Semaphore, Acquire,
                 Release, Fork>
        node;
    bool operator==(const Stmt&) const = default;
};

inline bool If::operator==(const If&) const = default;
inline bool For::operator==(const For&) const = default;
inline bool Atomic::operator==(const Atomic&) const = default;
inline bool Accumulate::operator==(const Accumulate&) const = default;
inline bool Fork::operator==(const Fork&) const = default;

// --- Programs ----------------------------------------------------------------------------------------------------

enum class Role : std::uint8_t { input, output };
// Memory that outlives the program. An input holds the values of its tensor and may not be written; an output is Uninit
// at the start. If the text has no "for", the tensor has the name of the array.
struct Array {
    Role role = Role::input;
    std::string name;
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    std::vector<Dimension> dimensions;  // over the parameters
    bool operator==(const Array&) const = default;
};

struct Program {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<Array> arrays;
    Block body;
    bool has_loose_floats = false;
    bool operator==(const Program&) const = default;
};

}  // namespace haruspex::sched
