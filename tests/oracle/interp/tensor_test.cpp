#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/parser.h"
#include "generators/tensor/print.h"
#include "generators/tensor/to_sare.h"
#include "generators/tensor/wellformed.h"
#include "oracle/interp/tensor_interpreter.h"
#include "tests/oracle/interp/tensor_support.h"
#include "tests/support/catch.h"
#include "tests/support/random_tensor.h"

// The evaluation of programs of whole tensors (Rink's report, sections 3 and 4).
namespace haruspex::interp {
namespace {

using tensor::ElementOp;
using value::Type;
using value::Value;

constexpr std::uint64_t rounds = 10'000;  // for each theorem

tensor::Program parsed(const std::string& text) {
    const auto program = tensor::parse_program(text, "t");
    INFO((program ? std::string() : to_string(program.error())));
    REQUIRE(program.has_value());
    return *program;
}

Value i32(std::int64_t v) { return Value::integer(Type::i32, v); }

bool is_zero(const Value& v) { return value::same_number(v, Value::from_bits(v.type(), 0)); }

// ⊥ in both, or the same number.
bool agree(const Value& a, const Value& b) {
    return a.is_defined() && b.is_defined() ? value::same_number(a, b) : a == b;
}

// The exact store and the padded one hold the same on the original extents.
bool agree_inside(const Store& exact, const Store& padded) {
    for (const auto& [name, tensor] : padded) {
        const StoredTensor& other = exact.at(name);
        std::size_t place = 0;
        for (std::size_t p = 0; p < tensor.cells.size(); ++p) {
            if (tensor.is_padding(p)) { continue; }
            if (place == other.cells.size() || !agree(other.cells[place++], tensor.cells[p])) { return false; }
        }
        if (place != other.cells.size()) { return false; }
    }
    return true;
}

bool has_zero_padding(const Store& store) {
    for (const auto& [name, tensor] : store) {
        for (std::size_t p = 0; p < tensor.cells.size(); ++p) {
            if (tensor.is_padding(p) && !is_zero(tensor.cells[p])) { return false; }
        }
    }
    return true;
}

// The conditions of Theorem 3 on machine numbers: values are exact, so that sums may be taken in any order and no
// product with a padded 0 is NaN.
const testing::TensorPrograms exact_numbers{{Type::i32, Type::u8, Type::i64}, true};

// By the syntax of the program alone, from Figure 12: the contractions over an extent that is rounded up add terms of
// the padding; all other equations take elements within an index from elements within it. What is assigned from a
// variable that depends on padding does, too.
bool depends_on_padding(const tensor::Expr& expr, const tensor::Context& context, std::int64_t multiple,
                        const std::set<std::string>& tainted) {
    tensor::NodeTypes types;
    const tensor::Extents constants({}, sare::truth(true));
    REQUIRE(tensor::type_of(expr, context, constants, &types).has_value());
    bool found = false;
    tensor::for_each_node(expr, [&](const tensor::Expr& node) {
        if (const auto* variable = std::get_if<tensor::Variable>(&node.node)) {
            found = found || tainted.contains(variable->name);
        }
        if (const auto* contraction = std::get_if<tensor::Contraction>(&node.node)) {
            const auto d = static_cast<std::size_t>(contraction->dimensions.first - 1);
            const auto extent = sare::evaluate(types.at(&*contraction->a).extents[d], {});
            found = found || extent % multiple != 0;
        }
    });
    return found;
}

}  // namespace

TEST_CASE("Definition 4: what is computed from the undefined value is undefined") {
    const Value undef = Value::undef(Type::i32);
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::mul, ElementOp::div}) {
        CHECK(apply_extended(op, i32(3), undef) == undef);
        CHECK(apply_extended(op, undef, i32(3)) == undef);
        CHECK(apply_extended(op, undef, undef) == undef);
    }
    CHECK(apply_extended(ElementOp::add, i32(0), undef) == undef);
    CHECK(apply_extended(ElementOp::div, i32(3), i32(0)) == undef);
    CHECK(apply_extended(ElementOp::div, undef, i32(0)) == undef);
    CHECK(apply_extended(ElementOp::div, Value::f32(3), Value::f32(-0.0F)) == Value::undef(Type::f32));
    CHECK(apply_extended(ElementOp::sub, i32(3), i32(5)) == i32(-2));
    CHECK(apply_extended(ElementOp::div, i32(-7), i32(2)) == i32(-4));
}

