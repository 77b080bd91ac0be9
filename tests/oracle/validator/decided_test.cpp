#include "oracle/validator/decided.h"

#include "generators/affine/parameters.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

const char* const system_text = R"(sare system(N) assuming N >= 0 {
  input U : u8[1]
  input A : i32[1]
  B(x) = U(x) < 3u8
  S(x) = A(x) + A(x + 1)
  C(x) = S(x) < 3i32
  output B on { [x] : 0 <= x < N }
})";

struct System : Specified {
    System() : Specified(system_text) {}
    Term cell(const std::string& tensor, Type type) const {
        return make_cell(tensor, 0, type, {index("[i] -> { [(i)] }")});
    }
    Term is_positive() const { return make_truth(set("[i] -> { : i > 0 }")); }
    std::string text(const Term& t, const std::string& environments, Side side) const {
        return to_string(decided(t, set(environments), side, specification));
    }
};

const char* const inside = "[i] -> { : i > 4 }";
const char* const outside = "[i] -> { : i < 0 }";
const char* const around = "[i] -> { : i > -2 }";

}  // namespace

TEST_CASE("a truth that holds everywhere, or nowhere, decides what it stands in") {
    const System system;
    const Term b = system.cell("B", Type::boolean);
    const Term both = make_binary(BinaryOp::logical_and, system.is_positive(), b);
    const Term either = make_binary(BinaryOp::logical_or, b, system.is_positive());
    const Term u = system.cell("U", Type::u8), zero = make_literal(Value::integer(Type::u8, 0));
    const Term chosen = make_cast(Type::i32, make_select(system.is_positive(), u, zero));
    for (const Side side : {Side::specification, Side::implementation}) {
        CHECK(system.text(both, inside, side) == "B(i)");
        CHECK(system.text(both, outside, side) == "false");
        CHECK(system.text(both, around, side) == to_string(both));
        CHECK(system.text(either, inside, side) == "true");
        CHECK(system.text(either, outside, side) == "B(i)");
        CHECK(system.text(either, around, side) == to_string(either));
        CHECK(system.text(chosen, inside, side) == "i32(U(i))");
        CHECK(system.text(chosen, outside, side) == "0i32");
        CHECK(system.text(chosen, around, side) == to_string(chosen));
    }
}

TEST_CASE("of an implementation nothing is left out that may be Undef") {
    const System system;
    const Term sum = system.cell("S", Type::i32), c = system.cell("C", Type::boolean);
    const Term zero = make_literal(Value::integer(Type::i32, 0));
    const Term chosen = make_select(system.is_positive(), zero, sum);
    CHECK(system.text(chosen, inside, Side::specification) == "0i32");
    CHECK(system.text(chosen, inside, Side::implementation) == "select(true, 0i32, S(i))");
    CHECK(system.text(chosen, outside, Side::implementation) == "S(i)");
    const Term both = make_binary(BinaryOp::logical_and, system.is_positive(), c);
    CHECK(system.text(both, outside, Side::specification) == "false");
    CHECK(system.text(both, outside, Side::implementation) == "(false && C(i))");
    CHECK(system.text(both, inside, Side::implementation) == "C(i)");
}

}  // namespace haruspex::validator
