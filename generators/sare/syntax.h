#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/alternatives.h"
#include "generators/base/box.h"
#include "generators/value/operators.h"

// Systems of affine recurrence equations (thesis 2.2, 2.4.4, 7.4).
//
//   sare      ::= "sare" name "(" parameters ")" [ "assuming" condition ] "{" item* "}"
//   item      ::= "input" name ":" type "[" rank "]"
//               | "tensor" name ":" types "[" rank "]"                     only needed where types cannot be inferred
//               | name "(" variables ")" [ ":" types ] "=" values [ "if" condition ]          an equation
//               | "update" name "(" indices ")" "=" values [ "over" rvar ("," rvar)* ] [ "where" condition ]
//               | "output" name "on" "{" "[" variables "]" ":" condition "}"
//   rvar      ::= name "in" "[" index "," index ")"
//   types     ::= type | "{" type "," type … "}"
//   values    ::= expr | "{" expr "," expr … "}"
//   index     ::= integer | variable | index "+" index | index "-" index | integer "*" index
//               | index "/" integer | index "%" integer                    floor division and its remainder
//               | "min" "(" index "," index ")" | "max" … | "select" "(" condition "," index "," index ")"
//               | "-" index | index "*" integer | "(" index ")"             "-" is the factor -1
//   condition ::= "true" | "false" | index (("<"|"<="|"="|"!="|">"|">=") index)+ | condition "and" condition
//               | condition "or" condition | "not" condition | "(" condition ")"
//   expr      ::= literal | tensor "(" indices ")" [ "[" component "]" ] | operator applied to expr
//               | type "(" expr ")"                                        a cast
//               | type "<" index ">"                                       the value of an index, cast to the type
//               | "[" condition "]"                                        the truth of an affine condition, a bool
//               | "select" "(" expr "," expr "," expr ")"
//               | ("sum"|"prod"|"min"|"max"|"and"|"or")
//                 "over" "{" "[" variables "]" ":" condition "}" "of" "(" expr ")"
//               | "(" expr ")"
//
// Operators bind as in C++; "not" binds tighter than "and", "and" than "or". A literal without a type (5, 0.5) takes
// the type of the operand beside it, or of the tensor. "#" starts a comment that ends with the line. A name is a C
// identifier that is not a keyword, type or literal; a tensor's name may end in a stage number ("D.0"). An output's
// condition is a box: it bounds each variable once from below and once from above. Expressions, conditions and indices
// nest at most 256 deep.
//
// Meaning. A tensor is a partial function from integer tuples to values. The domains of its equations are disjoint; at
// a point in the domain of an equation, the tensor has the value of that equation's right-hand side. Indices are
// mathematical integers; values are typed (generators/value). Inputs are total functions. A reduction folds its
// operator over the points of a bounded set in lexicographic order.
//
// An equation whose right-hand side reads its own tensor is a recurrence. The order of items carries no meaning except
// for staged tensors and for the inference of types. A function A with n update definitions is represented by the
// tensors A.0 … A.n and A, its image (staging.h); the text form has one equation and n `update` items for them.
namespace haruspex::sare {

// --- Indices: piecewise quasi-affine integer expressions --------------------------------------------------------

struct Index;
struct Condition;

struct IndexConstant {
    std::int64_t value;
    bool operator==(const IndexConstant&) const = default;
};
// A parameter, a tensor's variable, a recurrence variable or a variable bound by a reduction.
struct IndexVariable {
    std::string name;
    bool operator==(const IndexVariable&) const = default;
};
enum class IndexOp : std::uint8_t { add, sub, min, max };
struct IndexBinary {
    IndexOp op;
    Box<Index> a, b;
    bool operator==(const IndexBinary&) const = default;
};
struct IndexScale {
    std::int64_t factor;
    Box<Index> a;
    bool operator==(const IndexScale&) const = default;
};
// Floor division; divisor > 0.
struct IndexDiv {
    Box<Index> a;
    std::int64_t divisor;
    bool operator==(const IndexDiv&) const = default;
};
// The remainder of floor division, in [0, divisor); divisor > 0.
struct IndexMod {
    Box<Index> a;
    std::int64_t divisor;
    bool operator==(const IndexMod&) const = default;
};
struct IndexSelect {
    Box<Condition> condition;
    Box<Index> if_true, if_false;
    bool operator==(const IndexSelect&) const = default;
};

struct Index {
    Alternatives<IndexConstant, IndexVariable, IndexBinary, IndexScale, IndexDiv, IndexMod, IndexSelect> node;
    bool operator==(const Index&) const = default;
};

// --- Conditions: Presburger formulas without quantifiers --------------------------------------------------------

enum class Relation : std::uint8_t { lt, le, eq, ne, gt, ge };
struct Comparison {
    Relation relation;
    Index a, b;
    bool operator==(const Comparison&) const = default;
};
struct Truth {
    bool value;
    bool operator==(const Truth&) const = default;
};
struct And {
    Box<Condition> a, b;
    bool operator==(const And&) const = default;
};
struct Or {
    Box<Condition> a, b;
    bool operator==(const Or&) const = default;
};
struct Not {
    Box<Condition> a;
    bool operator==(const Not&) const = default;
};

struct Condition {
    Alternatives<Truth, Comparison, And, Or, Not> node;
    bool operator==(const Condition&) const = default;
};

// --- Value expressions -------------------------------------------------------------------------------------------

struct Expr;

struct Literal {
    value::Value value;  // defined
    bool operator==(const Literal&) const = default;
};
// The value of an index, converted to a type. An index that does not fit i32 or i64 gives Undef; other integers wrap,
// and floats round.
struct Embed {
    value::Type type;
    Index index;
    bool operator==(const Embed&) const = default;
};
// The truth of an affine condition, as a bool.
struct Guard {
    Condition condition;
    bool operator==(const Guard&) const = default;
};
struct Access {
    std::string tensor;
    std::vector<Index> indices;
    int component = 0;
    bool operator==(const Access&) const = default;
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
struct Select {
    Box<Expr> condition, if_true, if_false;
    bool operator==(const Select&) const = default;
};
struct Cast {
    value::Type type;
    Box<Expr> a;
    bool operator==(const Cast&) const = default;
};
struct Reduce {
    value::ReductionOp op;
    std::vector<std::string> variables;
    Condition domain;
    Box<Expr> body;
    bool operator==(const Reduce&) const = default;
};

struct Expr {
    Alternatives<Literal, Embed, Guard, Access, Unary, Binary, Select, Cast, Reduce> node;
    bool operator==(const Expr&) const = default;
};

// --- Systems -----------------------------------------------------------------------------------------------------

struct Input {
    std::string name;
    value::Type type;
    int rank = 0;
    bool operator==(const Input&) const = default;
};

struct Equation {
    Condition domain;          // over the tensor's variables and the parameters
    std::vector<Expr> values;  // one for each component
    bool operator==(const Equation&) const = default;
};

struct Tensor {
    std::string name;
    std::vector<value::Type> types;      // one for each component, at least one
    std::vector<std::string> variables;  // one for each dimension; shared by all equations
    std::vector<Equation> equations;
    bool operator==(const Tensor&) const = default;
};

// A recurrence variable with its domain [min, min + extent); both are indices over the parameters only.
struct RecurrenceVariable {
    std::string name;
    Index min, extent;
    bool operator==(const RecurrenceVariable&) const = default;
};

// The parts of an update definition that cannot be read directly off the equations of its stage tensor.
struct StagedUpdate {
    std::vector<RecurrenceVariable> over;  // the first runs innermost
    std::vector<Index> target;             // left-hand indices; a pure index is the tensor's own variable
    Condition where;                       // the filter; Truth{true} if there is none
    bool operator==(const StagedUpdate&) const = default;
};

// States that the tensors name.0 … name.n and name are the image of one function (staging.h).
struct Staging {
    std::string tensor;
    std::vector<StagedUpdate> updates;
    bool operator==(const Staging&) const = default;
};

struct Span {
    Index min, extent;  // over the parameters
    bool operator==(const Span&) const = default;
};

struct Output {
    std::string tensor;
    std::vector<Span> box;  // one for each dimension
    bool operator==(const Output&) const = default;
};

struct Sare {
    std::string name;
    std::vector<std::string> parameters;
    Condition assumptions{Truth{true}};
    std::vector<Input> inputs;
    std::vector<Tensor> tensors;
    std::vector<Staging> stagings;
    std::vector<Output> outputs;
    bool operator==(const Sare&) const = default;
};

}  // namespace haruspex::sare
