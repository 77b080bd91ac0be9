#include "oracle/equivalence/algebra.h"

#include <vector>

#include "tests/support/catch.h"

namespace haruspex::equivalence {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

// The corner values of a type.
std::vector<Value> samples(Type type) {
    if (type == Type::boolean) { return {Value::boolean(false), Value::boolean(true)}; }
    std::vector<Value> all;
    const int bits = value::bits(type);
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    for (const std::uint64_t pattern :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5}, top - 1, top, top + 1, ~std::uint64_t{0}}) {
        all.push_back(Value::from_bits(type, pattern));
    }
    return all;
}

// Whether the values are equal, or both are undefined.
bool same(const Value& a, const Value& b) {
    return a.is_defined() == b.is_defined() && (!a.is_defined() || value::same_result(a, b));
}

TEST_CASE("operators that are said to be associative or commutative are so on corner values") {
    for (const BinaryOp op : value::all_binary_ops) {
        for (const Type type : value::all_types) {
            if (value::result_type(op, type, type) != type) { continue; }
            INFO(to_string(Operator{op, type}));
            for (const Value& a : samples(type)) {
                for (const Value& b : samples(type)) {
                    if (is_commutative({op, type}, false)) { CHECK(same(apply(op, a, b), apply(op, b, a))); }
                    if (!is_associative({op, type}, false)) { continue; }
                    for (const Value& c : samples(type)) {
                        CHECK(same(apply(op, apply(op, a, b), c), apply(op, a, apply(op, b, c))));
                    }
                }
            }
        }
    }
}

TEST_CASE("sums are associative where they wrap around, and nowhere else") {
    for (const bool exact_reals : {false, true}) {
        CHECK(is_associative({BinaryOp::add, Type::u8}, exact_reals));
        CHECK(is_associative({BinaryOp::add, Type::i16}, exact_reals));
        CHECK(is_associative({BinaryOp::add, Type::w32}, exact_reals));
        CHECK(is_associative({BinaryOp::mul, Type::w64}, exact_reals));
        CHECK_FALSE(is_associative({BinaryOp::add, Type::i32}, exact_reals));
        CHECK_FALSE(is_associative({BinaryOp::mul, Type::i64}, exact_reals));
        CHECK(is_commutative({BinaryOp::add, Type::i32}, exact_reals));
    }
}

TEST_CASE("floats are associative, and all their operators commutative, when they are exact reals") {
    for (const BinaryOp op : {BinaryOp::add, BinaryOp::mul, BinaryOp::min, BinaryOp::max}) {
        CHECK(is_associative({op, Type::f32}, true));
        CHECK(is_commutative({op, Type::f32}, true));
        CHECK_FALSE(is_associative({op, Type::f32}, false));
    }
    CHECK_FALSE(is_commutative({BinaryOp::min, Type::f32}, false));
    CHECK_FALSE(is_associative({BinaryOp::div, Type::f32}, true));
    CHECK_FALSE(is_commutative({BinaryOp::sub, Type::f64}, true));
}

TEST_CASE("what may be reordered is read by name, and only what is so at some type") {
    CHECK(*parse_reorderable("add,max") == Reorderable{BinaryOp::add, BinaryOp::max});
    CHECK(parse_reorderable("")->empty());
    CHECK(parse_reorderable("sub").error().message.starts_with("operator sub is not associative and commutative"));
    CHECK(parse_reorderable("add,plus").error().message ==
          "unknown operator \"plus\"; expected some of add,mul,min,max,and,or,bit_and,bit_or,bit_xor");
}

}  // namespace
}  // namespace haruspex::equivalence
