#include "harness/sched/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "harness/sched/bounds.h"
#include "harness/sched/expr_parser.h"
#include "harness/sched/kinds.h"
#include "harness/sched/names.h"
#include "harness/sched/precedence.h"
#include "harness/sched/traverse.h"

namespace haruspex::sched {

namespace {

using sare::Token;
using sare::TokenKind;
using Extent = Environment::Extent;
using Inside = Environment::Inside;

constexpr std::array<std::string_view, 3> symbols{":=", ";", "?"};
constexpr sare::TokenOptions lexis{true, true, symbols};

std::optional<int> hexadecimal(std::string_view digit) {
    const std::size_t value = digit.empty() ? std::string_view::npos : std::string_view("0123456789abcdef").find(digit);
    return value == std::string_view::npos ? std::nullopt : std::optional(static_cast<int>(value));
}

// Reads statements, with the scope of their names.
class ProgramParser {
public:
    ProgramParser(std::string_view text, std::string_view file)
        : diagnostics_(text, file), tokens_(diagnostics_, lexis), exprs_(tokens_, environment_) {}

    Result<Program> parse() {
        header();
        tokens_.expect("{");
        while (tokens_.at("input") || tokens_.at("output")) { program_.arrays.push_back(array()); }
        program_.body = statements();
        tokens_.expect("}");
        if (!tokens_.at_end()) { tokens_.expected("the end of the text"); }
        if (diagnostics_.failed()) { return fail(diagnostics_.error()); }
        return std::move(program_);
    }

private:
    void need(std::size_t offset, const Sound& sound) { exprs_.need(offset, sound); }
    Expr index() { return exprs_.index().expr; }
    Expr condition() { return exprs_.condition().expr; }

    void declare(const Token& name, const Binding& binding) {
        if (!tokens_.failed()) { need(name.offset, environment_.declare(std::string(name.text), binding)); }
    }

    void header() {
        tokens_.expect("sched");
        const Token name = tokens_.peek();
        if (name.kind != TokenKind::name) { tokens_.expected("the program's name"); }
        program_.name = tokens_.take().text;
        tokens_.expect("(");
        if (!tokens_.at(")")) {
            do {
                const Token parameter = exprs_.name("the name of a parameter");
                declare(parameter, Types::index());
                program_.parameters.emplace_back(parameter.text);
            } while (tokens_.accept(","));
        }
        tokens_.expect(")");
        if (tokens_.accept("with")) {
            tokens_.expect("loose");
            tokens_.expect("floats");
            program_.has_loose_floats = true;
        }
    }

    Array array() {
        Array array;
        array.role = tokens_.take().text == "input" ? Role::input : Role::output;
        const Token name = exprs_.name("the name of an array");
        array.name = name.text;
        array.tensor = array.name;
        if (tokens_.accept("for")) {
            const Token tensor = tokens_.peek();
            if (tensor.kind != TokenKind::name || !is_tensor_name(tensor.text)) {
                tokens_.expected("the name of a tensor");
            }
            array.tensor = tokens_.take().text;
            array.component = exprs_.component();
        }
        if (!tokens_.failed()) { need(name.offset, check_array(array)); }
        tokens_.expect(":");
        array.type = exprs_.type();
        exprs_.enter(Context::pure);
        const auto shape = dimensions(array.type, array.dimensions);
        exprs_.enter(Context::code);
        tokens_.expect(";");
        declare(name, ArrayBinding{shape, array.role == Role::input ? Memory::input : Memory::output});
        return array;
    }

    Scope::ArrayShape dimensions(value::Type type, std::vector<Dimension>& dimensions) {
        const std::size_t offset = tokens_.peek().offset;
        tokens_.expect("[");
        if (!tokens_.at("]")) {
            do {
                Dimension dimension{index()};
                if (tokens_.accept("from")) { dimension.min = index(); }
                if (tokens_.accept("stride")) { dimension.stride = index(); }
                dimensions.push_back(std::move(dimension));
            } while (tokens_.accept(","));
        }
        tokens_.expect("]");
        const auto shape = shape_of(type, dimensions);
        if (!shape) { tokens_.report(offset, shape.error()); }
        return shape.value_or(Scope::ArrayShape{});
    }

    Block statements() {
        Block block;
        while (!tokens_.failed() && !tokens_.at("}")) {
            if (tokens_.accept("skip")) {
                tokens_.expect(";");
            } else {
                block.push_back(statement());
            }
        }
        return block;
    }

    Block block() {
        tokens_.expect("{");
        if (++level_ >= max_depth && !tokens_.at("}")) {
            tokens_.report(tokens_.peek().offset,
                           fmt::format("statements are nested too deeply; expected at most {} levels", max_depth));
        }
        const Inside inside(environment_, Extent::block);
        Block block = statements();
        tokens_.expect("}");
        --level_;
        return block;
    }

