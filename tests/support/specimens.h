#pragma once

#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/precedence.h"
#include "generators/sare/text.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "tests/support/random_sched.h"

// Small SCHED programs over the whole grammar, with a specification that holds by construction, or one mutation away
// from it. Program and specification are drawn together, as text: each expression of the program with its meaning in a
// SARE. A program also has statements over arrays of its own, drawn from the grammar without regard to meaning: they
// may cause trouble or have no effect.
namespace haruspex::testing {

struct Specimen {
    std::string specification, program;  // texts
    bool is_mutated = false;
};

class SpecimenBuilder {
public:
    explicit SpecimenBuilder(Choices& choices) : choices_(choices) {}

    Specimen draw() {
        in_ = type();
        const value::Type middle = type(), out = type();
        rank_ = choices_.boolean(400) ? 2 : 1;
        const bool has_stage = choices_.boolean(600);
        std::string body;
        const bool has_noise = choices_.boolean(500);
        if (has_noise) { body += "  allocate n0 : i32[8];\n  allocate n1 : u8[4, 4];\n" + noise(); }
        std::string spec =
            "sare p(N, M) assuming N >= 4 and M >= 4 {\n  input A : " + name(in_) + "[1]\n  input K : u8[2]\n";
        const bool is_asserted = choices_.boolean(200);
        if (is_asserted) { body += "  assert " + Draw{*this}.true_condition() + " \"sizes\";\n"; }
        const bool is_forked = has_stage && choices_.boolean(150);
        std::string stage, result;
        if (has_stage) {
            const bool is_strided = choices_.boolean(200);
            const std::string extents =
                rank_ == 1 ? (is_strided ? "N stride 1" : "N") : (is_strided ? "N stride 1, M stride N" : "N, M");
            is_linear_ = is_strided;
            const bool is_conditional = choices_.boolean(150);
            body += "  allocate g : " + name(middle) + "[" + extents + "]" +
                    (is_conditional ? " if " + Draw{*this}.true_condition() : "") + ";\n";
            stage = compute("g", "G", middle, spec);
            stage_ = middle;
        }
        result = compute("f", "F", out, spec);
        if (is_forked) {
            body += "  semaphore s = 0;\n  fork {\n" + stage + "    release 1 of s;\n  } and {\n    acquire 1 of s;\n" +
                    result + "  }\n";
        } else {
            body += stage + result;
        }
        if (has_stage && choices_.boolean(300)) { body += "  free g;\n"; }
        if (has_noise && choices_.boolean(500)) { body += noise(); }
        const std::string box = rank_ == 1 ? "{ [x] : 0 <= x < N }" : "{ [x, y] : 0 <= x < N and 0 <= y < M }";
        spec += "  output F on " + box + "\n}\n";
        const std::string extents = rank_ == 1 ? "N" : "N, M";
        const std::string program = "sched p(N, M) {\n  input a for A : " + name(in_) +
                                    "[N + 8 from -4];\n  input k for K : u8[4, 4];\n  output f for F : " + name(out) +
                                    "[" + extents + "];\n" + body + "}\n";
        return {spec, program, false};
    }

private:
    // An expression as it is in the program and in the specification.
    struct Both {
        std::string code, meaning;
    };
    using Bound = std::map<std::string, std::string>;  // meanings of names in the program

    static std::string name(value::Type type) { return std::string(value::name(type)); }
    value::Type type() {
        return choices_.one_of(std::vector{value::Type::i32, value::Type::i32, value::Type::u8, value::Type::i16,
                                           value::Type::u32, value::Type::i64, value::Type::f32, value::Type::u16,
                                           value::Type::i8, value::Type::f64, value::Type::u64, value::Type::boolean,
                                           value::Type::w32, value::Type::w64});
    }
    std::string fresh(const std::string& stem) { return stem + std::to_string(++count_); }

    // --- Expressions, in a scope ---

