#include "generators/tensor/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/numbers.h"
#include "generators/sare/affine_parser.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/limits.h"
#include "generators/sare/tokens.h"
#include "generators/tensor/wellformed.h"

namespace haruspex::tensor {

namespace {

using sare::Token;
using sare::TokenKind;

constexpr std::array<std::string_view, 2> symbols{"#", "."};
constexpr sare::TokenOptions lexis{.symbols = symbols, .comment = comment};

// The offsets in the text of what a fault may be about.
struct Places {
    struct DeclarationPlace {
        std::size_t name = 0;
        std::vector<std::size_t> extents;
    };
    struct StatementPlace {
        std::size_t target = 0;
        std::vector<std::size_t> nodes;  // in the order of for_each_node
    };
    std::size_t header = 0, assumptions = 0;
    std::vector<DeclarationPlace> declarations;
    std::vector<StatementPlace> statements;

    std::size_t of(const Subject& subject) const {
        switch (subject.kind) {
            case Subject::Kind::program: return header;
            case Subject::Kind::assumptions: return assumptions;
            case Subject::Kind::declaration: return declarations.at(subject.number).name;
            case Subject::Kind::extent: return declarations.at(subject.number).extents.at(subject.part);
            case Subject::Kind::statement: return statements.at(subject.number).target;
            case Subject::Kind::expression: return statements.at(subject.number).nodes.at(subject.part);
        }
        raise_internal_error(__FILE__, __LINE__, "no such subject");
    }
};

const std::vector<value::Type>& element_types() {
    static const std::vector<value::Type> types = [] {
        std::vector<value::Type> numbers(value::all_types.begin(), value::all_types.end());
        std::erase(numbers, value::Type::boolean);
        return numbers;
    }();
    return types;
}

std::optional<ElementOp> element_op(const Token& token) {
    if (token.kind != TokenKind::symbol) { return std::nullopt; }
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::mul, ElementOp::div}) {
        if (token.text == spelling(op)) { return op; }
    }
    return std::nullopt;
}

class Parser {
public:
    Parser(std::string_view text, std::string_view file)
        : diagnostics_(text, file), tokens_(diagnostics_, lexis), affine_(tokens_) {}

    Result<Program> parse() {
        if (tokens_.at("program")) { header(); }
        while (tokens_.at("var")) { declaration(); }
        while (tokens_.peek().kind == TokenKind::name && is_name(tokens_.peek().text)) { statement(); }
        if (!tokens_.at_end()) {
            tokens_.expected(program_.statements.empty() ? "a declaration, a statement or the end of the text"
                                                         : "an operator, a statement or the end of the text");
        }
        if (!tokens_.failed()) {
            if (const Checked checked = find_fault(program_); !checked) {
                tokens_.report(places_.of(checked.error().subject), checked.error().message);
            }
        }
        if (diagnostics_.failed()) { return fail(diagnostics_.error()); }
        return std::move(program_);
    }

private:
    std::string name(std::string_view what) {
        const Token token = tokens_.peek();
        if (token.kind != TokenKind::name || !is_name(token.text)) { tokens_.expected(what); }
        return std::string(tokens_.take().text);
    }

    void header() {
        tokens_.expect("program");
        places_.header = tokens_.peek().offset;
        program_.name = name("the program's name");
        tokens_.expect("(");
        if (!tokens_.at(")")) {
            do {
                const std::size_t offset = tokens_.peek().offset;
                std::string parameter = name("a parameter's name");
                if (std::ranges::find(program_.parameters, parameter) != program_.parameters.end()) {
                    tokens_.report(offset, sare::already_in_scope(parameter));
                }
                program_.parameters.push_back(std::move(parameter));
            } while (tokens_.accept(","));
        }
        tokens_.expect(")");
        if (!tokens_.accept("assuming")) { return; }
        places_.assumptions = tokens_.peek().offset;
        program_.assumptions = affine_.condition();
        resolve();
    }

    // Indices and conditions are over the parameters.
    void resolve() {
        for (const sare::VariableUse& use : affine_.uses()) {
            if (std::ranges::find(program_.parameters, use.name) == program_.parameters.end()) {
                tokens_.report(use.offset, sare::unknown_variable(use.name, program_.parameters));
            }
        }
        affine_.uses().clear();
    }

