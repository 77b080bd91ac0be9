#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/generators/value/halide_expr.h"
#include "tests/generators/value/samples.h"
#include "tests/generators/value/tally.h"
#include "tests/support/catch.h"

// Compares every operator with Halide's generated code: scalar and vector code, and for floats with and without
// strict_float.
namespace haruspex::value {
namespace {

constexpr const char* target_name = "x86-64-linux-avx-avx2-f16c-fma-sse41";

struct Mode {
    bool vectorized = false;
    bool strict = false;
};
constexpr std::array<Mode, 4> all_modes{{{false, false}, {true, false}, {false, true}, {true, true}}};

std::string describe(Type type, Mode mode) {
    return std::string(name(type)) + (mode.vectorized ? ", vector" : ", scalar") +
           (mode.strict ? ", strict_float" : "");
}

Halide::Buffer<> to_buffer(Type type, const std::vector<Value>& values) {
    Halide::Buffer<> buffer(halide_type(type), static_cast<int>(values.size()));
    auto* cell = static_cast<char*>(buffer.data());
    for (const Value& v : values) {
        const std::uint64_t pattern = v.bit_pattern();
        std::memcpy(cell, &pattern, static_cast<std::size_t>(bytes(type)));  // little-endian
        cell += bytes(type);
    }
    return buffer;
}

std::vector<Value> from_buffer(Type type, const Halide::Buffer<>& buffer) {
    std::vector<Value> values;
    const auto* cell = static_cast<const char*>(buffer.data());
    for (int i = 0; i < buffer.dim(0).extent(); ++i) {
        std::uint64_t pattern = 0;
        std::memcpy(&pattern, cell, static_cast<std::size_t>(bytes(type)));
        values.push_back(Value::from_bits(type, pattern));
        cell += bytes(type);
    }
    return values;
}

struct Output {
    Type type;
    Halide::Expr e;
};

// Compiles f(x) = Tuple(outputs), vectorized to the widest vectors of `type`, and runs it over all cells.
std::vector<std::vector<Value>> run(const std::vector<Output>& outputs, const Halide::Var& x, Type type,
                                    std::size_t cells, Mode mode) {
    std::vector<Halide::Expr> components;
    for (const Output& o : outputs) { components.push_back(o.e); }
    Halide::Func f("f");
    f(x) = Halide::Tuple(components);
    if (mode.vectorized) { f.vectorize(x, 256 / (8 * bytes(type)), Halide::TailStrategy::GuardWithIf); }
    const Halide::Target target(std::string(target_name) + (mode.strict ? "-strict_float" : ""));
    Halide::Realization realization = f.realize({static_cast<int>(cells)}, target);
    std::vector<std::vector<Value>> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        results.push_back(from_buffer(outputs[i].type, Halide::Buffer<>(realization[i])));
    }
    return results;
}

bool agree(const Value& a, const Value& b, Mode mode) { return mode.strict ? same_result(a, b) : same_number(a, b); }

bool is_comparison(BinaryOp op) { return op >= BinaryOp::eq && op <= BinaryOp::ge; }

// Left out, since Halide disagrees with itself or its documentation:
// - strict_float covers only float expressions. A comparison whose result is stored, or selects between integers, is
//   compiled with LLVM's "no NaNs" flag all the same (Halide 14, scalar f32 code: NaN == 0.0f is true under
//   strict_float). "comparisons of NaN inside float expressions" below checks what strict_float does cover.
bool compares_nan(BinaryOp op, const Value& a, const Value& b) {
    return is_comparison(op) && (a.is_nan() || b.is_nan());
}
// - abs(-0.0) under strict_float is -0.0 in f64 code and +0.0 in f32 code (Halide 14: select(x >= 0, x, -x) in one,
//   a mask in the other).
bool is_abs_of_minus_zero(UnaryOp op, const Value& a) { return op == UnaryOp::absolute && a == Value::f64(-0.0); }

TEST_CASE("unary operators give what compiled code gives") {
    std::size_t compared = 0;
    for (const Type type : halide_types) {
        const std::vector<Value> a = operand_pairs(type, 4000, 1).a;
        const Halide::Buffer<> buffer = to_buffer(type, a);
        const Halide::Var x("x");
        std::vector<UnaryOp> ops;
        std::vector<Output> outputs;
        for (const UnaryOp op : all_unary_ops) {
            if (const auto result = result_type(op, type)) {
                ops.push_back(op);
                outputs.push_back({*result, halide_apply(op, buffer(x))});
            }
        }
        if (ops.empty()) { continue; }
        for (const Mode mode : all_modes) {
            if (mode.strict && !is_float(type)) { continue; }
            const auto results = run(outputs, x, type, a.size(), mode);
            Tally tally;
            for (std::size_t k = 0; k < ops.size(); ++k) {
                for (std::size_t i = 0; i < a.size(); ++i) {
                    const Value ours = apply(ops[k], a[i]);
                    if (!ours.is_defined() || (!mode.strict && !is_finite(a[i])) ||
                        is_abs_of_minus_zero(ops[k], a[i])) {
                        continue;
                    }
                    tally.compare(std::string(spelling(ops[k])), to_string(a[i]), ours, results[k][i],
                                  agree(ours, results[k][i], mode));
                }
            }
            INFO(describe(type, mode) << "\n" << tally.disagreements());
            CHECK(tally.disagreements().empty());
            compared += tally.compared();
        }
    }
    CHECK(compared > 300000);
}

TEST_CASE("binary operators give what compiled code gives") {
    std::size_t compared = 0;
    for (const Type type : halide_types) {
        const auto [a, b] = operand_pairs(type, 4000, 2);
        const Halide::Buffer<> first = to_buffer(type, a);
        const Halide::Buffer<> second = to_buffer(type, b);
        const Halide::Var x("x");
        std::vector<BinaryOp> ops;
        std::vector<Output> outputs;
        for (const BinaryOp op : all_binary_ops) {
            if (const auto result = result_type(op, type, type)) {
                ops.push_back(op);
                outputs.push_back({*result, halide_apply(op, first(x), second(x))});
            }
        }
        for (const Mode mode : all_modes) {
            if (mode.strict && !is_float(type)) { continue; }
            const auto results = run(outputs, x, type, a.size(), mode);
            Tally tally;
            for (std::size_t k = 0; k < ops.size(); ++k) {
                for (std::size_t i = 0; i < a.size(); ++i) {
                    const Value ours = apply(ops[k], a[i], b[i]);
                    if (!ours.is_defined() || compares_nan(ops[k], a[i], b[i])) { continue; }
                    if (!mode.strict && !promised_without_strict_float(ops[k], a[i], b[i], ours)) { continue; }
                    tally.compare(std::string(spelling(ops[k])), to_string(a[i]) + ", " + to_string(b[i]), ours,
                                  results[k][i], agree(ours, results[k][i], mode));
                }
            }
            INFO(describe(type, mode) << "\n" << tally.disagreements());
            CHECK(tally.disagreements().empty());
            compared += tally.compared();
        }
    }
    CHECK(compared > 5000000);
}

// <= and >= are still left out, because CodeGen_X86.cpp compiles a <= b as !(b < a) even with strict_float (Halide 14:
// select(NaN <= 0.0f, 1.0f, 2.0f) is 1.0f).
bool is_negated_by_halide(BinaryOp op) { return op == BinaryOp::le || op == BinaryOp::ge; }

TEST_CASE("comparisons of NaN inside float expressions give what compiled code gives") {
    for (const Type type : {Type::f32, Type::f64}) {
        const auto [a, b] = operand_pairs(type, 4000, 3);
        const Halide::Buffer<> first = to_buffer(type, a);
        const Halide::Buffer<> second = to_buffer(type, b);
        const Halide::Var x("x");
        const Value one = Value::integer(type, 1);
        const Value two = Value::integer(type, 2);
        std::vector<BinaryOp> ops;
        std::vector<Output> outputs;
        for (const BinaryOp op : all_binary_ops) {
            if (!is_comparison(op)) { continue; }
            ops.push_back(op);
            outputs.push_back({type, Halide::select(halide_apply(op, first(x), second(x)), halide_constant(one),
                                                    halide_constant(two))});
        }
        for (const Mode mode : {Mode{false, true}, Mode{true, true}}) {
            const auto results = run(outputs, x, type, a.size(), mode);
            Tally tally;
            for (std::size_t k = 0; k < ops.size(); ++k) {
                for (std::size_t i = 0; i < a.size(); ++i) {
                    if (is_negated_by_halide(ops[k]) && compares_nan(ops[k], a[i], b[i])) { continue; }
                    const Value ours = select(apply(ops[k], a[i], b[i]), one, two);
                    tally.compare(std::string(spelling(ops[k])), to_string(a[i]) + ", " + to_string(b[i]), ours,
                                  results[k][i], same_result(ours, results[k][i]));
                }
            }
            INFO(describe(type, mode) << "\n" << tally.disagreements());
            CHECK(tally.disagreements().empty());
            CHECK(tally.compared() > 40000);
        }
    }
}

TEST_CASE("casts between all pairs of types give what compiled code gives") {
    std::size_t compared = 0;
    for (const Type from : halide_types) {
        const std::vector<Value> a = operand_pairs(from, 4000, 4).b;
        const Halide::Buffer<> buffer = to_buffer(from, a);
        const Halide::Var x("x");
        std::vector<Output> outputs;
        for (const Type to : halide_types) { outputs.push_back({to, halide_cast(to, buffer(x))}); }
        for (const Mode mode : all_modes) {
            const auto results = run(outputs, x, from, a.size(), mode);
            Tally tally;
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                for (std::size_t i = 0; i < a.size(); ++i) {
                    const Value ours = cast(outputs[k].type, a[i]);
                    if (!ours.is_defined() || (!mode.strict && (!is_finite(a[i]) || !is_finite(ours)))) { continue; }
                    // The cast compares with zero, as above.
                    if (outputs[k].type == Type::boolean && a[i].is_nan()) { continue; }
                    tally.compare(std::string("to ").append(name(outputs[k].type)), to_string(a[i]), ours,
                                  results[k][i], agree(ours, results[k][i], mode));
                }
            }
            INFO(describe(from, mode) << "\n" << tally.disagreements());
            CHECK(tally.disagreements().empty());
            compared += tally.compared();
        }
    }
    CHECK(compared > 3000000);
}