TEST_CASE("Definition 8: zero divided by anything is zero, and so is its product with the undefined value") {
    const Value undef = Value::undef(Type::i32);
    CHECK(apply_extended(ElementOp::div, i32(0), i32(0)) == i32(0));
    CHECK(apply_extended(ElementOp::div, i32(0), i32(7)) == i32(0));
    CHECK(apply_extended(ElementOp::div, i32(0), undef) == i32(0));
    CHECK(apply_extended(ElementOp::div, Value::f64(0), Value::f64(0)) == Value::f64(0));
    CHECK(apply_extended(ElementOp::mul, i32(0), undef) == i32(0));
    CHECK(apply_extended(ElementOp::mul, undef, i32(0)) == i32(0));
}

TEST_CASE("a zero does not hide what nobody has filled") {
    const Value uninit = Value::uninit(Type::i32);
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::mul, ElementOp::div}) {
        CHECK(apply_extended(op, i32(0), uninit) == uninit);
        CHECK(apply_extended(op, uninit, i32(0)) == uninit);
    }
}

TEST_CASE("Definition 7: extents are rounded up to multiples") {
    const tensor::Context context{{"x", {Type::f32, {sare::constant(1), sare::constant(4), sare::constant(5)}}}};
    const auto extents = [&](std::int64_t multiple) {
        std::vector<std::int64_t> found;
        const tensor::Context up = rounded(context, multiple);
        for (const sare::Index& extent : up.at("x").extents) { found.push_back(sare::evaluate(extent, {})); }
        return found;
    };
    CHECK(extents(1) == std::vector<std::int64_t>{1, 4, 5});
    CHECK(extents(4) == std::vector<std::int64_t>{4, 4, 8});
    CHECK(extents(7) == std::vector<std::int64_t>{7, 7, 7});
}

TEST_CASE("d-var fills all cells, and d-pad-var the padding") {
    const auto program = parsed("var x : i32[2 3]");
    const auto context = tensor::context_of(program);
    const auto initial = [](const std::string&, const std::vector<std::int64_t>& i) {
        return i32(10 + i[0] + 10 * i[1]);
    };
    const Store exact = done(d_var(context, initial));
    CHECK(exact.at("x").cells == std::vector<Value>{i32(10), i32(11), i32(20), i32(21), i32(30), i32(31)});
    const Store padded = done(d_pad_var(context, initial, {2, Filling::zero}));
    CHECK(padded.at("x").allocated == std::vector<std::int64_t>{2, 4});
    CHECK(padded.at("x").cells ==
          std::vector<Value>{i32(10), i32(11), i32(20), i32(21), i32(30), i32(31), i32(0), i32(0)});
    CHECK(done(d_pad_var(context, initial, {2, Filling::uninit})).at("x").cells.back().is_uninit());
    CHECK(!d_var(context, initial, {.most_cells = 5}).has_value());
}

TEST_CASE("equations (7) to (18) give the elements of expressions") {
    const auto program = parsed(
        "var A : i32[2 3] var B : i32[3 2] var s : i32[] var C : i32[2 2] var t : i32[] var P : i32[2 3 3 2]\n"
        "P = A # B\n"
        "C = P . [3 2]\n"
        "t = C . [1 2]\n"
        "C = s * (C - (C ^ [1 2])) / s\n"
        "A = A * A + (B ^ [2 1])\n");
    const auto initial = small_numbers(program);
    const auto at = [&](const char* name, std::vector<std::int64_t> i) { return initial(name, i).as_signed(); };
    const Store store = done(ev_prog(program, {}, initial));
    const auto cell = [&](const char* name, const std::vector<std::int64_t>& i) {
        return store.at(name).cells[store.at(name).place(i)];
    };
    std::int64_t trace = 0;
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t k = 0; k < 3; ++k) {
            for (std::int64_t l = 0; l < 3; ++l) {
                for (std::int64_t j = 0; j < 2; ++j) {
                    CHECK(cell("P", {i, k, l, j}) == i32(at("A", {i, k}) * at("B", {l, j})));
                }
            }
            CHECK(cell("A", {i, k}) == i32(at("A", {i, k}) * at("A", {i, k}) + at("B", {k, i})));
            trace += at("A", {i, k}) * at("B", {k, i});
        }
        CHECK(cell("C", {i, i}) == i32(0));  // also if s is 0
    }
    CHECK(cell("t", {}) == i32(trace));
}

TEST_CASE("an assignment evaluates all elements before it stores one") {
    const auto program = parsed("var x : i32[2 2] x = x ^ [1 2]");
    const Store store = done(ev_prog(
        program, {}, [](const std::string&, const std::vector<std::int64_t>& i) { return i32(i[0] + 10 * i[1]); }));
    CHECK(store.at("x").cells == std::vector<Value>{i32(0), i32(10), i32(1), i32(11)});
}

