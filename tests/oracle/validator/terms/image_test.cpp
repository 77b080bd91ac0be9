#include "oracle/validator/terms/image.h"

#include <vector>

#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

// A pair of values, and the knowledge that a value is one of the two.
struct Two {
    Value a, b;
    Image image() const { return join(Image::of(a), Image::of(b)); }
    std::vector<Value> both() const { return {a, b}; }
};

std::vector<Two> pairs(Type type) {
    std::vector<Two> found;
    for (const Value& a : defined_values(type)) {
        for (const Value& b : defined_values(type)) { found.push_back({a, b}); }
    }
    return found;
}

bool is_right(const Image& image, const Value& result) {
    if (result.is_undef()) { return !image.is_total; }
    return !image.range || contains(*image.range, result);
}

TEST_CASE("An image says of no value that it cannot be") {
    std::size_t total = 0;
    for (const Type type : value::all_types) {
        for (const UnaryOp op : value::all_unary_ops) {
            if (!value::result_type(op, type)) { continue; }
            for (const Two& x : pairs(type)) {
                const Image image = apply(op, type, x.image());
                for (const Value& v : x.both()) { CHECK(is_right(image, value::apply(op, v))); }
            }
        }
        for (const Type to : value::all_types) {
            for (const Two& x : pairs(type)) {
                const Image image = cast(type, to, x.image());
                for (const Value& v : x.both()) { CHECK(is_right(image, value::cast(to, v))); }
            }
        }
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, type, type)) { continue; }
            std::size_t wrong = 0;
            const std::vector<Two> all = pairs(type);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Two &x = all[i], &y = all[(7 * i + 3) % all.size()];
                const Image image = apply(op, type, x.image(), y.image());
                total += image.is_total && !value::is_total(op, type) ? 1 : 0;
                for (const Value& v : x.both()) {
                    for (const Value& w : y.both()) { wrong += is_right(image, value::apply(op, v, w)) ? 0 : 1; }
                }
            }
            INFO(value::spelling(op) << " of " << value::name(type));
            CHECK(wrong == 0);
        }
    }
    // Ranges show more than types do.
    CHECK(total > 100);
}

TEST_CASE("An image of a select is total where both arms are") {
    const Image truth = Image::any(Type::boolean, true), partial = Image::any(Type::i32, false);
    const Image one = Image::of(Value::integer(Type::i32, 1)), three = Image::of(Value::integer(Type::i32, 3));
    const Image either = select(truth, Type::i32, one, three);
    CHECK(either.is_total);
    REQUIRE(either.range);
    CHECK((either.range->low == 1 && either.range->high == 3));
    CHECK_FALSE(select(truth, Type::i32, one, partial).is_total);
    CHECK_FALSE(select(Image::any(Type::boolean, false), Type::i32, one, three).is_total);
    CHECK_FALSE(Image::of(Value::undef(Type::f32)).is_total);
    CHECK_FALSE(Image::any(Type::f64, true).range);
}

}  // namespace
}  // namespace haruspex::validator