    Stmt statement() {
        const Token token = tokens_.peek();
        if (token.kind == TokenKind::name) {
            if (token.text == "let") { return let(); }
            if (token.text == "allocate") { return allocate(); }
            if (token.text == "free") { return free(); }
            if (token.text == "lanes") { return assignment(); }
            if (token.text == "if") { return conditional(); }
            if (token.text == "assert") { return assertion(); }
            if (token.text == "accumulate") { return accumulate(); }
            if (token.text == "semaphore") { return semaphore(); }
            if (token.text == "acquire") { return units_of<Acquire>(); }
            if (token.text == "release") { return units_of<Release>(); }
            if (token.text == "fork") { return fork(); }
            if (const auto kind = loop_kind(token.text)) { return loop(*kind); }
            if (is_name(token.text)) { return assignment(); }
            if (tokens_.accept("atomic")) { return {Atomic{block()}}; }
        }
        tokens_.expected("a statement or \"}\"");
        return {Atomic{}};
    }

    Stmt let() {
        ExprParser::LetHead head = exprs_.let_head();
        tokens_.expect(";");
        declare(head.name, head.binding());
        std::string name(head.name.text);
        if (!head.type) { return {Let{std::move(name), std::move(head.value.expr)}}; }
        return {LetValue{std::move(name), std::move(head.lanes), *head.type, std::move(head.value.expr)}};
    }

    Stmt allocate() {
        tokens_.take();
        Allocate allocate;
        const Token name = exprs_.name("the name of an array");
        allocate.array = name.text;
        tokens_.expect(":");
        allocate.type = exprs_.type();
        const auto shape = dimensions(allocate.type, allocate.dimensions);
        if (tokens_.accept("if")) { allocate.condition = condition(); }
        tokens_.expect(";");
        declare(name, ArrayBinding{shape, Memory::allocated});
        return {std::move(allocate)};
    }

    // The name of an array in scope.
    std::pair<std::string, ArrayBinding> array_name() {
        const Token token = exprs_.name("the name of an array");
        if (tokens_.failed()) { return {}; }
        std::string name(token.text);
        const auto binding = find_array(name, environment_);
        if (!binding) { tokens_.report(token.offset, binding.error()); }
        return {std::move(name), binding.value_or(ArrayBinding{})};
    }

    Stmt free() {
        tokens_.take();
        const std::size_t offset = tokens_.peek().offset;
        auto [name, binding] = array_name();
        need(offset, check_freed(name, binding));
        tokens_.expect(";");
        return {Free{std::move(name)}};
    }

    Stmt accumulate() {
        tokens_.take();
        std::string array = array_name().first;
        return {Accumulate{std::move(array), block()}};
    }

    Stmt semaphore() {
        tokens_.take();
        const Token name = exprs_.name("the name of a semaphore");
        tokens_.expect("=");
        Expr units = index();
        tokens_.expect(";");
        declare(name, SemaphoreBinding{});
        return {Semaphore{std::string(name.text), std::move(units)}};
    }

    template <typename Node>
    Stmt units_of() {
        tokens_.take();
        Expr units = index();
        tokens_.expect("of");
        const Token name = exprs_.name("the name of a semaphore");
        std::string semaphore(name.text);
        if (!tokens_.failed()) { need(name.offset, find_semaphore(semaphore, environment_)); }
        tokens_.expect(";");
        return {Node{std::move(semaphore), std::move(units)}};
    }

    Stmt fork() {
        tokens_.take();
        Block first = block();
        tokens_.expect("and");
        return {Fork{std::move(first), block()}};
    }

    Stmt assertion() {
        tokens_.take();
        const AssertKind kind = assert_kind();
        Expr expr = condition();
        std::string message = string();
        tokens_.expect(";");
        return {Assert{std::move(expr), std::move(message), kind}};
    }

    AssertKind assert_kind() {
        if (!tokens_.accept("{")) { return AssertKind::plain; }
        const bool is_type = tokens_.accept("type");
        if (!is_type) { tokens_.expect("size"); }
        tokens_.expect("}");
        return is_type ? AssertKind::type : AssertKind::size;
    }

    Stmt conditional() {
        tokens_.take();
        Expr expr = condition();
        if (tokens_.accept("do")) { return writes({{}, std::move(expr), {}}); }
        Block then = block();
        return {If{std::move(expr), std::move(then), tokens_.accept("else") ? block() : Block{}}};
    }

    static std::optional<LoopKind> loop_kind(std::string_view text) {
        if (text == "for") { return LoopKind::serial; }
        if (text == "par") { return LoopKind::parallel; }
        if (text == "vector") { return LoopKind::vector; }
        if (text == "unrolled") { return LoopKind::unrolled; }
        return std::nullopt;
    }

