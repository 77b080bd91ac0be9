#pragma once

#include <cstdint>
#include <optional>

#include "oracle/validator/discharge/budgets.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/discharge/sampling.h"

namespace haruspex::validator {

// Discharges obligations one after the other (discharge.h), each within its share of isl's operations, which includes
// the evaluation that was deferred. An outline (obligation.h), if there is one, is tried first, with a part of the
// share, so that little is lost if it shows nothing. The size of the part depends on how earlier outlines did.
class Discharger {
public:
    // Borrows all arguments.
    Discharger(const Specification& specification, const heap::Templates& templates, bool exact_reals, Budgets& budgets)
        : specification_(specification),
          templates_(templates),
          sampling_(specification, exact_reals),
          budgets_(budgets) {}

    // `is_hopeless`: some obligation is not shown already, because its budget was spent.
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
    int lost_outlines_ = 0;    // outlines that cost too much
    bool is_patient_ = false;  // an outline showed an obligation that nothing else did
};

}  // namespace haruspex::validator