    struct Draw {
        SpecimenBuilder& builder;
        Bound indices{{"N", "N"}, {"M", "M"}};
        std::map<std::string, std::pair<value::Type, std::string>> values;
        Choices& choices() const { return builder.choices_; }

        std::string true_condition() {
            return choices().one_of(std::vector<std::string>{"N >= 4", "0 < M", "true", "not N < 4", "N + M > 7",
                                                             "[N > 0]", "N >= 4 and M >= 4", "N = 3 or M > 3"});
        }

        Both leaf_index() {
            if (choices().boolean(350)) {
                const std::string n = std::to_string(choices().integer(0, 9));
                return {n, n};
            }
            std::vector<std::string> names;
            for (const auto& [code, meaning] : indices) { names.push_back(code); }
            const std::string chosen = choices().one_of(names);
            return {chosen, indices.at(chosen)};
        }

        Both index(int depth) {
            if (depth <= 0) { return leaf_index(); }
            const auto binary = [&](const char* op) {
                const Both a = index(depth - 1), b = index(depth - 1);
                return Both{"(" + a.code + " " + op + " " + b.code + ")",
                            "(" + a.meaning + " " + op + " " + b.meaning + ")"};
            };
            const auto by_number = [&](const char* op) {
                const Both a = index(depth - 1);
                const std::string n = std::to_string(choices().integer(1, 4));
                return Both{"(" + a.code + " " + op + " " + n + ")", "(" + a.meaning + " " + op + " " + n + ")"};
            };
            switch (choices().weighted({4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1})) {
                case 0: return leaf_index();
                case 1: return binary("+");
                case 2: return binary("-");
                case 3: return by_number("*");
                case 4: return by_number("/");
                case 5: return by_number("%");
                case 6: {
                    const std::string op = choices().boolean(500) ? "min" : "max";
                    const Both a = index(depth - 1), b = index(depth - 1);
                    return {op + "(" + a.code + ", " + b.code + ")", op + "(" + a.meaning + ", " + b.meaning + ")"};
                }
                case 7: {
                    const Both c = condition(depth - 1), a = index(depth - 1), b = index(depth - 1);
                    return {"select(" + c.code + ", " + a.code + ", " + b.code + ")",
                            "select(" + c.meaning + ", " + a.meaning + ", " + b.meaning + ")"};
                }
                case 8: {
                    return within_let(depth - 1, [&](Draw& inner) { return inner.index(depth - 1); });
                }
                case 9: {
                    const Both a = index(depth - 1);
                    return {"int(i64<" + a.code + ">)", a.meaning};
                }
                default: {
                    const Both a = index(depth - 1);
                    const std::string w = builder.fresh("w");
                    return {"(let " + w + " : i64 = i64<" + a.code + "> in int(" + w + "))", a.meaning};
                }
            }
        }

