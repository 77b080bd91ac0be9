#pragma once

#include <string>
#include <variant>
#include <vector>

#include "generators/base/box.h"
#include "generators/sare/affine_parser.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/syntax.h"

// Value expressions as written in the text: with their positions, and with literals that have no type yet.
namespace haruspex::sare {

struct RawExpr;

// A number without a type; the text includes the sign.
struct RawNumber {
    std::string text;
};
struct RawUnary {
    value::UnaryOp op;
    Box<RawExpr> a;
};
struct RawBinary {
    value::BinaryOp op;
    Box<RawExpr> a, b;
};
struct RawSelect {
    Box<RawExpr> condition, if_true, if_false;
};
struct RawCast {
    value::Type type;
    Box<RawExpr> a;
};
struct RawReduce {
    value::ReductionOp op;
    std::vector<std::string> variables;
    Condition domain;
    Box<RawExpr> body;
};

struct RawExpr {
    std::variant<RawNumber, Literal, Embed, Guard, Access, RawUnary, RawBinary, RawSelect, RawCast, RawReduce> node;
    std::size_t offset = 0;
    int depth = 1;
};

// Reads value expressions. Adds the variables in them to `affine.uses()`, except those that reductions bind.
class ExprParser {
public:
    ExprParser(Tokens& tokens, AffineParser& affine) : tokens_(tokens), affine_(affine) {}

    RawExpr expression();

private:
    using Node = decltype(RawExpr::node);

    RawExpr binary(int least);
    RawExpr prefix();
    RawExpr primary();
    RawExpr word();
    RawExpr typed(value::Type type);
    RawExpr access();
    RawExpr select();
    RawExpr extremum();
    RawExpr reduce();
    RawExpr literal(std::string sign, std::size_t offset);
    RawExpr make(Node node, std::size_t offset, int depth);

    Tokens& tokens_;
    AffineParser& affine_;
};

// Reads "[" name "," … "]": declared variables with their positions.
std::vector<VariableUse> bracketed_names(Tokens& tokens);
std::vector<std::string> names_of(const std::vector<VariableUse>& uses);

struct TypedExpr {
    Expr expr;
    value::Type type;
};
// Returns the typed expression. An untyped literal takes the type of the operand beside it, or else the wanted type. If
// a type is wanted, the expression must have it. Type errors are reported to `tokens` at their positions; the result is
// then meaningless.
TypedExpr elaborate(const RawExpr& raw, std::optional<value::Type> wanted, const Signatures& tensors, Tokens& tokens);

}  // namespace haruspex::sare
