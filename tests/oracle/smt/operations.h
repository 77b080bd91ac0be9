#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "oracle/smt/terms.h"

// Every operation of the terms at every type, with its result in generators/value.
namespace haruspex::smt {

struct Operation {
    std::string name;  // "add i32", "cast f32 to u8", "select f64"
    std::vector<value::Type> operands;
    value::Type result;
    std::function<Term(Terms&, const std::vector<Term>&)> term;
    std::function<value::Value(const std::vector<value::Value>&)> apply;
};

std::vector<Operation> every_operation();

// Zeros, ones, the ends of the type and their neighbours; for floats also NaN, infinities and denormals.
std::vector<value::Value> special_values(value::Type type);
// Draws a special value, a small number or random bits.
value::Value draw_value(value::Type type, Choices& choices);
// A defined value of the type that is a different result.
value::Value another(const value::Value& v);

}  // namespace haruspex::smt