TEST_CASE("select gives what compiled code gives") {
    for (const Type type : halide_types) {
        const auto [a, b] = operand_pairs(type, 1000, 5);
        Choices choices(random_source(6));
        std::vector<Value> conditions;
        for (std::size_t i = 0; i < a.size(); ++i) { conditions.push_back(Value::boolean(choices.boolean(500))); }
        const Halide::Buffer<> condition = to_buffer(Type::boolean, conditions);
        const Halide::Buffer<> first = to_buffer(type, a);
        const Halide::Buffer<> second = to_buffer(type, b);
        const Halide::Var x("x");
        for (const Mode mode : all_modes) {
            const auto results =
                run({{type, Halide::select(condition(x), first(x), second(x))}}, x, type, a.size(), mode);
            Tally tally;
            for (std::size_t i = 0; i < a.size(); ++i) {
                if (!mode.strict && !(is_finite(a[i]) && is_finite(b[i]))) { continue; }
                const Value ours = select(conditions[i], a[i], b[i]);
                tally.compare("select", to_string(conditions[i]) + ", " + to_string(a[i]) + ", " + to_string(b[i]),
                              ours, results[0][i], agree(ours, results[0][i], mode));
            }
            INFO(describe(type, mode) << "\n" << tally.disagreements());
            CHECK(tally.disagreements().empty());
            CHECK(tally.compared() >= 4);
        }
    }
}

}  // namespace
}  // namespace haruspex::value
