#include <fmt/core.h>

#include <algorithm>

#include "generators/sare/limits.h"
#include "generators/sare/names.h"
#include "generators/sare/precedence.h"
#include "generators/sare/raw_expr.h"

namespace haruspex::sare {

namespace {

RawExpr nothing(std::size_t offset) { return {RawNumber{"0"}, offset, 1}; }

}  // namespace

std::vector<VariableUse> bracketed_names(Tokens& tokens) {
    std::vector<VariableUse> names;
    tokens.expect("[");
    if (!tokens.at("]")) {
        do {
            const Token token = tokens.peek();
            if (token.kind != TokenKind::name || !is_name(token.text)) { tokens.expected("a variable's name"); }
            names.push_back({std::string(token.text), token.offset});
            tokens.take();
        } while (tokens.accept(","));
    }
    tokens.expect("]");
    return names;
}

std::vector<std::string> names_of(const std::vector<VariableUse>& uses) {
    std::vector<std::string> names;
    for (const VariableUse& use : uses) { names.push_back(use.name); }
    return names;
}

RawExpr ExprParser::make(Node node, std::size_t offset, int depth) {
    if (depth > max_depth) {
        tokens_.report(offset,
                       fmt::format("an expression is nested too deeply; expected at most {} levels", max_depth));
    }
    return {std::move(node), offset, depth};
}

RawExpr ExprParser::expression() { return binary(lowest_precedence); }

RawExpr ExprParser::binary(int least) {
    RawExpr a = prefix();
    for (;;) {
        const Token token = tokens_.peek();
        const auto op = token.kind == TokenKind::symbol ? infix_operator(token.text) : std::nullopt;
        if (!op || precedence(*op) < least) { return a; }
        tokens_.take();
        RawExpr b = binary(precedence(*op) + 1);
        const int depth = 1 + std::max(a.depth, b.depth);
        // Located at the operator, where operands of different types meet.
        a = make(RawBinary{*op, std::move(a), std::move(b)}, token.offset, depth);
    }
}

RawExpr ExprParser::prefix() {
    const Token token = tokens_.peek();
    const auto op = token.kind == TokenKind::symbol ? prefix_operator(token.text) : std::nullopt;
    if (!op) { return primary(); }
    const Nest nest(tokens_);
    tokens_.take();
    if (*op == value::UnaryOp::negate && begins_number(tokens_.peek())) { return literal("-", token.offset); }
    RawExpr a = prefix();
    const int depth = 1 + a.depth;
    return make(RawUnary{*op, std::move(a)}, token.offset, depth);
}

RawExpr ExprParser::literal(std::string sign, std::size_t offset) {
    const Token token = tokens_.take();
    const std::string text = std::move(sign) + std::string(token.text);
    if (token.kind == TokenKind::number && !has_suffix(token.text)) { return make(RawNumber{text}, offset, 1); }
    const auto value = value::parse_literal(text);
    if (!value) {
        tokens_.report(offset, "expected a literal in the range of its type, such as 5i32 or 0.5f32, found " + text);
        return nothing(offset);
    }
    return make(Literal{*value}, offset, 1);
}

RawExpr ExprParser::primary() {
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::number || is_literal_word(token)) { return literal("", token.offset); }
    const Nest nest(tokens_);
    if (tokens_.accept("(")) {
        RawExpr inside = expression();
        tokens_.expect(")");
        return inside;
    }
    if (tokens_.accept("[")) {
        Condition condition = affine_.condition();
        tokens_.expect("]");
        return make(Guard{std::move(condition)}, token.offset, 1);
    }
    if (token.kind == TokenKind::name) { return word(); }
    tokens_.expected("an expression");
    return nothing(token.offset);
}

