#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/alternatives.h"
#include "generators/base/box.h"
#include "generators/sare/syntax.h"
#include "generators/value/operators.h"
#include "generators/value/type.h"

// The language of whole tensors (Rink, Figure 1), with the qualifiers of its section 5, element types, and extents that
// depend on parameters.
//
//   program     ::= [ header ] declaration* statement*
//   header      ::= "program" name "(" [ name ("," name)* ] ")" [ "assuming" condition ]
//   declaration ::= "var" [ "input" ] [ "output" ] name ":" [ type ] "[" extent* "]"
//   extent      ::= integer | parameter | "(" index ")"
//   statement   ::= name "=" expr
//   expr        ::= name | "(" expr ")"
//                 | expr ("+" | "-" | "*" | "/") expr     element by element; "*" also multiplies by a scalar from the
//                                                         left, "/" also divides by a scalar
//                 | expr "#" expr                         outer product
//                 | expr "." pair                         contraction: the sum over both dimensions being equal
//                 | expr "^" pair                         transposition: both dimensions are exchanged
//   pair        ::= "[" integer integer "]"               dimensions, numbered from 1
//
// Indices, conditions, types and names are those of SAREs (generators/sare/syntax.h); "var" and "program" are keywords,
// too. All operators associate to the left and none binds tighter than another: a + b . [1 2] is (a + b) . [1 2]. "//"
// starts a comment that ends with the line. Without a type, elements are f32. Expressions nest at most 256 deep.
//
// Meaning. Each declaration allocates a tensor, whose elements may be undefined. Statements run in order; each
// evaluates its expression for all indices and then assigns the whole tensor. The result is the content of all tensors
// in the end. An `input` is defined when the program starts, an `output` is read after it. If no declaration has the
// qualifier `input`, each variable that is read before it is assigned counts as one; if none has `output`, each
// variable that is assigned does (Rink, 3.4).
namespace haruspex::tensor {

struct Expr;

struct Variable {
    std::string name;
    bool operator==(const Variable&) const = default;
};

enum class ElementOp : std::uint8_t { add, sub, mul, div };
// By the types of the operands it is element-wise (t-elem), a multiplication by a scalar (t-smul) or a division by one
// (t-sdiv).
struct Elementwise {
    ElementOp op;
    Box<Expr> a, b;
    bool operator==(const Elementwise&) const = default;
};
struct Outer {
    Box<Expr> a, b;
    bool operator==(const Outer&) const = default;
};
// Two different dimensions, numbered from 1, in any order.
struct Pair {
    int first = 1, second = 2;
    bool operator==(const Pair&) const = default;
};
struct Contraction {
    Box<Expr> a;
    Pair dimensions;
    bool operator==(const Contraction&) const = default;
};
struct Transposition {
    Box<Expr> a;
    Pair dimensions;
    bool operator==(const Transposition&) const = default;
};

struct Expr {
    Alternatives<Variable, Elementwise, Outer, Contraction, Transposition> node;
    bool operator==(const Expr&) const = default;
};

struct Declaration {
    std::string name;
    value::Type element = value::Type::f32;  // not bool
    std::vector<sare::Index> extents;        // over the parameters; at least 1 (Rink, Definition 2)
    bool input = false, output = false;      // the qualifiers
    bool operator==(const Declaration&) const = default;
};

struct Statement {
    std::string target;
    Expr value;
    bool operator==(const Statement&) const = default;
};

inline constexpr std::string_view comment = "//";            // begins one
inline constexpr std::string_view default_name = "tensors";  // of a program without a header

struct Program {
    std::string name{default_name};
    std::vector<std::string> parameters;
    sare::Condition assumptions{sare::Truth{true}};
    std::vector<Declaration> declarations;
    std::vector<Statement> statements;
    bool operator==(const Program&) const = default;
};

// "+", "-", "*", "/".
std::string_view spelling(ElementOp op);
value::BinaryOp binary_op(ElementOp op);

// Whether the text may name a variable, a parameter or a program: a name of a SARE that is no keyword here.
bool is_name(std::string_view text);

// Returns the operands of the node, left to right.
std::vector<const Expr*> operands(const Expr& expr);
// Returns the number of nodes on the longest path from the root.
int depth(const Expr& expr);
// Calls visit(node) for every node, operands before their operator, left before right. The position in this order,
// from 0, is the number of a node.
void for_each_node(const Expr& expr, const std::function<void(const Expr&)>& visit);

}  // namespace haruspex::tensor
