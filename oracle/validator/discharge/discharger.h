#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "generators/affine/context.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/discharge/sampling.h"

namespace haruspex::validator {

// Discharges obligations one after the other (discharge.h), each within its share of isl's operations, which includes
// the evaluation that was deferred. An outline (obligation.h), if there is one, is tried first, with a part of the
// share, so that little is lost if it shows nothing. The size of the part depends on how earlier outlines did.
class Discharger {
public:
    // Borrows all arguments. At most `obligation_operations` for each attempt at an obligation (an outline, or the
    // obligation itself), charged to `left`.
    Discharger(const affine::Context& context, const Specification& specification, const heap::Templates& templates,
               bool exact_reals, std::uint64_t obligation_operations, std::uint64_t& left)
        : context_(context),
          specification_(specification),
          templates_(templates),
          sampling_(specification, exact_reals),
          obligation_operations_(obligation_operations),
          operations_left_(left) {}

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
    // Does work that is charged both to `left`, the rest of an obligation's share, and to the total.
    template <std::invocable Work>
    auto paid(std::uint64_t& left, Work&& work);
    std::uint64_t share(std::uint64_t part) const;

    const affine::Context& context_;
    const Specification& specification_;
    const heap::Templates& templates_;
    Sampling sampling_;
    std::uint64_t obligation_operations_;
    std::uint64_t& operations_left_;
    int lost_outlines_ = 0;    // outlines that cost too much
    bool is_patient_ = false;  // an outline showed an obligation that nothing else did
};

}  // namespace haruspex::validator
