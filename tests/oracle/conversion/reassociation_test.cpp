#include "oracle/conversion/reassociation.h"

#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

using schedule::Factoring;

// An update of f(x, y), and its factoring under the schedule.
struct Example {
    sare::Algorithm algorithm;
    Factoring factoring;

    Example(const std::string& function, const std::string& directives) {
        const auto parsed = sare::parse_sare("sare s(W, K) assuming W >= 1 and K >= 1 {\n  input in : u16[2]\n  " +
                                                 function + "\n  output f on { [x] : 0 <= x < W }\n}\n",
                                             "test");
        if (!parsed) { FAIL(to_string(parsed.error())); }
        algorithm = *sare::unstage(*parsed);
        const auto schedule = schedule::language("halide").parse(directives, "test");
        if (!schedule) { FAIL(to_string(schedule.error())); }
        const auto made = schedule::language("halide").factorings(algorithm, *schedule);
        if (!made) { FAIL(to_string(made.error())); }
        factoring = made->at(0);
    }

    std::string why_not(bool exact_reals = true) const {
        const auto same = is_same(algorithm, factoring, exact_reals);
        return same ? "" : to_string(same.error());
    }
};

const std::string sum =
    "f(x) = in(x, 0)\n  update f(x) = f(x) + in(x, k) over k in [2, 2 + K), l in [0, 9) where k > l and x < 7";
const std::string blocks = "f.update(0).split(k, ko, ki, 4)\nf.update(0).rfactor(ko, u, g)\n";

}  // namespace

TEST_CASE("rfactor is shown to keep what is associative and commutative") {
    CHECK(Example(sum, blocks).why_not().empty());
    CHECK(Example(sum, "f.update(0).rfactor({{l, u}, {k, v}}, g)\n").why_not().empty());
    CHECK(Example(sum,
                  "f.update(0).reorder(l, k)\nf.update(0).fuse(l, k, t)\nf.update(0).split(t, to, ti, 8)\n"
                  "f.update(0).rfactor(ti, u, g)\n")
              .why_not()
              .empty());
    for (const std::string op : {"max", "min"}) {
        const std::string update =
            "f(x) = i32(in(x, 0))\n  update f(2*l) = " + op + "(i32(in(l, k)), f(2*l)) over k in [0, K), l in [0, 9)";
        CHECK(Example(update, blocks).why_not().empty());
    }
    const std::string both =
        "f(x) = { 0u8, true }\n  update f(x) = { f(x)[0] * 3u8, f(x)[1] && (in(x, k) > 4u16) } over k in [0, K)";
    CHECK(Example(both, blocks).why_not().empty());
}

TEST_CASE("rfactor is not shown to keep what rounds on the way, or products that may overflow") {
    const auto accumulating = [](const std::string& type, const std::string& op = "+") {
        return Example(
            "f(x) = " + type + "(in(x, 0))\n  update f(x) = f(x) " + op + " " + type + "(in(x, k)) over k in [0, K)",
            blocks);
    };
    CHECK(accumulating("i32", "*").why_not() == "factoring of a reduction whose order matters: * of i32");
    const Example signed_sum = accumulating("i32"), unsigned_sum = accumulating("u32");
    CHECK(is_same(signed_sum.algorithm, signed_sum.factoring, true)->needs_fitting_sums);
    CHECK_FALSE(is_same(unsigned_sum.algorithm, unsigned_sum.factoring, true)->needs_fitting_sums);
    CHECK(accumulating("i16").why_not().empty());
    CHECK(accumulating("f32").why_not(true).empty());
    CHECK(accumulating("f32").why_not(false) == "factoring of a reduction whose order matters: + of f32");
}

TEST_CASE("a factoring that computes something else is noticed") {
    const Example right(sum, blocks);
    const auto wrong = [&](auto&& change) {
        Example example = right;
        change(example.factoring);
        CHECK(!example.why_not().empty());
    };
    const sare::Index one = sare::constant(1);
    wrong([](Factoring& f) { f.intermediate.values[0] = {sare::Literal{value::Value::integer(value::Type::u16, 1)}}; });
    wrong([](Factoring& f) { f.intermediate.updates[0].where = sare::truth(true); });
    wrong([](Factoring& f) { f.merged.updates[0].where = sare::truth(false); });
    wrong([&](Factoring& f) { f.intermediate.updates[0].over[0].extent = sare::constant(3); });
    wrong([&](Factoring& f) { f.intermediate.updates[0].over[0].extent = sare::constant(5); });
    wrong([&](Factoring& f) { f.merged.updates[0].over[0].extent = f.merged.updates[0].over[0].extent - one; });
    wrong([&](Factoring& f) { f.merged.updates[0].over[0].min = one; });
    wrong([&](Factoring& f) { f.merged.updates[0].target[0] = sare::variable("x") + one; });
    wrong([&](Factoring& f) { f.merged.values[0] = {sare::Literal{value::Value::integer(value::Type::u16, 1)}}; });
    wrong([&](Factoring& f) { f.substitution.at("k") = f.substitution.at("k") + one; });
    wrong([&](Factoring& f) { f.substitution.at("l") = sare::constant(1); });
    wrong([&](Factoring& f) { f.substitution.erase("l"); });
    // With the same mistake in the intermediate.
    wrong([&](Factoring& f) {
        f.substitution.at("l") = sare::constant(1);
        sare::UpdateDefinition& update = f.intermediate.updates[0];
        update.where = sare::substitute(update.where, {{"l", sare::constant(1)}});
    });
    wrong([&](Factoring& f) {
        auto& value = std::get<sare::Binary>(f.intermediate.updates[0].values[0].node);
        value.op = value::BinaryOp::mul;
    });
    // More steps than the update has, or one step twice.
    wrong([&](Factoring& f) { f.before.updates[0].over[1].extent = sare::constant(8); });
    wrong([&](Factoring& f) { f.intermediate.updates[0].over.push_back({"m", sare::constant(0), sare::constant(2)}); });
}

}  // namespace haruspex::conversion
