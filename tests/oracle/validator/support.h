#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/validator/specification.h"
#include "tests/support/catch.h"

// What the tests of the validator's pieces share.
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

}  // namespace haruspex::validator