        Both condition(int depth) {
            const auto compared = [&] {
                const char* op = choices().one_of(std::vector<const char*>{"<", "<=", ">", ">=", "=", "!="});
                const Both a = index(depth - 1), b = index(depth - 1);
                return Both{"(" + a.code + " " + op + " " + b.code + ")",
                            "(" + a.meaning + " " + op + " " + b.meaning + ")"};
            };
            if (depth <= 0) { return compared(); }
            const auto two = [&](const auto& code, const auto& meaning) {
                const Both a = condition(depth - 1), b = condition(depth - 1);
                return Both{code(a.code, b.code), meaning(a.meaning, b.meaning)};
            };
            using S = const std::string&;
            const auto same = [](S a, S b) {
                return "((" + a + " and " + b + ") or (not " + a + " and not " + b + "))";
            };
            switch (choices().weighted({6, 1, 2, 2, 2, 1, 1, 1, 1, 1})) {
                case 0: return compared();
                case 1: {
                    const std::string t = choices().boolean(500) ? "true" : "false";
                    return {t, t};
                }
                case 2: {
                    const auto both = [](S a, S b) { return "(" + a + " and " + b + ")"; };
                    return two(both, both);
                }
                case 3: {
                    const auto either = [](S a, S b) { return "(" + a + " or " + b + ")"; };
                    return two(either, either);
                }
                case 4: {
                    const Both a = condition(depth - 1);
                    return {"(not " + a.code + ")", "(not " + a.meaning + ")"};
                }
                case 5: return two([](S a, S b) { return "(" + a + " = " + b + ")"; }, same);
                case 6:
                    return two([](S a, S b) { return "(" + a + " != " + b + ")"; },
                               [&](S a, S b) { return "(not " + same(a, b) + ")"; });
                case 7: {
                    const Both c = condition(depth - 1), a = condition(depth - 1), b = condition(depth - 1);
                    return {
                        "select(" + c.code + ", " + a.code + ", " + b.code + ")",
                        "((" + c.meaning + " and " + a.meaning + ") or (not " + c.meaning + " and " + b.meaning + "))"};
                }
                case 8: {
                    const Both a = condition(depth - 1);
                    return {"int([" + a.code + "])", a.meaning};
                }
                default: {
                    return within_let(depth - 1, [&](Draw& inner) { return inner.condition(depth - 1); });
                }
            }
        }

        // Draws "let z = … in body", where the body may read z.
        template <typename Body>
        Both within_let(int depth, Body draw_body) {
            const Both bound = index(depth);
            const std::string z = builder.fresh("z");
            Draw inner = *this;
            inner.indices[z] = "(" + bound.meaning + ")";
            const Both body = draw_body(inner);
            return {"(let " + z + " = " + bound.code + " in " + body.code + ")", body.meaning};
        }

        // Draws a subscript from low to high.
        Both within(const std::string& low, const std::string& high) {
            const Both i = index(choices().boolean(700) ? 0 : 1);
            return {"max(min(" + i.code + ", " + high + "), " + low + ")",
                    "max(min(" + i.meaning + ", " + high + "), " + low + ")"};
        }

        Both cast_to(value::Type to, value::Type from, Both e) {
            if (to == from) { return e; }
            return {name(to) + "(" + e.code + ")", name(to) + "(" + e.meaning + ")"};
        }

        Both access(value::Type type) {
            const bool may_be_staged = builder.stage_.has_value();
            switch (choices().weighted({4, 1, may_be_staged ? 5 : 0})) {
                case 0: {
                    const Both i = within("-4", "N + 3");
                    std::string code = "a[" + i.code + "]";
                    if (choices().boolean(100)) { code += " ? (" + true_condition() + ")"; }
                    return cast_to(type, builder.in_, {"(" + code + ")", "A(" + i.meaning + ")"});
                }
                case 1: {
                    const Both i = within("0", "3"), j = within("0", "3");
                    return cast_to(type, value::Type::u8,
                                   {"k[" + i.code + ", " + j.code + "]", "K(" + i.meaning + ", " + j.meaning + ")"});
                }
                default: {
                    const Both i = within("0", "N - 1");
                    if (builder.rank_ == 1) {
                        return cast_to(type, *builder.stage_, {"g[" + i.code + "]", "G(" + i.meaning + ")"});
                    }
                    const Both j = within("0", "M - 1");
                    const std::string at =
                        builder.is_linear_ ? i.code + " + N*(" + j.code + ")" : i.code + ", " + j.code;
                    return cast_to(type, *builder.stage_, {"g[" + at + "]", "G(" + i.meaning + ", " + j.meaning + ")"});
                }
            }
        }

        Both literal(value::Type type) {
            if (type == value::Type::boolean) {
                const std::string t = choices().boolean(500) ? "[true]" : "[false]";
                return {t, t};
            }
            const std::string text = value::to_string(random_literal(choices(), type, Numbers::tame));
            return {"(" + text + ")", "(" + text + ")"};
        }

