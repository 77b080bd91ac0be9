#pragma once

#include <cstdint>
#include <string>

#include "generators/base/result.h"

// Asks the program cvc5 for a second opinion.
namespace haruspex::smt {

enum class Satisfiability : std::uint8_t { sat, unsat, unknown };

struct SecondOpinion {
    Satisfiability answer = Satisfiability::unknown;
    std::string reason;  // of `unknown`: the program's output
};

struct Cvc5 {
    std::string program = "cvc5";  // looked up in PATH unless it has a slash
    // cvc5's own unit of work, per query. What it does with a unit grows: of reals beside bit-vectors 200,000 take seconds,
    // and ten times as many five minutes.
    std::uint64_t rlimit = 200'000;
    std::uint64_t memory = std::uint64_t{2} << 30;  // bytes of address space
    // CPU time. A last resort against a program that hangs: far longer than the rlimit allows.
    std::uint64_t seconds = 300;  // of processor time
};

// Returns cvc5's answer to the text of a query (to_smtlib). An Error if the program is missing, dies, rejects the text
// or hangs.
[[nodiscard]] Result<SecondOpinion> check_with_cvc5(const std::string& text, const Cvc5& cvc5 = {});

}  // namespace haruspex::smt