TEST_CASE("a program that asks for too much ends with an error") {
    const auto program = parsed("program p(N) assuming N >= 1 var x : i32[N N] var s : i32[] s = x . [1 2]");
    const auto initial = small_numbers(program);
    CHECK(ev_prog(program, {{"N", 10}}, initial, {.most_steps = 11}).has_value());
    CHECK(!ev_prog(program, {{"N", 10}}, initial, {.most_steps = 10}).has_value());
    CHECK(!ev_prog(program, {{"N", 1000000000}}, initial).has_value());
    CHECK(!ev_prog(program, {{"N", 0}}, initial).has_value());
    CHECK(!ev_prog(program, {}, initial).has_value());
    CHECK_THROWS_AS(
        ev_prog(parsed("var input x : i32[3]"), {}, [](const auto&, const auto&) { return Value::undef(Type::i32); }),
        InternalError);
}

// The figures of the report, at smaller extents.
TEST_CASE("each example of the report evaluates to what a system of equations written by hand gives") {
    struct Example {
        std::string program, sare;
    };
    const std::vector<Example> examples{
        // Figures 2 and 3: declarations alone; here each is copied.
        {"var x : i32[3 4 5] var output y : i32[3 4 5] y = x",
         "input x : i32[3] y(i, j, k) = x(i, j, k) output y on { [i, j, k] : 0 <= i < 3 and 0 <= j < 4 and 0 <= k < 5 "
         "}"},
        {"var s : i32[] var output t : i32[] t = s", "input s : i32[0] t() = s() output t on { [] : true }"},
        // Figure 4: the product of matrices.
        {"var A : i32[3 4] var B : i32[4 5] var output C : i32[3 5] C = (A # B) . [2 3]",
         "input A : i32[2] input B : i32[2] C(i, j) = sum over { [k] : 0 <= k < 4 } of (A(i, k) * B(k, j))"
         " output C on { [i, j] : 0 <= i < 3 and 0 <= j < 5 }"},
        // Figure 5: the trace of a product.
        {"var A : i32[3 4] var B : i32[4 3] var output s : i32[] s = ((A # B) . [2 3]) . [1 2]",
         "input A : i32[2] input B : i32[2]"
         " s() = sum over { [i, k] : 0 <= i < 3 and 0 <= k < 4 } of (A(i, k) * B(k, i)) output s on { [] : true }"},
        // Figure 6: a transposition.
        {"var u : i32[2 3 4 5 6] var output v : i32[2 5 4 3 6] v = u ^ [2 4]",
         "input u : i32[5] v(a, b, c, d, e) = u(a, d, c, b, e) output v on { [a, b, c, d, e] :"
         " 0 <= a < 2 and 0 <= b < 5 and 0 <= c < 4 and 0 <= d < 3 and 0 <= e < 6 }"},
    };
    for (const auto& [text, equations] : examples) {
        INFO(text);
        const auto program = parsed(text);
        const auto sare = sare::parse_sare("sare by_hand() { " + equations + " }", "by hand");
        INFO((sare ? std::string() : to_string(sare.error())));
        REQUIRE(sare.has_value());
        const auto initial = small_numbers(program);
        const auto outputs = evaluate_outputs(*sare, {}, initial);
        REQUIRE(outputs.has_value());
        REQUIRE(outputs->size() == 1);
        for (const std::int64_t multiple : {1, 4}) {
            const Store store = done(ev_pad_prog(program, {}, initial, {multiple, Filling::zero}));
            const StoredTensor& found = store.at(outputs->front().tensor);
            std::vector<Value> cells;
            for (std::size_t p = 0; p < found.cells.size(); ++p) {
                if (!found.is_padding(p)) { cells.push_back(found.cells[p]); }
            }
            CHECK(cells == outputs->front().cells);
        }
    }
}

// Access outside a tensor is an InternalError.
TEST_CASE(
    "Theorem 1 and Corollaries 1 and 2: well-formed programs are evaluated, uniquely and without access outside") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const Drawn drawn = draw(seed, {{Type::i32, Type::u8, Type::f32}, true});
        INFO("seed " << seed << "\n" << tensor::print(drawn.program));
        const auto initial = small_numbers(drawn.program, 50);
        const Store store = done(ev_prog(drawn.program, drawn.sizes, initial));
        REQUIRE(store.size() == drawn.program.declarations.size());
        const Store again = done(ev_prog(drawn.program, drawn.sizes, initial));
        for (const auto& [name, tensor] : store) { REQUIRE(tensor.cells == again.at(name).cells); }
    }
}

TEST_CASE("Theorem 2 and Corollary 3: padding of zeros stays zero, and nothing outside of it is accessed") {
    std::size_t padded = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const Drawn drawn = draw(seed, exact_numbers);
        INFO("seed " << seed << " M " << drawn.multiple << "\n" << tensor::print(drawn.program));
        const Store store = done(
            ev_pad_prog(drawn.program, drawn.sizes, small_numbers(drawn.program, 50), {drawn.multiple, Filling::zero}));
        REQUIRE(has_zero_padding(store));
        padded += std::ranges::any_of(store, [](const auto& of) { return of.second.extents != of.second.allocated; });
    }
    CHECK(padded > rounds / 2);
}

