#include "generators/sare/affine_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "generators/sare/limits.h"
#include "generators/sare/names.h"

namespace haruspex::sare {

namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 6> relations{{{"<", Relation::lt},
                                                                          {"<=", Relation::le},
                                                                          {"=", Relation::eq},
                                                                          {"!=", Relation::ne},
                                                                          {">", Relation::gt},
                                                                          {">=", Relation::ge}}};

const Relation* relation_at(const Tokens& tokens) {
    for (const auto& [text, relation] : relations) {
        if (tokens.at(text)) { return &relation; }
    }
    return nullptr;
}

}  // namespace

Index AffineParser::index() { return to_index(sum()); }

Condition AffineParser::condition() { return to_condition(disjunction()); }

AffineParser::Term AffineParser::make(std::variant<Index, Condition> value, std::size_t offset, int depth) {
    if (depth > max_depth) {
        tokens_.report(
            offset, fmt::format("an index or condition is nested too deeply; expected at most {} levels", max_depth));
    }
    return {std::move(value), offset, depth};
}

Index AffineParser::to_index(Term term) {
    if (auto* index = std::get_if<Index>(&term.value)) { return std::move(*index); }
    tokens_.report(term.offset, "expected an index, found a condition");
    return Index{IndexConstant{0}};
}

Condition AffineParser::to_condition(Term term) {
    if (auto* condition = std::get_if<Condition>(&term.value)) { return std::move(*condition); }
    tokens_.report(term.offset, "expected a condition, found an index");
    return Condition{Truth{true}};
}

AffineParser::Term AffineParser::disjunction() {
    Term a = conjunction();
    while (tokens_.accept("or")) {
        Term b = conjunction();
        const int depth = 1 + std::max(a.depth, b.depth);
        const std::size_t offset = a.offset;
        Condition left = to_condition(std::move(a));
        a = make(Condition{Or{std::move(left), to_condition(std::move(b))}}, offset, depth);
    }
    return a;
}

AffineParser::Term AffineParser::conjunction() {
    Term a = negation();
    while (tokens_.accept("and")) {
        Term b = negation();
        const int depth = 1 + std::max(a.depth, b.depth);
        const std::size_t offset = a.offset;
        Condition left = to_condition(std::move(a));
        a = make(Condition{And{std::move(left), to_condition(std::move(b))}}, offset, depth);
    }
    return a;
}

AffineParser::Term AffineParser::negation() {
    const std::size_t offset = tokens_.peek().offset;
    if (!tokens_.accept("not")) { return comparison(); }
    const Nest nest(tokens_);
    Term a = negation();
    const int depth = 1 + a.depth;
    return make(Condition{Not{to_condition(std::move(a))}}, offset, depth);
}

// a < b <= c is a < b and b <= c.
AffineParser::Term AffineParser::comparison() {
    Term first = sum();
    if (tokens_.at("==")) { tokens_.expected("\"=\", which compares indices"); }
    const Relation* relation = relation_at(tokens_);
    if (relation == nullptr) { return first; }
    const std::size_t offset = first.offset;
    int deepest = first.depth;
    Index left = to_index(std::move(first));
    std::optional<Condition> chain;
    int depth = 0;
    for (; relation != nullptr; relation = relation_at(tokens_)) {
        tokens_.take();
        Term next = sum();
        const int link = 1 + std::max(deepest, next.depth);
        deepest = next.depth;
        Index right = to_index(std::move(next));
        Condition c{Comparison{*relation, std::move(left), right}};
        depth = chain ? 1 + std::max(depth, link) : link;
        chain = chain ? Condition{And{std::move(*chain), std::move(c)}} : std::move(c);
        left = std::move(right);
        if (depth > max_depth) { break; }
    }
    return make(std::move(*chain), offset, depth);
}

AffineParser::Term AffineParser::sum() {
    Term a = product();
    for (;;) {
        const bool add = tokens_.at("+");
        if (!add && !tokens_.at("-")) { return a; }
        tokens_.take();
        Term b = product();
        const int depth = 1 + std::max(a.depth, b.depth);
        const std::size_t offset = a.offset;
        Index left = to_index(std::move(a));
        a = make(Index{IndexBinary{add ? IndexOp::add : IndexOp::sub, std::move(left), to_index(std::move(b))}}, offset,
                 depth);
    }
}

