#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "generators/affine/context.h"
#include "oracle/validator/discharge.h"
#include "oracle/validator/sampling.h"

namespace haruspex::validator {

// The discharge of one obligation after the other (discharge.h), each within its share of isl's operations. What is
// obliged is evaluated here as well, as far as evaluation put it off. An outline is tried first where there is one
// (obligation.h), for a part of the share: little is lost when it shows nothing. How large that part is depends on how
// the outlines before it did.
class Discharger {
public:
    // Borrows all of it. At most `obligation_operations` for each obligation, paid from `left`.
    Discharger(const affine::Context& context, const Specification& specification, const heap::Templates& templates,
               bool exact_reals, std::uint64_t obligation_operations, std::uint64_t& left)
        : context_(context),
          specification_(specification),
          templates_(templates),
          sampling_(specification, exact_reals),
          obligation_operations_(obligation_operations),
          operations_left_(left) {}

    // `is_hopeless`: there is an obligation already that is not shown because its budget was spent.
    Discharge discharge(const Obligation& obligation, const Ladder& ladder, bool is_hopeless);

private:
    struct Outlined {
        std::optional<Rung> rung;
        bool is_exhausted = false;
    };

    Outlined outlined(const Obligation& obligation, const Ladder& ladder, std::uint64_t part);
    // With what they stand for in the place of all lets.
    Discharge resolved(const Obligation& obligation, const Ladder& ladder, bool is_hopeless);
    // Paid from what is left for an obligation, and for all.
    template <std::invocable Work>
    auto paid(std::uint64_t& left, Work&& work);
    std::uint64_t share(std::uint64_t part) const;

    const affine::Context& context_;
    const Specification& specification_;
    const heap::Templates& templates_;
    Sampling sampling_;
    std::uint64_t obligation_operations_;
    std::uint64_t& operations_left_;
    int lost_outlines_ = 0;    // that cost too much
    bool is_patient_ = false;  // an outline showed what nothing else did
};

}  // namespace haruspex::validator