        Both leaf(value::Type type) {
            std::vector<std::string> known;
            for (const auto& [code, value] : values) {
                if (value.first == type) { known.push_back(code); }
            }
            if (!known.empty() && choices().boolean(500)) {
                const std::string chosen = choices().one_of(known);
                return {chosen, values.at(chosen).second};
            }
            switch (choices().weighted({1, 1, 4})) {
                case 0: return literal(type);
                case 1: {
                    if (type == value::Type::boolean) {
                        const Both c = condition(0);
                        return {"[" + c.code + "]", "[" + c.meaning + "]"};
                    }
                    const Both i = index(1);
                    return {name(type) + "<" + i.code + ">", name(type) + "<" + i.meaning + ">"};
                }
                default: return access(type);
            }
        }

        Both value(value::Type type, int depth) {
            if (depth <= 0) { return leaf(type); }
            switch (choices().weighted({3, 8, 2, 2, 2, 2, 1, 2, 1})) {
                case 0: return leaf(type);
                case 1: return binary(type, depth);
                case 2: return unary(type, depth);
                case 3: {
                    const value::Type from = builder.type();
                    const Both a = value(from, depth - 1);
                    return {name(type) + "(" + a.code + ")", name(type) + "(" + a.meaning + ")"};
                }
                case 4: {
                    const Both a = value(type, depth - 1), b = value(type, depth - 1);
                    if (choices().boolean(300)) {
                        const Both c = value(value::Type::boolean, depth - 1);
                        return {"select(" + c.code + ", " + a.code + ", " + b.code + ")",
                                "select(" + c.meaning + ", " + a.meaning + ", " + b.meaning + ")"};
                    }
                    const Both c = condition(1);
                    return {"select(" + c.code + ", " + a.code + ", " + b.code + ")",
                            "select([" + c.meaning + "], " + a.meaning + ", " + b.meaning + ")"};
                }
                case 5: return lanes(type, depth);
                case 6: {
                    return within_let(1, [&](Draw& inner) { return inner.value(type, depth - 1); });
                }
                case 7: {
                    const value::Type of = builder.type();
                    const Both bound = value(of, depth - 1);
                    const std::string w = builder.fresh("w");
                    Draw inner = *this;
                    inner.values[w] = {of, bound.meaning};
                    const Both body = inner.value(type, depth - 1);
                    return {"(let " + w + " : " + name(of) + " = " + bound.code + " in " + body.code + ")",
                            body.meaning};
                }
                default: {
                    // A family of values over lanes; one lane is read.
                    const std::int64_t count = choices().integer(1, 4);
                    const std::string w = builder.fresh("w"), l = builder.fresh("l");
                    const std::string lane = std::to_string(choices().integer(0, count - 1));
                    Draw family = *this;
                    family.indices[l] = lane;
                    const Both bound = family.value(type, depth - 1);
                    return {"(let " + w + "[" + l + " < " + std::to_string(count) + "] : " + name(type) + " = " +
                                bound.code + " in " + w + "[" + lane + "])",
                            bound.meaning};
                }
            }
        }

        // The meaning at each lane is the same text with the lane's number in it.
        Both lanes(value::Type type, int depth) {
            const value::ReductionOp op = choices().one_of(value::all_reduction_ops);
            if (!sare::type_reduce(op, type)) { return leaf(type); }
            const std::string l = builder.fresh("l"), hole = "@" + l + "@";
            const std::int64_t count = choices().integer(1, 3);
            Draw inner = *this;
            inner.indices[l] = hole;
            const Both body = inner.value(type, depth - 1);
            const auto at = [&](std::int64_t lane) {
                std::string text = body.meaning;
                for (auto i = text.find(hole); i != std::string::npos; i = text.find(hole)) {
                    text.replace(i, hole.size(), std::to_string(lane));
                }
                return text;
            };
            std::string all = at(0);
            for (std::int64_t lane = 1; lane < count; ++lane) { all = applied(value::binary_op(op), all, at(lane)); }
            return {"(" + std::string(value::spelling(op)) + " lanes " + l + " < " + std::to_string(count) + " of (" +
                        body.code + "))",
                    all};
        }

