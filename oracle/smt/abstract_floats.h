#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/smt/bit_vectors.h"
#include "oracle/smt/claim.h"

// Floats as small bit-vectors, and operations on them as uninterpreted functions (Bang, Nam, Chun, Jhoo, Lee: SMT-based
// translation validation for machine learning compiler, CAV 2022, sections 4 and 5.3):
//
//   value      ::= sign (1 bit) . magnitude      one NaN, which has sign 0
//   magnitude  ::= 0 (zero) | finite, in the order of the numbers | 1…10 (infinity) | 1…11 (NaN)
//   magnitude of f64, if a query converts between f32 and f64, its finite numbers:
//                  limit (1 bit: too large for f32) . truncated (the magnitude in f32, rounded down) . precision (what is cut
//                  off; 0: nothing)
//
// The width follows from the number of values that a counterexample can observe: one for each term. Comparisons, minima,
// maxima, absolute values and changes of sign are exact. Sums, products and quotients are exact on NaN, infinities and
// zeros, and have the right sign; otherwise they are functions of which only that is known, and that sums and products
// commute. So what holds for all such functions holds for IEEE's operations, bit for bit, and for exact operations on the
// real numbers extended by NaN, infinities and a negative zero.
//
// Sums::hashed and Sums::counted: a sum is a function of the multiset of its summands, nested sums being one (5.3). This
// holds for the extended real numbers, and not for IEEE's sums, which round.
namespace haruspex::smt {

// Where the texts go: the encoder's script.
struct Sink {
    std::function<void(const std::string& name, const std::string& signature)> declare;
    std::function<void(const std::string& name, const std::string& sort, const std::string& text)> define;
    std::function<void(const std::string& condition)> assert_that;
};

class AbstractFloats {
public:
    // A sum of several summands, or a single one: what its value depends on. Texts, mostly names.
    struct Sum {
        std::string has_nan, has_infinity, has_minus_infinity;
        std::string is_zero, is_minus_zero;      // all summands are zeros; all are negative
        std::string has_positive, has_negative;  // nonzero summands
        std::string multiset;                    // Sums::hashed: the sum of hashes; Sums::counted: an array of counts
        std::vector<std::string> summands;       // Sums::counted
    };
    struct Operand {
        value::Type type;
        std::string value;
        std::optional<Sum> sum;  // unless it is a single summand
    };
    struct Operation {
        Computed computed;
        std::optional<Sum> sum;
    };

    // For the terms of this query. Throws Inexpressible if it has too many summands.
    AbstractFloats(const Terms& terms, const Query& query, Sink sink);

    int bits(value::Type type) const { return 1 + magnitude_bits(type); }
    std::string sort(value::Type type) const;
    std::string literal(const value::Value& v);  // of a float; any NaN is the same
    // Asserts what every value of the type meets.
    void assume_is_value(value::Type type, const std::string& a);

    Operation unary(value::UnaryOp op, const Operand& a, const std::string& number);
    // `number` makes the names of definitions unique.
    Operation binary(value::BinaryOp op, const Operand& a, const Operand& b, const std::string& number);
    // From or to a float; not to a type that it has already.
    Computed cast(value::Type to, const Operand& a, const std::string& number);
    // The value of an integer, by this function.
    std::string of_index(value::Type type, const std::string& index);
    std::string same_number(value::Type type, const std::string& a, const std::string& b) const;

    // Asserts the order of the literals. Last.
    void end();

    // The name of each literal, by type and absolute value, for reading a model.
    const std::map<std::pair<value::Type, double>, std::string>& literals() const { return literals_; }
    // The float of these bits, given the magnitudes of literals in the model: an infinity, a NaN, a zero, a literal, or a
    // number between the literals that lie around it.
    value::Value decoded(value::Type type, std::uint64_t bits, const std::map<double, std::uint64_t>& literals) const;

private:
    int magnitude_bits(value::Type type) const { return type == value::Type::f32 ? bits32_ : bits64_; }
    std::string magnitude_of(value::Type type, std::uint64_t code) const;
    std::string infinity(value::Type type) const;  // magnitudes
    std::string nan(value::Type type) const;
    std::string value_of(value::Type type, const std::string& sign, const std::string& magnitude) const;
    std::string not_a_number(value::Type type) const { return value_of(type, "#b0", nan(type)); }
    std::string sign(value::Type type, const std::string& a) const;
    std::string magnitude(value::Type type, const std::string& a) const;
    std::string is_nan(value::Type type, const std::string& a) const;
    std::string is_infinite(value::Type type, const std::string& a) const;
    std::string is_zero(value::Type type, const std::string& a) const;
    std::string is_negative(value::Type type, const std::string& a) const;
    std::string flipped(value::Type type, const std::string& a) const;
    std::string less(value::Type type, const std::string& a, const std::string& b) const;
    std::string equal(value::Type type, const std::string& a, const std::string& b) const;
    std::string one(value::Type type);  // empty if no term is one
    std::string named(const std::string& name, const std::string& sort, const std::string& text);

    Operation sum(const Operand& a, const Operand& b, const std::string& number);
    Sum single(value::Type type, const std::string& a, const std::string& number);
    std::string product(value::Type type, const std::string& a, const std::string& b, const std::string& number);
    std::string quotient(value::Type type, const std::string& a, const std::string& b, const std::string& number);
    std::string to_f64(const std::string& a) const;
    std::string to_f32(const std::string& a, const std::string& number);

    Sums sums_;
    Sink sink_;
    int bits32_ = 2, bits64_ = 2, precision_bits_ = 0, hash_bits_ = 1;
    std::set<std::pair<value::Type, double>> ones_;
    std::map<std::pair<value::Type, double>, std::string> literals_;
};

}  // namespace haruspex::smt
