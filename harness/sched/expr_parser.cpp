#include "harness/sched/expr_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "generators/base/numbers.h"
#include "harness/sched/kinds.h"
#include "harness/sched/names.h"
#include "harness/sched/precedence.h"

namespace haruspex::sched {

using sare::Nest;
using sare::Token;
using sare::TokenKind;

namespace {

using Extent = Environment::Extent;
using Inside = Environment::Inside;

constexpr int sum_precedence = precedence(value::BinaryOp::add);
constexpr int no_operator = -1;

int infix_precedence(const Token& token) {
    if (token.kind == TokenKind::name) {
        return token.text == "or" ? or_precedence : token.text == "and" ? and_precedence : no_operator;
    }
    if (token.kind != TokenKind::symbol) { return no_operator; }
    if (token.text == "=") { return precedence(counterpart(Relation::eq)); }
    const auto op = sare::infix_operator(token.text);
    return op ? precedence(*op) : no_operator;
}

bool is_decimal(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

}  // namespace

std::vector<Expr> exprs_of(std::vector<Term> terms) {
    std::vector<Expr> exprs;
    exprs.reserve(terms.size());
    for (Term& term : terms) { exprs.push_back(std::move(term.expr)); }
    return exprs;
}

void ExprParser::Premises::add(const Term& term) {
    types.push_back(term.types);
    depth = std::max(depth, term.depth);
}

Binding ExprParser::LetHead::binding() const {
    if (type) { return Scope::ValueShape{*type, lanes.has_value()}; }
    return value.types;
}

void ExprParser::need(std::size_t offset, const Sound& sound) {
    if (!sound) { tokens_.report(offset, sound.error()); }
}

Term ExprParser::make(Expr expr, const Premises& premises, std::size_t offset, std::size_t at) {
    const int depth = 1 + premises.depth;
    if (depth > max_depth) {
        tokens_.report(at, fmt::format("an expression is nested too deeply; expected at most {} levels", max_depth));
    }
    if (tokens_.failed()) { return {}; }
    const Typed types = conclude(expr, premises.types, environment_, setting());
    if (!types) {
        tokens_.report(at, types.error());
        return {};
    }
    return {std::move(expr), *types, offset, depth};
}

Term ExprParser::index() {
    Term term = expression();
    need(term.offset, want_index(term.types));
    return term;
}

Term ExprParser::condition() {
    Term term = expression();
    need(term.offset, want_condition(term.types, setting()));
    return term;
}

Term ExprParser::value(value::Type type) {
    Term term = expression();
    need(term.offset, want_value(term.types, type));
    return term;
}

std::vector<Term> ExprParser::indices(std::string_view close) {
    std::vector<Term> terms;
    if (!tokens_.at(close)) {
        do { terms.push_back(index()); } while (tokens_.accept(","));
    }
    tokens_.expect(close);
    return terms;
}

Token ExprParser::name(std::string_view what) {
    const Token token = tokens_.peek();
    if (token.kind != TokenKind::name || !is_name(token.text)) { tokens_.expected(what); }
    return tokens_.take();
}

value::Type ExprParser::type() {
    const auto type = value::parse_type(tokens_.peek().text);
    if (!type) { tokens_.expected("a type (" + value::names(value::all_types) + ")"); }
    tokens_.take();
    return type.value_or(value::Type::i32);
}

Lanes ExprParser::lanes() {
    Lanes lanes;
    const Token variable = name("the name of a lane");
    lanes.variable = variable.text;
    tokens_.expect("<");
    const Token number = tokens_.peek();
    const auto count = is_decimal(number.text) ? parse_number<std::int64_t>(number.text) : std::nullopt;
    if (!count) { tokens_.expected("the number of lanes"); }
    lanes.count = count.value_or(1);
    tokens_.take();
    if (tokens_.failed()) { return lanes; }
    need(number.offset, check_lanes(lanes));
    need(variable.offset, environment_.bind(lanes.variable, Types::index()));
    return lanes;
}

int ExprParser::component() {
    if (!tokens_.accept("[")) { return 0; }
    const Token number = tokens_.peek();
    const auto component = is_decimal(number.text) ? parse_number<int>(number.text) : std::nullopt;
    if (!component) { tokens_.expected("the number of a component"); }
    tokens_.take();
    tokens_.expect("]");
    return component.value_or(0);
}

ExprParser::LetHead ExprParser::let_head() {
    LetHead head;
    head.at = tokens_.peek();
    tokens_.expect("let");
    head.name = name("a name");
    const Inside family(environment_, Extent::binder);
    if (tokens_.accept("[")) {
        head.lanes = lanes();
        tokens_.expect("]");
    }
    if (head.lanes || tokens_.at(":")) {
        tokens_.expect(":");
        head.type = type();
    }
    tokens_.expect("=");
    const Nest nest(tokens_);
    if (head.type) {
        head.value = value(*head.type);
        return head;
    }
    const Context outside = std::exchange(context_, inside_let(setting()).context);
    head.value = expression();
    need(head.value.offset, want_index_or_condition(head.value.types));
    context_ = outside;
    return head;
}

Term ExprParser::expression() {
    return tokens_.at("let") && tokens_.second().text != "(" ? let_in() : binary(or_precedence);
}

// A chain of lets does not nest: the parser recurses only for brackets.
Term ExprParser::let_in() {
    std::vector<LetHead> heads;
    const Inside bodies(environment_, Extent::binder);
    while (tokens_.at("let") && tokens_.second().text != "(") {
        LetHead head = let_head();
        tokens_.expect("in");
        if (tokens_.failed()) { return {}; }
        need(head.name.offset, environment_.bind(std::string(head.name.text), head.binding()));
        heads.push_back(std::move(head));
    }
    Term body = binary(or_precedence);
    for (auto head = heads.rbegin(); head != heads.rend(); ++head) {
        Premises premises;
        premises.add(head->value);
        premises.add(body);
        std::string name(head->name.text);
        Expr expr = head->type ? Expr{LetValueIn{std::move(name), std::move(head->lanes), *head->type,
                                                 std::move(head->value.expr), std::move(body.expr)}}
                               : Expr{LetIn{std::move(name), std::move(head->value.expr), std::move(body.expr)}};
        body = make(std::move(expr), premises, head->at.offset);
    }
    return body;
}

Term ExprParser::binary(int least) {
    Term a = least <= not_precedence && tokens_.at("not") ? negation() : prefix();
    for (;;) {
        const Token op = tokens_.peek();
        const int level = infix_precedence(op);
        if (level < least) { return a; }
        tokens_.take();
        a = infix(std::move(a), op, binary(level + 1));
    }
}

Term ExprParser::infix(Term a, const Token& op, Term b) {
    if (op.kind == TokenKind::symbol && op.text != "=") {
        return operation(*sare::infix_operator(op.text), std::move(a), std::move(b), op.offset);
    }
    Premises premises;
    premises.add(a);
    premises.add(b);
    const std::size_t offset = a.offset;
    if (op.text == "or") { return make({Or{std::move(a.expr), std::move(b.expr)}}, premises, offset, op.offset); }
    if (op.text == "and") { return make({And{std::move(a.expr), std::move(b.expr)}}, premises, offset, op.offset); }
    return make({Comparison{Relation::eq, std::move(a.expr), std::move(b.expr)}}, premises, offset, op.offset);
}

// An operator that both indices and values have is one of values if one operand is a value.
Term ExprParser::operation(value::BinaryOp op, Term a, Term b, std::size_t offset) {
    Premises premises;
    premises.add(a);
    premises.add(b);
    const bool values = a.types.has_value() || b.types.has_value();
    const auto index = index_operator(op);
    const auto relation = relation_operator(op);
    Expr expr{Integer{0}};
    if (!values && index) {
        expr = {IndexBinary{*index, std::move(a.expr), std::move(b.expr)}};
    } else if (!values && relation) {
        expr = {Comparison{*relation, std::move(a.expr), std::move(b.expr)}};
    } else {
        expr = {Binary{op, std::move(a.expr), std::move(b.expr)}};
    }
    return make(std::move(expr), premises, a.offset, offset);
}

Term ExprParser::negation() {
    std::vector<Token> operators;
    while (tokens_.at("not")) { operators.push_back(tokens_.take()); }
    Term a = binary(not_precedence + 1);
    for (auto op = operators.rbegin(); op != operators.rend(); ++op) {
        Premises premises;
        premises.add(a);
        a = make({Not{std::move(a.expr)}}, premises, op->offset);
    }
    return a;
}

Term ExprParser::prefix() {
    std::vector<Token> operators;
    while (tokens_.peek().kind == TokenKind::symbol && sare::prefix_operator(tokens_.peek().text)) {
        operators.push_back(tokens_.take());
    }
    // A minus in front of a number is its sign.
    const bool sign = !operators.empty() && operators.back().text == "-" && begins_number(tokens_.peek());
    Term a = sign ? literal("-", operators.back().offset) : primary();
    if (sign) { operators.pop_back(); }
    for (auto op = operators.rbegin(); op != operators.rend(); ++op) { a = prefixed(*op, std::move(a)); }
    return a;
}

Term ExprParser::prefixed(const Token& op, Term a) {
    const value::UnaryOp unary = *sare::prefix_operator(op.text);
    if (unary == value::UnaryOp::negate && !a.types.has_value()) {
        const Term minus_one{Expr{Integer{-1}}, Types::index(), op.offset, 1};
        return operation(value::BinaryOp::mul, minus_one, std::move(a), op.offset);
    }
    Premises premises;
    premises.add(a);
    return make({Unary{unary, std::move(a.expr)}}, premises, op.offset);
}

Term ExprParser::literal(const std::string& sign, std::size_t offset) {
    const Token token = tokens_.take();
    const std::string text = sign + std::string(token.text);
    if (is_decimal(token.text)) {
        const auto integer = parse_number<std::int64_t>(text);
        if (!integer) { tokens_.report(offset, "expected an integer that fits 64 bits, found " + text); }
        return make({Integer{integer.value_or(0)}}, {}, offset);
    }
    const auto value = value::parse_literal(text);
    if (!value) {
        tokens_.report(
            offset,
            "expected an integer, or a literal in the range of its type, such as 5i32 or 0.5f32, found " + text);
        return {};
    }
    return make({Literal{*value}}, {}, offset);
}

Term ExprParser::primary() {
    const Token token = tokens_.peek();
    if (begins_number(token)) { return literal("", token.offset); }
    if (tokens_.at("true") || tokens_.at("false")) {
        tokens_.take();
        return make({Truth{token.text == "true"}}, {}, token.offset);
    }
    const Nest nest(tokens_);
    if (tokens_.accept("(")) {
        Term inside = expression();
        tokens_.expect(")");
        inside.offset = token.offset;
        return inside;
    }
    if (tokens_.accept("[")) {
        Term condition = expression();
        tokens_.expect("]");
        Premises premises;
        premises.add(condition);
        return make({Guard{std::move(condition.expr)}}, premises, token.offset);
    }
    if (token.kind == TokenKind::name) { return word(); }
    tokens_.expected("an expression");
    return {};
}

Term ExprParser::word() {
    const Token token = tokens_.peek();
    const bool called = tokens_.second().text == "(";
    if (called && is_tensor_name(token.text)) { return tensor(); }
    if (value::parse_type(token.text)) { return typed(); }
    const bool extremum = token.text == "min" || token.text == "max";
    if (const auto op = sare::reduction_operator(token.text); op && !(extremum && called)) {
        return lane_reduction(*op);
    }
    if (extremum || token.text == "select" || token.text == "int" ||
        token.text == value::spelling(value::UnaryOp::absolute)) {
        return call();
    }
    if (is_name(token.text)) { return named(); }
    tokens_.expected("an expression");
    return {};
}

std::vector<Term> ExprParser::arguments(std::size_t count) {
    std::vector<Term> terms;
    tokens_.expect("(");
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) { tokens_.expect(","); }
        terms.push_back(expression());
    }
    tokens_.expect(")");
    return terms;
}