        static std::string applied(value::BinaryOp op, const std::string& a, const std::string& b) {
            const std::string spelled(value::spelling(op));
            return sare::is_call(op) ? spelled + "(" + a + ", " + b + ")" : "(" + a + " " + spelled + " " + b + ")";
        }

        Both binary(value::Type type, int depth) {
            const value::BinaryOp op = choices().one_of(value::all_binary_ops);
            const value::Type operand = type == value::Type::boolean ? builder.type() : type;
            if (value::result_type(op, operand, operand) != type) { return value(type, depth - 1); }
            const Both a = value(operand, depth - 1), b = value(operand, depth - 1);
            return {applied(op, a.code, b.code), applied(op, a.meaning, b.meaning)};
        }

        Both unary(value::Type type, int depth) {
            const value::UnaryOp op = choices().one_of(value::all_unary_ops);
            if (value::result_type(op, type) != type) { return value(type, depth - 1); }
            const Both a = value(type, depth - 1);
            const std::string spelled(value::spelling(op));
            return {"(" + spelled + "(" + a.code + "))", "(" + spelled + "(" + a.meaning + "))"};
        }
    };

    // --- Statements ---

    std::string compute(const std::string& array, const std::string& tensor, value::Type type, std::string& spec) {
        const int depth = static_cast<int>(choices_.integer(1, 3));
        Draw draw{*this};
        draw.indices["x"] = "x";
        if (rank_ == 2) { draw.indices["y"] = "y"; }
        const std::string at = rank_ == 1 ? "x" : "x, y";
        std::string hoisted;
        // Lets of indices and values around the write.
        if (choices_.boolean(250)) {
            const Both bound = draw.index(2);
            const std::string z = fresh("z");
            hoisted += "let " + z + " = " + bound.code + "; ";
            draw.indices[z] = "(" + bound.meaning + ")";
        }
        if (choices_.boolean(300)) {
            const value::Type of = this->type();
            const Both bound = draw.value(of, 1);
            const std::string v = fresh("v");
            hoisted += "let " + v + " : " + name(of) + " = " + bound.code + "; ";
            draw.values[v] = {of, bound.meaning};
        }
        if (choices_.boolean(150)) {
            const Both bound = draw.condition(1);
            hoisted += "let " + fresh("c") + " = " + bound.code + "; ";
        }
        const Both e = draw.value(type, depth);
        spec += "  " + tensor + "(" + at + ") : " + name(type) + " = " + e.meaning + "\n";
        const std::string cell = array == "g" && is_linear_ && rank_ == 2 ? "x + N*y" : at;
        const std::string prophecy = choices_.boolean(900) ? " {" + tensor + "(" + at + ")}" : "";
        const std::string write = array + "[" + cell + "]" + prophecy + " := " + e.code;
        return loops(hoisted, statement(draw, write, array, cell, tensor + "(" + at + ")", type, e));
    }

    struct Statement {
        std::string text;
        bool is_write = false;  // whether it is a single assignment, which may have lanes
    };

