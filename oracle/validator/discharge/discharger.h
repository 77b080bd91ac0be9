#pragma once

#include <cstdint>
#include <optional>

#include "oracle/validator/discharge/budgets.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/discharge/sampling.h"

namespace haruspex::validator {

// Discharges obligations one after the other (discharge.h), each within a share of isl's operations. The share also
// pays for the evaluation of the obligation, if that was deferred (obligation.h). An outline, if there is one, is tried
// first, with a small budget of its own, so that little is lost if it shows nothing. The size of that budget depends on
// how earlier outlines did.
class Discharger {
public:
    // Borrows all arguments.
    Discharger(const Specification& specification, const heap::Templates& templates, bool exact_reals, Budgets& budgets,
               smt::SolverSession& solvers)
        : specification_(specification),
          templates_(templates),
          sampling_(specification, exact_reals),
          budgets_(budgets),
          solvers_(solvers) {}

    // `is_hopeless`: an earlier obligation spent its budget and was not shown, so there can be no proof any more. This
    // obligation then gets only a part of its share.
    Discharge discharge(const Obligation& obligation, const Ladder& ladder, bool is_hopeless);

private:
    struct Outlined {
        std::optional<Rung> rung;
        bool is_exhausted = false;
    };

    Outlined outlined(const Obligation& obligation, const Ladder& ladder, std::uint64_t part);
    // Discharges the obligation itself, with all lets replaced by their definitions.
    Discharge resolved(const Obligation& obligation, const Ladder& ladder, bool is_hopeless);

    const Specification& specification_;
    const heap::Templates& templates_;
    Sampling sampling_;
    Budgets& budgets_;
    smt::SolverSession& solvers_;
    int lost_outlines_ = 0;  // outlines that cost too much
    // An outline showed an obligation after everything else had failed, so later outlines get a larger budget.
    bool is_patient_ = false;
};

}  // namespace haruspex::validator
