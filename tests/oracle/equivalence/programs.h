#pragma once

#include <string>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/equivalence/equivalence.h"
#include "tests/support/catch.h"

namespace haruspex::equivalence {

inline sare::Sare sare_of(const std::string& text) {
    const auto sare = sare::parse_sare(text, "specification");
    if (!sare) { FAIL(to_string(sare.error())); }
    return *sare;
}

inline sched::Program program_of(const std::string& text) {
    const auto program = sched::parse_program(text, "program");
    if (!program) { FAIL(to_string(program.error())); }
    return *program;
}

inline Options with(const std::string& reorderable) {
    Options options;
    options.reorderable = *parse_reorderable(reorderable);
    return options;
}

inline Verdict verdict_of(const std::string& sare, const std::string& program, const std::string& reorderable = "") {
    return check(sare_of(sare), program_of(program), with(reorderable));
}

inline bool is_proved(const Verdict& verdict) { return verdict.outcome == Outcome::proved; }

}  // namespace haruspex::equivalence