    Statement statement(Draw& draw, const std::string& write, const std::string& array, const std::string& cell,
                        const std::string& prophesied, value::Type type, const Both& e) {
        const std::string twice = write + "; ";
        switch (choices_.weighted({6, 1, 1, 1, 1, 1, 1, 1, 1})) {
            case 0: return {write + ";", true};
            case 1: return {"if " + draw.condition(1).code + " { " + write + "; } else { " + write + "; }"};
            case 2: {
                const std::string v = fresh("v");
                return {"let " + v + " : " + name(type) + " = " + e.code + "; " + array + "[" + cell + "] {" +
                        prophesied + "} := " + v + ";"};
            }
            case 3: return {twice + write + ";"};
            case 4: return {"atomic { " + write + "; }"};
            case 5: {
                const std::string t = fresh("t");
                const std::string dimensions =
                    choices_.one_of(std::vector<std::string>{"1", "2 from 0", "1 from -0", "3 stride 1", "x + 1"});
                return {"allocate " + t + " : " + name(type) + "[" + dimensions + "]; " + t + "[0] {" + prophesied +
                        "} := " + e.code + "; " + array + "[" + cell + "] {" + prophesied + "} := " + t + "[0];" +
                        (choices_.boolean(300) ? " free " + t + ";" : "")};
            }
            case 6: return {write + ", " + write + ";", true};
            case 7: return {"skip; " + write + "; assert " + draw.true_condition() + " \"always\";"};
            default: {
                // Accumulates 0 by a sum after the write.
                if (!sare::type_reduce(value::ReductionOp::sum, type) || value::is_float(type) ||
                    type == value::Type::boolean) {
                    return {write + ";", true};
                }
                return {write + "; accumulate " + array + " { " + array + "[" + cell + "] += {} " + name(type) +
                        "<0>; }"};
            }
        }
    }

    std::string loop_word() {
        return choices_.one_of(std::vector<std::string>{"for", "for", "for", "par", "vector", "unrolled"});
    }

    // Wraps the statement in loops over all x and, for rank 2, all y.
    std::string loops(const std::string& hoisted, const Statement& inside) {
        const std::string row = along("x", "N", inside.text, inside.is_write && hoisted.empty(), hoisted);
        return rank_ == 2 ? "    " + loop_word() + " y in [0, M) { " + row + " }\n" : "    " + row + "\n";
    }

    std::string along(const std::string& x, const std::string& size, const std::string& text, bool may_have_lanes,
                      const std::string& hoisted) {
        const std::string body = hoisted + text, loop = loop_word(), second = loop_word();
        switch (choices_.weighted({4, 2, 2, 1, may_have_lanes ? 4 : 0, 1})) {
            case 0: return loop + " " + x + " in [0, " + size + ") { " + body + " }";
            case 1:
                return loop + " t in [0, (" + size + " + 3)/4) { " + second + " i in [0, 4) { let " + x +
                       " = 4*t + i; if " + x + " < " + size + " { " + body + " } } }";
            case 2:
                return loop + " t in [0, (" + size + " + 3)/4) { " + second + " i in [0, 4) { let " + x +
                       " = min(4*t, " + size + " - 4) + i; " + body + " } }";
            case 3: return loop + " r in [0, " + size + ") { let " + x + " = " + size + " - 1 - r; " + body + " }";
            case 4: {
                // Lanes take the place of x.
                const bool is_guarded = choices_.boolean(500);
                const std::string at = is_guarded ? "4*t + l" : "min(4*t, " + size + " - 4) + l";
                const std::string condition = is_guarded ? " if 4*t + l < " + size + " do" : "";
                std::string write = text;
                for (std::size_t i = 0; i < write.size(); ++i) {
                    const auto is_part = [](char c) {
                        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
                    };
                    const bool is_x = write[i] == 'x' && (i == 0 || !is_part(write[i - 1])) &&
                                      (i + 1 == write.size() || !is_part(write[i + 1]));
                    if (!is_x) { continue; }
                    write.replace(i, 1, "(" + at + ")");
                    i += at.size() + 1;
                }
                return loop + " t in [0, (" + size + " + 3)/4) { lanes l < 4 do" + condition + " " + write + " }";
            }
            default:
                return loop + " " + x + " in [0, 2) { " + body + " } " + second + " " + x + " in [2, " + size + ") { " +
                       body + " }";
        }
    }

    // --- Noise ---

