#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/sare/text.h"
#include "generators/value/value.h"
#include "harness/sched/text.h"
#include "oracle/validator/specification/specification.h"
#include "tests/support/catch.h"

// Shared by the tests of the validator's parts.
namespace haruspex::validator {

inline sare::Sare parsed_sare(const std::string& text) {
    auto sare = sare::parse_sare(text, "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    return *std::move(sare);
}

inline sched::Program parsed_program(const std::string& text) {
    auto program = sched::parse_program(text, "test");
    if (!program) { FAIL(to_string(program.error())); }
    return *std::move(program);
}

// A specification in an isl context of its own.
struct Specified {
    explicit Specified(const std::string& text) : sare(parsed_sare(text)), specification(context.ctx(), sare) {}

    isl::set set(const std::string& text) const { return isl::set(context.ctx(), text); }
    isl::pw_aff index(const std::string& text) const { return isl::pw_aff(context.ctx(), text); }

    affine::Context context;
    sare::Sare sare;
    Specification specification;
};

// Operands of the type, all of them defined.
inline std::vector<value::Value> defined_values(value::Type type) {
    if (type == value::Type::boolean) { return {value::Value::boolean(false), value::Value::boolean(true)}; }
    if (value::is_float(type)) {
        std::vector<value::Value> found;
        for (const char* text : {"0.0", "-0.0", "1.5", "-3.0", "1e30", "inf", "nan"}) {
            const auto parsed = value::parse_literal(std::string(text) + (text[0] == 'i' || text[0] == 'n' ? "_" : "") +
                                                     std::string(value::name(type)));
            REQUIRE(parsed.has_value());
            found.push_back(*parsed);
        }
        return found;
    }
    const std::uint64_t high = std::uint64_t{1} << static_cast<unsigned>(value::bits(type) - 1);
    std::vector<value::Value> found;
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{200}, high,
                                     high - 1, high + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
        found.push_back(value::Value::from_bits(type, bits));
    }
    return found;
}

}  // namespace haruspex::validator
