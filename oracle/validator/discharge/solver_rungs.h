#pragma once

#include <optional>
#include <string>

#include "oracle/smt/query.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/discharge/translation.h"

namespace haruspex::validator {

// The rungs of the ladder that ask a solver.
class SolverRungs {
public:
    // Borrows the specification and the ladder.
    SolverRungs(const Specification& specification, const Ladder& ladder, smt::Equality equality)
        : specification_(specification), ladder_(ladder), equality_(equality) {}

    // Why no query shows a question.
    struct Unshown {
        std::string reason;
        std::optional<smt::Model> model;  // under which it fails
    };
    // Climbs the rungs up to the ladder's highest; nullopt if one shows the question. Adds the work, and the rung, to
    // the discharge.
    std::optional<Unshown> climb(const Question& question, Discharge& discharge) const;

private:
    smt::Outcome ask(const Translation& asked, Rung rung, smt::Floats floats, Discharge& discharge) const;
    void ask_cvc5(const std::string& text, const smt::Outcome& outcome, Discharge& discharge) const;

    const Specification& specification_;
    const Ladder& ladder_;
    smt::Equality equality_;
};

}  // namespace haruspex::validator