    std::string noise() {
        SchedStyle style;
        style.depth = 2;
        style.nesting = choices_.boolean(300) ? 5 : 3;
        style.shadowing = false;
        style.numbers = choices_.boolean(150) ? Numbers::wild : Numbers::tame;
        style.forks = choices_.boolean(350);
        SchedBuilder builder(choices_, style);
        builder.add_variable("N", sched::Kind::index);
        builder.add_variable("M", sched::Kind::index);
        builder.add_array("n0", {value::Type::i32, 1});
        builder.add_array("n1", {value::Type::u8, 2});
        sched::Block block = builder.block();
        tame(block);
        // Two blocks may declare the same names, so only the first is placed directly in the body.
        std::string text;
        if (std::exchange(is_bare_, false)) {
            for (const sched::Stmt& statement : block) { text += sched::print(statement, 1) + "\n"; }
        } else {
            text =
                sched::print(sched::Stmt{sched::If{sched::Expr{sched::Truth{true}}, std::move(block), {}}}, 1) + "\n";
        }
        return text.empty() ? "  skip;\n" : text;
    }

    sched::Expr modulo(sched::Expr index, std::int64_t n) {
        return {sched::IndexBinary{sched::IndexOp::mod, std::move(index), sched::Expr{sched::Integer{n}}}};
    }

    // Makes most accesses stay in bounds and most loops short.
    void tame(sched::Block& block) {
        for (sched::Stmt& statement : block) {
            sched::for_each_part(statement, [&](sched::Expr& part) { tame(part); });
            if (auto* s = std::get_if<sched::For>(&statement.node); s != nullptr && choices_.boolean(970)) {
                s->extent = modulo(std::move(s->extent), 4);
            }
            if (auto* s = std::get_if<sched::Allocate>(&statement.node)) {
                for (sched::Dimension& d : s->dimensions) {
                    if (choices_.boolean(970)) { d.extent = modulo(std::move(d.extent), 5); }
                }
            }
            if (auto* s = std::get_if<sched::Assert>(&statement.node); s != nullptr && choices_.boolean(950)) {
                s->condition = {sched::Or{sched::Expr{sched::Truth{true}}, sched::Expr{sched::Truth{true}}}};
            }
            if (auto* s = std::get_if<sched::Assign>(&statement.node)) {
                for (sched::Write& write : s->writes) { tame_subscripts(write.array, write.indices); }
            }
            sched::for_each_block(statement, [&](sched::Block& inner) { tame(inner); });
        }
    }

    void tame(sched::Expr& expr) {
        sched::for_each_part(expr, [&](sched::Expr& part) { tame(part); });
        if (auto* load = std::get_if<sched::Load>(&expr.node)) { tame_subscripts(load->array, load->indices); }
    }

    void tame_subscripts(const std::string& array, std::vector<sched::Expr>& indices) {
        for (sched::Expr& index : indices) {
            if (choices_.boolean(950)) { index = modulo(std::move(index), array == "n0" ? 8 : array == "n1" ? 4 : 2); }
        }
    }

    Choices& choices_;
    value::Type in_ = value::Type::i32;
    int rank_ = 1;
    std::optional<value::Type> stage_;
    bool is_linear_ = false;
    bool is_bare_ = true;
    int count_ = 0;
};

inline Specimen draw_specimen(std::uint64_t seed) {
    Choices choices(random_source(seed));
    Specimen specimen = SpecimenBuilder(choices).draw();
    if (!choices.boolean(500)) { return specimen; }
    const auto program = sched::parse_program(specimen.program, "specimen");
    if (!program) { return specimen; }
    const auto all = mutants::sched::mutations(*program);
    if (all.empty()) { return specimen; }
    const auto k = static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(all.size()) - 1));
    specimen.program = sched::print(mutants::sched::apply(*program, all[k]));
    specimen.is_mutated = true;
    return specimen;
}

}  // namespace haruspex::testing
