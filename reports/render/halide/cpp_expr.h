#pragma once

#include <functional>
#include <map>
#include <string>

#include "generators/sare/syntax.h"

// Writes indices, conditions and values as C++ expressions over Halide's operators, with the meaning that the harness's
// program builder gives them.
namespace haruspex::render::halide {

// How tightly a C++ expression binds; larger is tighter.
enum class Binding : int {
    logical_or,
    logical_and,
    bit_or,
    bit_xor,
    bit_and,
    equality,
    relational,
    shift,
    sum,
    product,
    unary,
    primary
};

struct Text {
    std::string text;
    Binding binding = Binding::primary;
    // Whether the text consists of C++ integers alone: an operator on two such texts would be C++'s, not Halide's.
    bool plain = false;
};

// Name of a variable or parameter -> its identifier.
using Scope = std::map<std::string, std::string>;

Text cpp(const sare::Index& index, const Scope& scope);
Text cpp(const sare::Condition& condition, const Scope& scope);

// Returns "int32_t", "bool", "float", …
std::string cpp_type(value::Type type);
// Returns an Expr of the value's type: "Expr(uint8_t(5))", "Expr(0.5f)", …
std::string cpp_literal(const value::Value& value);
// Returns a C++ value: "uint8_t(5)", "0.5f", "true".
std::string cpp_value(const value::Value& value);
// Returns Halide's operator applied to two Exprs.
Text cpp_binary(value::BinaryOp op, const Text& a, const Text& b);
// Returns a call, such as "f(a, b)".
Text call(const std::string& function, std::initializer_list<std::string> arguments);

class ValueWriter {
public:
    // Writes an access with these texts of indices.
    using Read = std::function<std::string(const sare::Access&, const std::vector<std::string>& indices)>;
    // Returns the type of an expression.
    using TypeOf = std::function<value::Type(const sare::Expr&)>;

    ValueWriter(Read read, TypeOf type_of) : read_(std::move(read)), type_of_(std::move(type_of)) {}

    // Writes an expression without reductions (ENSURE).
    Text write(const sare::Expr& expr, const Scope& scope) const;
    // Whether any part of the expression is a float.
    bool mentions_float(const sare::Expr& expr) const;

private:
    Text operation(const sare::Binary& binary, const Scope& scope) const;

    Read read_;
    TypeOf type_of_;
};

}  // namespace haruspex::render::halide
