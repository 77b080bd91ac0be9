#include "oracle/validator/discharge/simplify.h"

#include "generators/affine/parameters.h"
#include "oracle/validator/discharge/alignment.h"
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
    std::string text(const Term& t, const std::string& environments) const {
        return to_string(simplified(t, set(environments), specification));
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
    CHECK(system.text(both, inside) == "B(i)");
    CHECK(system.text(both, outside) == "false");
    CHECK(system.text(both, around) == to_string(both));
    CHECK(system.text(either, inside) == "true");
    CHECK(system.text(either, outside) == "B(i)");
    CHECK(system.text(either, around) == to_string(either));
    CHECK(system.text(chosen, inside) == "i32(U(i))");
    CHECK(system.text(chosen, outside) == "0i32");
    CHECK(system.text(chosen, around) == to_string(chosen));
}

TEST_CASE("what is the same whatever the other operand is") {
    const System system;
    const auto number = [](Type type, std::int64_t n) { return make_literal(Value::integer(type, n)); };
    const Term u = system.cell("U", Type::u8), sum = system.cell("S", Type::i32);
    const auto text = [&](const Term& t) { return system.text(t, around); };
    CHECK(text(make_binary(BinaryOp::min, u, number(Type::u8, 0))) == "0u8");
    CHECK(text(make_binary(BinaryOp::max, number(Type::u8, 255), u)) == "255u8");
    CHECK(text(make_binary(BinaryOp::mul, u, number(Type::u8, 0))) == "0u8");
    CHECK(text(make_binary(BinaryOp::min, u, number(Type::u8, 1))) == "(U(i) min 1u8)");
    CHECK(text(make_binary(BinaryOp::add, u, number(Type::u8, 255))) == "(U(i) + 255u8)");
    // A sum may overflow, and memory may not have been written.
    CHECK(text(make_binary(BinaryOp::mul, sum, number(Type::i32, 0))) == "(S(i) * 0i32)");
    const Term unwritten = make_literal(Value::uninit(Type::u8));
    CHECK(text(make_binary(BinaryOp::min, unwritten, number(Type::u8, 0))) == "(uninit_u8 min 0u8)");
}

TEST_CASE("nothing is left out that may be Undef, but an equation is proved where the specification's is") {
    const System system;
    const Term sum = system.cell("S", Type::i32), c = system.cell("C", Type::boolean);
    const Term zero = make_literal(Value::integer(Type::i32, 0));
    const Term chosen = make_select(system.is_positive(), zero, sum);
    CHECK(system.text(chosen, inside) == "select(true, 0i32, S(i))");
    CHECK(system.text(chosen, outside) == "S(i)");
    const Term both = make_binary(BinaryOp::logical_and, system.is_positive(), c);
    CHECK(system.text(both, outside) == "(false && C(i))");
    CHECK(system.text(both, inside) == "C(i)");

    const auto is_proved = [&](const Term& s, const Term& i, const std::string& environments) {
        const isl::set where = system.set(environments);
        Alignment alignment(system.specification, verdict::Floats::ieee);
        return alignment
            .unproved(simplified(s, where, system.specification), simplified(i, where, system.specification), where)
            .is_empty();
    };
    const Term no = make_literal(Value::boolean(false));
    CHECK(is_proved(chosen, zero, inside));
    CHECK_FALSE(is_proved(zero, chosen, inside));
    CHECK(is_proved(chosen, chosen, inside));
    CHECK(is_proved(both, no, outside));
    CHECK_FALSE(is_proved(no, both, outside));
    CHECK(is_proved(both, both, outside));
}

}  // namespace haruspex::validator