TEST_CASE("Theorem 3: evaluation with padding simulates the exact one") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const Drawn drawn = draw(seed, exact_numbers);
        INFO("seed " << seed << " M " << drawn.multiple << "\n" << tensor::print(drawn.program));
        const auto initial = small_numbers(drawn.program, 50);
        const Store exact = done(ev_prog(drawn.program, drawn.sizes, initial));
        const Store padded = done(ev_pad_prog(drawn.program, drawn.sizes, initial, {drawn.multiple, Filling::zero}));
        REQUIRE(agree_inside(exact, padded));
    }
}

TEST_CASE("the first difference is the first cell within the extents that padding changes") {
    const tensor::Program program = parsed(
        "var input A : i32[2 3] var input B : i32[3 2] var output C : i32[2 2] var output D : i32[2 3]"
        " D = A + A C = (A # B) . [2 3]");
    const auto initial = small_numbers(program);
    const Store exact = done(ev_prog(program, {}, initial));
    const std::vector<std::string> outputs = tensor::outputs_of(program);
    CHECK_FALSE(first_difference(exact, done(ev_pad_prog(program, {}, initial, {4, Filling::zero})), outputs));
    const Store padded = done(ev_pad_prog(program, {}, initial, {4, Filling::uninit}));
    const auto found = first_difference(exact, padded, outputs);
    REQUIRE(found);
    CHECK(found->variable == "C");
    CHECK(found->indices == std::vector<std::int64_t>{0, 0});
    CHECK(found->exact == exact.at("C").cells[0]);
    CHECK(found->padded.is_uninit());
    // Of D padding changes nothing within the extents.
    CHECK_FALSE(first_difference(exact, padded, {"D"}));
    Store other = exact;
    other.at("D").cells[3] = i32(100);
    const auto changed = first_difference(exact, other, {"C", "D"});
    REQUIRE(changed);
    CHECK(changed->indices == std::vector<std::int64_t>{1, 1});
    CHECK(changed->padded == i32(100));
}

TEST_CASE("what depends on padding that nobody has filled is what the syntax says") {
    std::size_t dependent = 0;
    std::size_t independent = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const Drawn drawn = draw(seed, {{Type::i64}, false});
        INFO("seed " << seed << " M " << drawn.multiple << "\n" << tensor::print(drawn.program));
        const auto context = tensor::context_at(drawn.program, drawn.sizes);
        REQUIRE(context.has_value());
        std::set<std::string> tainted;
        for (const tensor::Statement& s : drawn.program.statements) {
            if (depends_on_padding(s.value, *context, drawn.multiple, tainted)) {
                tainted.insert(s.target);
            } else {
                tainted.erase(s.target);
            }
        }
        const Store store = done(
            ev_pad_prog(drawn.program, drawn.sizes, small_numbers(drawn.program), {drawn.multiple, Filling::uninit}));
        for (const auto& [name, tensor] : store) {
            bool uninit = false;
            for (std::size_t p = 0; p < tensor.cells.size(); ++p) {
                uninit = uninit || (!tensor.is_padding(p) && tensor.cells[p].is_uninit());
            }
            INFO(name);
            REQUIRE(uninit == tainted.contains(name));
            (uninit ? dependent : independent) += 1;
        }
        if (!tainted.empty()) { continue; }
        // Then noise makes no difference, either.
        const auto initial = small_numbers(drawn.program);
        REQUIRE(agree_inside(
            done(ev_prog(drawn.program, drawn.sizes, initial)),
            done(ev_pad_prog(drawn.program, drawn.sizes, initial, {drawn.multiple, Filling::noise, seed}))));
    }
    CHECK(dependent > rounds / 10);
    CHECK(independent > rounds / 10);
}

TEST_CASE("the translation to a SARE computes what the rules do") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Drawn drawn = draw(seed, {{Type::i32, Type::u8, Type::f32}, false});
        INFO("seed " << seed << "\n" << tensor::print(drawn.program));
        const auto translation = tensor::to_sare(drawn.program);
        REQUIRE(translation.has_value());
        const auto initial = small_numbers(drawn.program);
        const Store store = done(ev_prog(drawn.program, drawn.sizes, initial));
        const auto outputs = evaluate_outputs(translation->sare, drawn.sizes, initial);
        REQUIRE(outputs.has_value());
        for (const auto& [variable, name] : translation->outputs) {
            const auto output = std::ranges::find(*outputs, name, &OutputValues::tensor);
            REQUIRE(output != outputs->end());
            REQUIRE(output->cells == store.at(variable).cells);
        }
    }
}

}  // namespace haruspex::interp