    Stmt loop(LoopKind kind) {
        tokens_.take();
        const Token variable = exprs_.name("the name of a loop variable");
        tokens_.expect("in");
        tokens_.expect("[");
        Term min = exprs_.index();
        tokens_.expect(",");
        Term upper = exprs_.index();
        tokens_.expect(")");
        Expr extent = extent_between(min.expr, std::move(upper.expr));
        // The extent may be one level deeper than the expressions that were read.
        if (std::max(min.depth, upper.depth) >= max_depth && depth(extent) > max_depth) {
            tokens_.report(
                min.offset,
                fmt::format("the bounds of the loop are nested too deeply; expected at most {} levels", max_depth - 1));
        }
        const Inside inside(environment_, Extent::binder);
        if (!tokens_.failed()) { need(variable.offset, environment_.bind(std::string(variable.text), Types::index())); }
        return {For{kind, std::string(variable.text), std::move(min.expr), std::move(extent), block()}};
    }

    Stmt assignment() {
        const Inside inside(environment_, Extent::binder);
        Assign assign;
        if (tokens_.accept("lanes")) {
            assign.lanes = exprs_.lanes();
            tokens_.expect("do");
            if (tokens_.accept("if")) {
                assign.condition = condition();
                tokens_.expect("do");
            }
        }
        return writes(std::move(assign));
    }

    Stmt writes(Assign assign) {
        do { assign.writes.push_back(write()); } while (tokens_.accept(","));
        tokens_.expect(";");
        return {std::move(assign)};
    }

    Write write() {
        Write write;
        const std::size_t offset = tokens_.peek().offset;
        const auto [array, binding] = array_name();
        need(offset, check_written(array, binding));
        write.array = array;
        tokens_.expect("[");
        write.indices = exprs_of(exprs_.indices("]"));
        if (!tokens_.failed()) { need(offset, check_index_count(array, binding.shape, write.indices.size())); }
        if (tokens_.accept("{")) {
            exprs_.enter(Context::prophecy);
            write.prophecy = exprs_.value(binding.shape.type).expr;
            exprs_.enter(Context::code);
            tokens_.expect("}");
        }
        if (!tokens_.accept(":=")) { write.accumulation = accumulation(binding.shape.type); }
        write.value = exprs_.value(binding.shape.type).expr;
        return write;
    }

    Accumulation accumulation(value::Type type) {
        const Token token = tokens_.peek();
        for (const value::ReductionOp op : value::all_reduction_ops) {
            // The spelling without its '='.
            const std::string_view spelling = accumulating(op);
            if (!tokens_.accept(spelling.substr(0, spelling.size() - 1))) { continue; }
            tokens_.expect("=");
            if (!tokens_.failed()) { need(token.offset, check_accumulation(op, type)); }
            tokens_.expect("{");
            exprs_.enter(Context::prophecy);
            std::vector<Expr> reduced = exprs_of(exprs_.indices("}"));
            exprs_.enter(Context::code);
            return {op, std::move(reduced)};
        }
        tokens_.expected("\":=\" or an accumulation (\"+=\", \"*=\", \"min=\", \"max=\", \"and=\", \"or=\")");
        return {value::ReductionOp::sum, {}};
    }

    std::string string() {
        const Token token = tokens_.peek();
        if (token.kind != TokenKind::string) {
            tokens_.expected("a message in quotes");
            return {};
        }
        std::string message;
        const std::string_view inside = token.text.substr(1, token.text.size() - 2);
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if (inside[i] != '\\') {
                message += inside[i];
                continue;
            }
            const std::string_view escape = inside.substr(++i);
            const auto high = escape.starts_with('x') ? hexadecimal(escape.substr(1, 1)) : std::nullopt;
            const auto low = high ? hexadecimal(escape.substr(2, 1)) : std::nullopt;
            if (escape.starts_with('"') || escape.starts_with('\\')) {
                message += escape.front();
            } else if (escape.starts_with('n')) {
                message += '\n';
            } else if (low) {
                message += static_cast<char>(*high * 16 + *low);
                i += 2;
            } else {
                tokens_.report(token.offset + i,
                               "unknown escape; expected one of \\\" \\\\ \\n, or \\x and two digits from 0 to f");
                return {};
            }
        }
        tokens_.take();
        return message;
    }

    sare::Diagnostics diagnostics_;
    sare::Tokens tokens_;
    Environment environment_;
    ExprParser exprs_;
    Program program_;
    int level_ = 0;
};

}  // namespace

Result<Program> parse_program(std::string_view text, std::string_view file) {
    return ProgramParser(text, file).parse();
}

std::string error_name(const std::string& message) {
    const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto end = std::ranges::find_if_not(message, is_of_name);
    const bool is_name = end == message.end() || *end == ':';
    return is_name ? std::string(message.begin(), end) : std::string();
}

}  // namespace haruspex::sched
