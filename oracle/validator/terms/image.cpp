#include "oracle/validator/terms/image.h"

#include <cmath>
#include <cstdlib>

#include "generators/base/ensure.h"
#include "generators/value/type.h"

namespace haruspex::validator {
namespace {

// `made`: nullopt if a result may be Undef, or is not known.
Image image(value::Type result, bool are_operands_total, bool is_total, const std::optional<value::Range>& made) {
    if (!made) { return Image::any(result, are_operands_total && is_total); }
    return {are_operands_total, made};
}

}  // namespace

Image Image::any(value::Type type, bool is_total) {
    return {is_total, value::is_float(type) ? std::nullopt : std::optional(value::full_range(type))};
}

Image Image::of(const value::Value& value) {
    if (!value.is_defined()) { return any(value.type(), false); }
    constexpr int most_scale = 30;  // two ranges farther apart cannot be joined
    if (value::is_float(value.type()) && !std::isfinite(value.as_double())) { return any(value.type(), true); }
    const value::Range range = value::range_of(value);
    return std::abs(range.scale) <= most_scale ? Image{true, range} : any(value.type(), true);
}

Image apply(value::UnaryOp op, value::Type operand, const Image& a) {
    const auto result = value::result_type(op, operand);
    ENSURE(result, "operands fit their operator");
    return image(*result, a.is_total, value::is_total(op, operand),
                 a.range ? value::apply(op, *a.range) : std::nullopt);
}

Image apply(value::BinaryOp op, value::Type operands, const Image& a, const Image& b) {
    const auto result = value::result_type(op, operands, operands);
    ENSURE(result, "operands fit their operator");
    return image(*result, a.is_total && b.is_total, value::is_total(op, operands),
                 a.range && b.range ? value::apply(op, *a.range, *b.range) : std::nullopt);
}

Image cast(value::Type from, value::Type to, const Image& a) {
    return image(to, a.is_total, value::is_total_cast(from, to), a.range ? value::cast(to, *a.range) : std::nullopt);
}

Image select(const Image& condition, value::Type arms, const Image& if_true, const Image& if_false) {
    const bool are_total = condition.is_total && if_true.is_total && if_false.is_total;
    const bool have_ranges = condition.range && if_true.range && if_false.range;
    return image(arms, are_total, true,
                 have_ranges ? value::select(*condition.range, *if_true.range, *if_false.range) : std::nullopt);
}

Image join(const Image& a, const Image& b) {
    const bool have_ranges = a.range && b.range;
    return {a.is_total && b.is_total, have_ranges ? std::optional(value::join(*a.range, *b.range)) : std::nullopt};
}

}  // namespace haruspex::validator