// min, max, select, int and abs
Term ExprParser::call() {
    const Token token = tokens_.take();
    const bool one = token.text == "int" || token.text == value::spelling(value::UnaryOp::absolute);
    std::vector<Term> terms = arguments(one ? 1 : token.text == "select" ? 3 : 2);
    if (token.text == "min" || token.text == "max") {
        const value::BinaryOp op = token.text == "min" ? value::BinaryOp::min : value::BinaryOp::max;
        Term made = operation(op, std::move(terms[0]), std::move(terms[1]), token.offset);
        made.offset = token.offset;
        return made;
    }
    Premises premises;
    for (const Term& term : terms) { premises.add(term); }
    if (token.text == "select") {
        return make({Select{std::move(terms[0].expr), std::move(terms[1].expr), std::move(terms[2].expr)}}, premises,
                    token.offset);
    }
    Expr expr = token.text == "int" ? Expr{IntegerOf{std::move(terms[0].expr)}}
                                    : Expr{Unary{value::UnaryOp::absolute, std::move(terms[0].expr)}};
    return make(std::move(expr), premises, token.offset);
}

Term ExprParser::typed() {
    const Token token = tokens_.take();
    const value::Type type = *value::parse_type(token.text);
    Premises premises;
    if (tokens_.accept("<")) {
        Term index = binary(sum_precedence);
        need(index.offset, want_index(index.types));
        tokens_.expect_angle();
        premises.add(index);
        return make({Embed{type, std::move(index.expr)}}, premises, token.offset);
    }
    if (!tokens_.at("(")) {
        tokens_.expected("\"(\" of a cast or \"<\" of an index");
        return {};
    }
    std::vector<Term> terms = arguments(1);
    premises.add(terms[0]);
    return make({Cast{type, std::move(terms[0].expr)}}, premises, token.offset);
}

