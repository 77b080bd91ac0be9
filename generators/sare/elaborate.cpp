#include <fmt/core.h>

#include <utility>

#include "generators/base/overload.h"
#include "generators/sare/raw_expr.h"
#include "generators/sare/typing.h"

namespace haruspex::sare {

namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;

bool is_comparison(BinaryOp op) {
    return op == BinaryOp::eq || op == BinaryOp::ne || op == BinaryOp::lt || op == BinaryOp::le || op == BinaryOp::gt ||
           op == BinaryOp::ge;
}

// Whether the expression leaves its type open: untyped numbers and operators over them.
bool is_open(const RawExpr& raw) {
    return std::visit(
        Overload{[](const RawNumber&) { return true; }, [](const Literal&) { return false; },
                 [](const Embed&) { return false; }, [](const Guard&) { return false; },
                 [](const Access&) { return false; },
                 [](const RawUnary& n) { return n.op != UnaryOp::logical_not && is_open(*n.a); },
                 [](const RawBinary& n) { return !is_comparison(n.op) && is_open(*n.a) && is_open(*n.b); },
                 [](const RawSelect& n) { return is_open(*n.if_true) && is_open(*n.if_false); },
                 [](const RawCast&) { return false; }, [](const RawReduce& n) { return is_open(*n.body); }},
        raw.node);
}

class Elaborator {
public:
    Elaborator(const Signatures& tensors, Tokens& tokens) : tensors_(tensors), tokens_(tokens) {}

    TypedExpr elaborate(const RawExpr& raw, std::optional<Type> wanted) {
        const std::size_t at = raw.offset;
        return std::visit(
            Overload{[&](const RawNumber& n) { return number(n, at, wanted); },
                     [&](const Literal& n) { return TypedExpr{Expr{n}, n.value.type()}; },
                     [&](const Embed& n) { return TypedExpr{Expr{n}, accept(type_embed(n.type), at)}; },
                     [&](const Guard& n) { return TypedExpr{Expr{n}, Type::boolean}; },
                     [&](const Access& n) { return access(n, at); },
                     [&](const RawUnary& n) {
                         // abs changes the type of its operand, so the wanted type does not apply to the operand.
                         TypedExpr a = elaborate(*n.a, n.op == UnaryOp::absolute ? std::nullopt : wanted);
                         const Type type = accept(type_unary(n.op, a.type), at);
                         return TypedExpr{Expr{Unary{n.op, std::move(a.expr)}}, type};
                     },
                     [&](const RawBinary& n) {
                         auto [a, b] = pair(*n.a, *n.b, is_comparison(n.op) ? std::nullopt : wanted);
                         const Type type = accept(type_binary(n.op, a.type, b.type), at);
                         return TypedExpr{Expr{Binary{n.op, std::move(a.expr), std::move(b.expr)}}, type};
                     },
                     [&](const RawSelect& n) {
                         TypedExpr c = elaborate(*n.condition, Type::boolean);
                         auto [a, b] = pair(*n.if_true, *n.if_false, wanted);
                         const Type type = accept(type_select(c.type, a.type, b.type), at);
                         return TypedExpr{Expr{Select{std::move(c.expr), std::move(a.expr), std::move(b.expr)}}, type};
                     },
                     [&](const RawCast& n) {
                         return TypedExpr{Expr{Cast{n.type, elaborate(*n.a, std::nullopt).expr}}, n.type};
                     },
                     [&](const RawReduce& n) {
                         TypedExpr body = elaborate(*n.body, wanted);
                         const Type type = accept(type_reduce(n.op, body.type), at);
                         return TypedExpr{Expr{Reduce{n.op, n.variables, n.domain, std::move(body.expr)}}, type};
                     }},
            raw.node);
    }

private:
    // Elaborates two operands of one type: the operand with a known type determines the other.
    std::pair<TypedExpr, TypedExpr> pair(const RawExpr& a, const RawExpr& b, std::optional<Type> wanted) {
        if (is_open(a) && !is_open(b)) {
            TypedExpr right = elaborate(b, wanted);
            TypedExpr left = elaborate(a, right.type);
            return {std::move(left), std::move(right)};
        }
        TypedExpr left = elaborate(a, wanted);
        TypedExpr right = elaborate(b, is_open(b) ? std::optional(left.type) : wanted);
        return {std::move(left), std::move(right)};
    }

    TypedExpr number(const RawNumber& n, std::size_t at, std::optional<Type> wanted) {
        if (!wanted) {
            const bool is_whole = n.text.find_first_of(".eE") == std::string::npos;
            tokens_.report(at, fmt::format("nothing here determines the type of {}; expected a suffix, such as {}{}",
                                           n.text, n.text, is_whole ? "i32" : "f32"));
            return unknown();
        }
        const std::string text = n.text + std::string(value::name(*wanted));
        if (const auto v = value::parse_literal(text)) { return {Expr{Literal{*v}}, *wanted}; }
        tokens_.report(at, fmt::format("expected a literal of type {}, found {}", value::name(*wanted), n.text));
        return unknown();
    }

    TypedExpr access(const Access& n, std::size_t at) {
        if (const Sound sound = check_access(n, tensors_); !sound) {
            tokens_.report(at, sound.error());
            return unknown();
        }
        const Signature& signature = tensors_.at(n.tensor);
        if (signature.types.empty()) {
            tokens_.report(at, fmt::format("the type of \"{}\" is not known yet; expected its definition before this "
                                           "line, or \"tensor {} : type[{}]\"",
                                           n.tensor, n.tensor, signature.rank));
            return unknown();
        }
        return {Expr{n}, accept(type_component(n.tensor, signature.types, n.component), at)};
    }

    Type accept(const Typed& typed, std::size_t at) {
        if (typed) { return *typed; }
        tokens_.report(at, typed.error());
        return Type::i32;
    }

    static TypedExpr unknown() { return {Expr{Literal{value::Value::integer(Type::i32, 0)}}, Type::i32}; }

    const Signatures& tensors_;
    Tokens& tokens_;
};

}  // namespace

TypedExpr elaborate(const RawExpr& raw, std::optional<Type> wanted, const Signatures& tensors, Tokens& tokens) {
    TypedExpr typed = Elaborator(tensors, tokens).elaborate(raw, wanted);
    if (wanted && !tokens.failed() && typed.type != *wanted) {
        tokens.report(raw.offset, fmt::format("expected a value of type {}, found {}", value::name(*wanted),
                                              value::name(typed.type)));
    }
    return typed;
}

}  // namespace haruspex::sare