    void declaration() {
        tokens_.expect("var");
        Declaration declaration;
        declaration.input = tokens_.accept("input");
        declaration.output = tokens_.accept("output");
        Places::DeclarationPlace place{tokens_.peek().offset, {}};
        declaration.name = name(declaration.input || declaration.output ? "a variable's name"
                                                                        : "\"input\", \"output\" or a variable's name");
        tokens_.expect(":");
        if (!tokens_.at("[")) {
            const auto type = value::parse_type(tokens_.peek().text);
            if (!type || *type == value::Type::boolean) {
                tokens_.expected("\"[\" or a type (" + value::names(element_types()) + ")");
            }
            tokens_.take();
            declaration.element = type.value_or(value::Type::f32);
        }
        tokens_.expect("[");
        while (!tokens_.failed() && !tokens_.at("]")) {
            place.extents.push_back(tokens_.peek().offset);
            declaration.extents.push_back(extent());
        }
        tokens_.expect("]");
        program_.declarations.push_back(std::move(declaration));
        places_.declarations.push_back(std::move(place));
    }

    sare::Index extent() {
        const Token token = tokens_.peek();
        if (token.kind == TokenKind::number) {
            const auto value = parse_number<std::int64_t>(token.text);
            if (!value) { tokens_.expected("an integer that fits 64 bits"); }
            tokens_.take();
            return sare::Index{sare::IndexConstant{value.value_or(1)}};
        }
        if (token.kind == TokenKind::name && is_name(token.text)) {
            tokens_.take();
            affine_.uses().push_back({std::string(token.text), token.offset});
            resolve();
            return sare::Index{sare::IndexVariable{std::string(token.text)}};
        }
        if (!tokens_.at("(")) {
            tokens_.expected("an extent (an integer, a parameter or an index in parentheses) or \"]\"");
        }
        const sare::Nest nest(tokens_);
        tokens_.expect("(");
        sare::Index index = affine_.index();
        tokens_.expect(")");
        resolve();
        return index;
    }

    void statement() {
        places_.statements.push_back({tokens_.peek().offset, {}});
        Statement statement;
        statement.target = name("a variable's name");
        tokens_.expect("=");
        statement.value = expression().expr;
        program_.statements.push_back(std::move(statement));
    }

    struct Sized {
        Expr expr;
        int depth = 1;
    };

    // The offset of a node is noted when its operands have been, so in the order of for_each_node.
    Sized node(decltype(Expr::node) node, int depth, std::size_t offset) {
        if (depth > sare::max_depth) {
            tokens_.report(
                offset, fmt::format("an expression is nested too deeply; expected at most {} levels", sare::max_depth));
        }
        places_.statements.back().nodes.push_back(offset);
        return {Expr{std::move(node)}, depth};
    }

    Sized expression() {
        Sized a = primary();
        while (!tokens_.failed()) {
            const Token token = tokens_.peek();
            if (tokens_.accept(".")) {
                const Pair dimensions = pair();
                const int depth = 1 + a.depth;
                a = node(Contraction{std::move(a.expr), dimensions}, depth, token.offset);
            } else if (tokens_.accept("^")) {
                const Pair dimensions = pair();
                const int depth = 1 + a.depth;
                a = node(Transposition{std::move(a.expr), dimensions}, depth, token.offset);
            } else if (const auto op = element_op(token)) {
                tokens_.take();
                Sized b = primary();
                const int depth = 1 + std::max(a.depth, b.depth);
                a = node(Elementwise{*op, std::move(a.expr), std::move(b.expr)}, depth, token.offset);
            } else if (tokens_.accept("#")) {
                Sized b = primary();
                const int depth = 1 + std::max(a.depth, b.depth);
                a = node(Outer{std::move(a.expr), std::move(b.expr)}, depth, token.offset);
            } else {
                break;
            }
        }
        return a;
    }

    Sized primary() {
        const Token token = tokens_.peek();
        if (tokens_.at("(")) {
            const sare::Nest nest(tokens_);
            tokens_.take();
            Sized inside = expression();
            tokens_.expect(")");
            return inside;
        }
        if (token.kind == TokenKind::name && is_name(token.text)) {
            tokens_.take();
            return node(Variable{std::string(token.text)}, 1, token.offset);
        }
        tokens_.expected("a variable or \"(\"");
        return {Expr{Variable{}}, 1};
    }

    Pair pair() {
        tokens_.expect("[");
        const int first = dimension();
        const int second = dimension();
        tokens_.expect("]");
        return {first, second};
    }

    int dimension() {
        const Token token = tokens_.peek();
        const auto number = token.kind == TokenKind::number ? parse_number<int>(token.text) : std::nullopt;
        if (!number) { tokens_.expected("the number of a dimension"); }
        tokens_.take();
        return number.value_or(1);
    }

    sare::Diagnostics diagnostics_;
    sare::Tokens tokens_;
    sare::AffineParser affine_;
    Program program_;
    Places places_;
};

}  // namespace

Result<Program> parse_program(std::string_view text, std::string_view file) { return Parser(text, file).parse(); }

}  // namespace haruspex::tensor