Term ExprParser::tensor() {
    const Token token = tokens_.take();
    tokens_.expect("(");
    std::vector<Term> terms = indices(")");
    Premises premises;
    for (const Term& term : terms) { premises.add(term); }
    const int component = this->component();
    return make({TensorAccess{std::string(token.text), exprs_of(std::move(terms)), component}}, premises, token.offset);
}

Term ExprParser::named() {
    const Token token = tokens_.take();
    const auto binding = environment_.find(token.text);
    if (!binding) { return make({Variable{std::string(token.text)}}, {}, token.offset); }
    const bool bracket = tokens_.accept("[");
    if (std::holds_alternative<Scope::ValueShape>(*binding)) { return value_variable(token, bracket); }
    if (bracket) { return load(token); }
    return make({Variable{std::string(token.text)}}, {}, token.offset);
}

Term ExprParser::value_variable(const Token& name, bool has_lane) {
    ValueVariable variable{std::string(name.text), {}};
    Premises premises;
    if (has_lane) {
        Term lane = index();
        tokens_.expect("]");
        premises.add(lane);
        variable.lane = std::move(lane.expr);
    }
    return make({std::move(variable)}, premises, name.offset);
}

Term ExprParser::load(const Token& name) {
    std::vector<Term> terms = indices("]");
    Premises premises;
    for (const Term& term : terms) { premises.add(term); }
    Load load{std::string(name.text), exprs_of(std::move(terms)), {}};
    if (tokens_.accept("?")) {
        tokens_.expect("(");
        Term guard = condition();
        tokens_.expect(")");
        premises.add(guard);
        load.guard = std::move(guard.expr);
    }
    return make({std::move(load)}, premises, name.offset);
}

Term ExprParser::lane_reduction(value::ReductionOp op) {
    const Token token = tokens_.take();
    tokens_.expect("lanes");
    const Inside inside(environment_, Extent::binder);
    Lanes over = lanes();
    tokens_.expect("of");
    std::vector<Term> terms = arguments(1);
    Premises premises;
    premises.add(terms[0]);
    return make({LaneReduce{op, std::move(over), std::move(terms[0].expr)}}, premises, token.offset);
}

}  // namespace haruspex::sched
