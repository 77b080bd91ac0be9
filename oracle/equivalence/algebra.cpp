#include "oracle/equivalence/algebra.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::equivalence {
namespace {

using value::BinaryOp;
using value::Type;

constexpr std::array<std::pair<std::string_view, BinaryOp>, 20> binary_names{{
    {"add", BinaryOp::add},
    {"mul", BinaryOp::mul},
    {"min", BinaryOp::min},
    {"max", BinaryOp::max},
    {"and", BinaryOp::logical_and},
    {"or", BinaryOp::logical_or},
    {"bit_and", BinaryOp::bit_and},
    {"bit_or", BinaryOp::bit_or},
    {"bit_xor", BinaryOp::bit_xor},
    {"sub", BinaryOp::sub},
    {"div", BinaryOp::div},
    {"mod", BinaryOp::mod},
    {"eq", BinaryOp::eq},
    {"ne", BinaryOp::ne},
    {"lt", BinaryOp::lt},
    {"le", BinaryOp::le},
    {"gt", BinaryOp::gt},
    {"ge", BinaryOp::ge},
    {"shift_left", BinaryOp::shift_left},
    {"shift_right", BinaryOp::shift_right},
}};

std::string_view name(BinaryOp op) {
    const auto* found = std::ranges::find(binary_names, op, &std::pair<std::string_view, BinaryOp>::second);
    ENSURE(found != binary_names.end(), "an operator without a name");
    return found->first;
}

std::string_view name(value::UnaryOp op) {
    switch (op) {
        case value::UnaryOp::negate: return "negate";
        case value::UnaryOp::logical_not: return "not";
        case value::UnaryOp::bit_not: return "bit_not";
        case value::UnaryOp::absolute: return "abs";
    }
    raise_internal_error(__FILE__, __LINE__, "no such operator");
}

bool is_reorderable_somewhere(BinaryOp op) {
    return std::ranges::any_of(value::all_types, [&](Type type) {
        return value::result_type(op, type, type) == type && value::is_associative(op, type, false) &&
               value::is_commutative(op, type);
    });
}

}  // namespace

std::string to_string(const Operator& op) {
    const std::string type(value::name(op.type));
    return std::visit(Overload{[&](value::UnaryOp n) { return std::string(name(n)) + " " + type; },
                               [&](BinaryOp n) { return std::string(name(n)) + " " + type; },
                               [&](const Conversion& n) { return type + " to " + std::string(value::name(n.to)); },
                               [&](const Choice&) { return "select " + type; }},
                      op.what);
}

bool is_total(const Operator& op) {
    return std::visit(Overload{[&](value::UnaryOp n) { return value::is_total(n, op.type); },
                               [&](BinaryOp n) { return value::is_total(n, op.type); },
                               [&](const Conversion& n) { return value::is_total_cast(op.type, n.to); },
                               [](const Choice&) { return true; }},
                      op.what);
}

Result<Reorderable> parse_reorderable(std::string_view names) {
    Reorderable result;
    while (!names.empty()) {
        const std::string_view word = names.substr(0, names.find(','));
        names.remove_prefix(std::min(names.size(), word.size() + 1));
        const auto* found = std::ranges::find(binary_names, word, &std::pair<std::string_view, BinaryOp>::first);
        if (found == binary_names.end()) {
            return fail(fmt::format("unknown operator \"{}\"; expected some of {}", word, reorderable_names()));
        }
        if (!is_reorderable_somewhere(found->second)) {
            return fail(fmt::format("operator {} is not associative and commutative at any type; expected some of {}",
                                    word, reorderable_names()));
        }
        result.insert(found->second);
    }
    return result;
}

std::string reorderable_names() {
    std::string text;
    for (const auto& [word, op] : binary_names) {
        if (is_reorderable_somewhere(op)) { text += (text.empty() ? "" : ",") + std::string(word); }
    }
    return text;
}

std::optional<std::int64_t> integer(const value::Value& literal) {
    const value::Type type = literal.type();
    std::int64_t number = 0;
    if (value::is_signed_integer(type)) {
        number = literal.as_signed();
    } else if (value::is_unsigned_integer(type)) {
        number = static_cast<std::int64_t>(literal.as_unsigned());
    } else if (value::is_float(type)) {
        const double real = literal.as_double();
        if (!(real > -1e15 && real < 1e15)) { return std::nullopt; }
        number = static_cast<std::int64_t>(real);
    } else {
        return std::nullopt;
    }
    // Excludes -0.0, fractions, and integers beyond 63 bits.
    const bool is_it = number != std::numeric_limits<std::int64_t>::min() &&
                       value::cast(type, value::Value::integer(value::Type::i64, number)) == literal;
    return is_it ? std::optional(number) : std::nullopt;
}

bool is_associative(const Operator& op, bool exact_reals) {
    const auto* binary = std::get_if<BinaryOp>(&op.what);
    return binary != nullptr && value::is_associative(*binary, op.type, exact_reals);
}

bool is_commutative(const Operator& op, bool exact_reals) {
    const auto* binary = std::get_if<BinaryOp>(&op.what);
    return binary != nullptr && value::is_commutative(*binary, op.type, exact_reals);
}

}  // namespace haruspex::equivalence
