#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/text.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::interp {

using Parameters = Sizes;
using Cell = std::vector<std::int64_t>;

inline sare::Sare parse(std::string_view text) {
    auto sare = sare::parse_sare(text, "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    return *sare;
}

inline value::Value i32(std::int64_t v) { return value::Value::integer(value::Type::i32, v); }

// in(x, y, …) = x + 10 y + 100 z + …
inline value::Value decimal_input(const std::string&, const Cell& indices) {
    std::int64_t sum = 0;
    std::int64_t weight = 1;
    for (const std::int64_t index : indices) {
        sum += index * weight;
        weight *= 10;
    }
    return i32(sum);
}

inline value::Value evaluate(const sare::Sare& sare, const Parameters& parameters, const std::string& tensor,
                             const Cell& cell, int component = 0) {
    SareInterpreter interpreter(sare, parameters, decimal_input);
    auto value = interpreter.evaluate(tensor, component, cell);
    if (!value) { FAIL(value.error().message); }
    return *value;
}

inline std::string error_of(const sare::Sare& sare, const Parameters& parameters, const std::string& tensor,
                            const Cell& cell) {
    SareInterpreter interpreter(sare, parameters, decimal_input);
    const auto value = interpreter.evaluate(tensor, 0, cell);
    return value ? "no error" : value.error().message;
}

}  // namespace haruspex::interp
