#pragma once

#include <optional>

#include "generators/value/operators.h"
#include "generators/value/range.h"

namespace haruspex::validator {

// Facts about all values of an expression.
struct Image {
    bool is_total = false;              // no value is Undef
    std::optional<value::Range> range;  // of the defined values; nullopt: unknown

    // All values of an integer type or bool; of floats nothing is known.
    static Image any(value::Type type, bool is_total);
    static Image of(const value::Value& value);
};

// The image of an operation on operands with these images. An operation that can give Undef for some values of its type
// may be total for the values in these images.
Image apply(value::UnaryOp op, value::Type operand, const Image& a);
Image apply(value::BinaryOp op, value::Type operands, const Image& a, const Image& b);
Image cast(value::Type from, value::Type to, const Image& a);
Image select(const Image& condition, value::Type arms, const Image& if_true, const Image& if_false);
// The image of a value that is one of the two.
Image join(const Image& a, const Image& b);

}  // namespace haruspex::validator
