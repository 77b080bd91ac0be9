#pragma once

#include <isl/cpp.h>

#include <optional>

#include "oracle/validator/discharge/sampling.h"
#include "oracle/validator/discharge/translation.h"
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"
#include "oracle/verdict/validation.h"

namespace haruspex::validator {

// Makes the two sides of a question mention the same cells: a part that is shown to refine a cell of the
// specification's side is replaced by that cell. Where that cell is Undef, so is everything computed from it, and
// nothing has to be shown.
class CommonCells {
public:
    // Borrows the specification and the sampling, if there is one.
    CommonCells(const Specification& specification, verdict::Floats floats, Sampling* sampling)
        : specification_(specification), floats_(floats), sampling_(sampling) {}

    // Replaces cells that refine a cell of the specification's side in all of the environments.
    Question in_cells(Question question) const;
    // Replaces each choice of an outline (a read that may find several expressions). nullopt if a choice refines no
    // cell.
    std::optional<Question> in_reads(Question question) const;

private:
    bool refines(const Term& s, const Term& i, const isl::set& environments) const;
    bool is_aligned(const Term& s, const Term& i, const isl::set& environments) const;

    const Specification& specification_;
    verdict::Floats floats_;
    Sampling* sampling_;
};

}  // namespace haruspex::validator
