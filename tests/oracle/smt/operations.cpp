#include "tests/oracle/smt/operations.h"

#include <cmath>
#include <limits>

namespace haruspex::smt {

using value::Type;
using value::Value;

std::vector<Operation> every_operation() {
    std::vector<Operation> all;
    for (const Type type : value::all_types) {
        const std::string at = " " + std::string(value::name(type));
        for (const value::UnaryOp op : value::all_unary_ops) {
            const auto result = value::result_type(op, type);
            if (!result) { continue; }
            all.push_back({std::string(value::spelling(op)) + at,
                           {type},
                           *result,
                           [op](Terms& terms, const std::vector<Term>& t) { return terms.apply(op, t.at(0)); },
                           [op](const std::vector<Value>& v) { return value::apply(op, v.at(0)); }});
        }
        for (const value::BinaryOp op : value::all_binary_ops) {
            const auto result = value::result_type(op, type, type);
            if (!result) { continue; }
            all.push_back({std::string(value::spelling(op)) + at,
                           {type, type},
                           *result,
                           [op](Terms& terms, const std::vector<Term>& t) { return terms.apply(op, t.at(0), t.at(1)); },
                           [op](const std::vector<Value>& v) { return value::apply(op, v.at(0), v.at(1)); }});
        }
        for (const Type to : value::all_types) {
            all.push_back({"cast" + at + " to " + std::string(value::name(to)),
                           {type},
                           to,
                           [to](Terms& terms, const std::vector<Term>& t) { return terms.cast(to, t.at(0)); },
                           [to](const std::vector<Value>& v) { return value::cast(to, v.at(0)); }});
        }
        all.push_back({"select" + at,
                       {Type::boolean, type, type},
                       type,
                       [](Terms& terms, const std::vector<Term>& t) { return terms.select(t.at(0), t.at(1), t.at(2)); },
                       [](const std::vector<Value>& v) { return value::select(v.at(0), v.at(1), v.at(2)); }});
    }
    return all;
}

std::vector<Value> special_values(Type type) {
    if (type == Type::boolean) { return {Value::boolean(false), Value::boolean(true)}; }
    std::vector<Value> values;
    if (value::is_float(type)) {
        using Limits = std::numeric_limits<double>;
        using Single = std::numeric_limits<float>;
        for (const double v : {0.0, -0.0, 1.0, -1.5, 2.5, -7.0, Limits::infinity(), -Limits::infinity(),
                               Limits::quiet_NaN(), 2147483648.0, -129.0, 1.0 / 3,
                               static_cast<double>(Single::denorm_min()), static_cast<double>(Single::max())}) {
            values.push_back(value::cast(type, Value::f64(v)));
        }
        return values;
    }
    const auto width = static_cast<unsigned>(value::bits(type));
    for (const std::int64_t v : {0, 1, 2, 3, 7, -1, -2, -3, -7}) { values.push_back(Value::integer(type, v)); }
    const std::uint64_t top = std::uint64_t{1} << (width - 1);
    for (const std::uint64_t bits :
         {top, top - 1, top + 1, std::uint64_t{width}, std::uint64_t{width - 1}, std::uint64_t{1} << (width / 2)}) {
        values.push_back(Value::from_bits(type, bits));
    }
    return values;
}

Value draw_value(Type type, Choices& choices) {
    const auto special = special_values(type);
    switch (choices.weighted({4, 2, 2})) {
        case 0:
            return special.at(
                static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(special.size()) - 1)));
        case 1:
            if (type != Type::boolean) { return Value::integer(type, choices.integer(-9, 9)); }
            break;
        default: break;
    }
    const auto bits = static_cast<std::uint64_t>(
        choices.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
    return Value::from_bits(type, bits);
}

Value another(const Value& v) {
    // A NaN stays a NaN if its lowest bit changes.
    if (v.is_nan()) { return Value::integer(v.type(), 1); }
    return Value::from_bits(v.type(), v.bit_pattern() ^ 1U);
}

}  // namespace haruspex::smt