AffineParser::Term AffineParser::product() {
    Term a = prefix();
    for (;;) {
        if (tokens_.accept("*")) {
            Term b = prefix();
            a = scaled(std::move(a), std::move(b));
            continue;
        }
        const bool div = tokens_.at("/");
        if (!div && !tokens_.at("%")) { return a; }
        tokens_.take();
        const std::int64_t by = divisor(prefix());
        const int depth = 1 + a.depth;
        const std::size_t offset = a.offset;
        Index left = to_index(std::move(a));
        a = div ? make(Index{IndexDiv{std::move(left), by}}, offset, depth)
                : make(Index{IndexMod{std::move(left), by}}, offset, depth);
    }
}

AffineParser::Term AffineParser::scaled(Term a, Term b) {
    const auto constant = [](const Term& term) {
        const auto* index = std::get_if<Index>(&term.value);
        return index != nullptr ? std::get_if<IndexConstant>(&index->node) : nullptr;
    };
    const std::size_t offset = a.offset;
    if (constant(a) == nullptr) { std::swap(a, b); }
    const IndexConstant* factor = constant(a);
    if (factor == nullptr) {
        tokens_.report(offset, "a product of two variables is not affine; expected an integer as one factor");
        return b;
    }
    const int depth = 1 + b.depth;
    return make(Index{IndexScale{factor->value, to_index(std::move(b))}}, offset, depth);
}

std::int64_t AffineParser::divisor(const Term& term) {
    const auto* index = std::get_if<Index>(&term.value);
    const auto* constant = index != nullptr ? std::get_if<IndexConstant>(&index->node) : nullptr;
    if (constant != nullptr && constant->value > 0) { return constant->value; }
    tokens_.report(term.offset, "expected a positive integer as the divisor");
    return 1;
}

AffineParser::Term AffineParser::prefix() {
    const std::size_t offset = tokens_.peek().offset;
    if (!tokens_.accept("-")) { return primary(); }
    if (tokens_.peek().kind == TokenKind::number) { return make(Index{IndexConstant{integer(true)}}, offset, 1); }
    const Nest nest(tokens_);
    Term a = prefix();
    const int depth = 1 + a.depth;
    return make(Index{IndexScale{-1, to_index(std::move(a))}}, offset, depth);
}

AffineParser::Term AffineParser::primary() {
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::number) { return make(Index{IndexConstant{integer(false)}}, token.offset, 1); }
    if (tokens_.at("(")) {
        const Nest nest(tokens_);
        tokens_.take();
        Term inside = disjunction();
        tokens_.expect(")");
        inside.offset = token.offset;
        return inside;
    }
    if (tokens_.at("true") || tokens_.at("false")) {
        tokens_.take();
        return make(Condition{Truth{token.text == "true"}}, token.offset, 1);
    }
    if (tokens_.at("min") || tokens_.at("max") || tokens_.at("select")) { return call(); }
    if (token.kind == TokenKind::name && is_name(token.text)) {
        tokens_.take();
        uses_.push_back({std::string(token.text), token.offset});
        return make(Index{IndexVariable{std::string(token.text)}}, token.offset, 1);
    }
    tokens_.expected("an index or a condition");
    return {Index{IndexConstant{0}}, token.offset, 1};
}

AffineParser::Term AffineParser::call() {
    const Nest nest(tokens_);
    const Token name = tokens_.take();
    tokens_.expect("(");
    if (name.text == "select") {
        Term c = disjunction();
        tokens_.expect(",");
        Term a = sum();
        tokens_.expect(",");
        Term b = sum();
        tokens_.expect(")");
        const int depth = 1 + std::max({c.depth, a.depth, b.depth});
        Condition condition = to_condition(std::move(c));
        Index if_true = to_index(std::move(a));
        return make(Index{IndexSelect{std::move(condition), std::move(if_true), to_index(std::move(b))}}, name.offset,
                    depth);
    }
    Term a = sum();
    tokens_.expect(",");
    Term b = sum();
    tokens_.expect(")");
    const int depth = 1 + std::max(a.depth, b.depth);
    Index left = to_index(std::move(a));
    const IndexOp op = name.text == "min" ? IndexOp::min : IndexOp::max;
    return make(Index{IndexBinary{op, std::move(left), to_index(std::move(b))}}, name.offset, depth);
}

std::int64_t AffineParser::integer(bool negative) {
    const Token token = tokens_.take();
    const std::string digits = (negative ? "-" : "") + std::string(token.text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) {
        tokens_.report(token.offset, "expected an integer that fits 64 bits, found " + digits);
    } else if (end != digits.data() + digits.size()) {
        tokens_.report(token.offset, "expected an integer, found " + digits);
    }
    return value;
}

}  // namespace haruspex::sare