RawExpr ExprParser::word() {
    const Token token = tokens_.peek();
    if (const auto type = value::parse_type(token.text)) { return typed(*type); }
    if (token.text == "select") { return select(); }
    if (token.text == value::spelling(value::UnaryOp::absolute)) {
        tokens_.take();
        tokens_.expect("(");
        RawExpr a = expression();
        tokens_.expect(")");
        const int depth = 1 + a.depth;
        return make(RawUnary{value::UnaryOp::absolute, std::move(a)}, token.offset, depth);
    }
    const bool called = tokens_.second().text == "(";
    if ((token.text == "min" || token.text == "max") && called) { return extremum(); }
    if (reduction_operator(token.text)) { return reduce(); }
    if (is_tensor_name(token.text)) { return access(); }
    tokens_.expected("an expression");
    return nothing(token.offset);
}

RawExpr ExprParser::typed(value::Type type) {
    const Token token = tokens_.take();
    if (tokens_.accept("<")) {
        Index index = affine_.index();
        tokens_.expect_angle();
        return make(Embed{type, std::move(index)}, token.offset, 1);
    }
    if (!tokens_.accept("(")) {
        tokens_.expected("\"(\" of a cast or \"<\" of an index");
        return nothing(token.offset);
    }
    RawExpr a = expression();
    tokens_.expect(")");
    const int depth = 1 + a.depth;
    return make(RawCast{type, std::move(a)}, token.offset, depth);
}

RawExpr ExprParser::access() {
    const Token token = tokens_.take();
    Access access{std::string(token.text), {}, 0};
    if (!tokens_.at("(")) {
        tokens_.expected(fmt::format("\"(\" and the indices of \"{}\"", access.tensor));
        return nothing(token.offset);
    }
    tokens_.take();
    if (!tokens_.at(")")) {
        do { access.indices.push_back(affine_.index()); } while (tokens_.accept(","));
    }
    tokens_.expect(")");
    if (tokens_.accept("[")) {
        const Token number = tokens_.peek();
        const auto component = number.kind == TokenKind::number && number.text.size() <= 3 &&
                                       !has_suffix(number.text) &&
                                       number.text.find_first_not_of("0123456789") == std::string_view::npos
                                   ? std::optional(std::stoi(std::string(number.text)))
                                   : std::nullopt;
        if (!component) { tokens_.expected("the number of a component"); }
        access.component = component.value_or(0);
        tokens_.take();
        tokens_.expect("]");
    }
    return make(std::move(access), token.offset, 1);
}

RawExpr ExprParser::select() {
    const Token token = tokens_.take();
    tokens_.expect("(");
    RawExpr c = expression();
    tokens_.expect(",");
    RawExpr a = expression();
    tokens_.expect(",");
    RawExpr b = expression();
    tokens_.expect(")");
    const int depth = 1 + std::max({c.depth, a.depth, b.depth});
    return make(RawSelect{std::move(c), std::move(a), std::move(b)}, token.offset, depth);
}

RawExpr ExprParser::extremum() {
    const Token token = tokens_.take();
    tokens_.expect("(");
    RawExpr a = expression();
    tokens_.expect(",");
    RawExpr b = expression();
    tokens_.expect(")");
    const int depth = 1 + std::max(a.depth, b.depth);
    const auto op = token.text == "min" ? value::BinaryOp::min : value::BinaryOp::max;
    return make(RawBinary{op, std::move(a), std::move(b)}, token.offset, depth);
}

RawExpr ExprParser::reduce() {
    const Token token = tokens_.take();
    const value::ReductionOp op = *reduction_operator(token.text);
    tokens_.expect("over");
    tokens_.expect("{");
    std::vector<std::string> variables = names_of(bracketed_names(tokens_));
    const std::size_t mark = affine_.uses().size();
    tokens_.expect(":");
    Condition domain = affine_.condition();
    tokens_.expect("}");
    tokens_.expect("of");
    tokens_.expect("(");
    RawExpr body = expression();
    tokens_.expect(")");
    auto& uses = affine_.uses();
    uses.erase(std::remove_if(uses.begin() + static_cast<std::ptrdiff_t>(mark), uses.end(),
                              [&](const VariableUse& use) {
                                  return std::find(variables.begin(), variables.end(), use.name) != variables.end();
                              }),
               uses.end());
    const int depth = 1 + body.depth;
    return make(RawReduce{op, std::move(variables), std::move(domain), std::move(body)}, token.offset, depth);
}

}  // namespace haruspex::sare
