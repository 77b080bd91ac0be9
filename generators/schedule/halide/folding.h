#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Checks that folding the storage is certain to work (StorageFolding.cpp). Halide folds where it can, checks the rest
// at run time ("halide_error_bad_fold", "halide_error_fold_factor_too_small"), and ignores a fold without a loop to
// work on. A fold is admitted only under these conditions, among others: The tensor has no updates, and is stored
// outside the loop where it is computed. A single stage reads it, at `stride · y + offset` in the folded dimension. The
// compute level is that stage's loop over y, or the outer loop of y's only split. In the second case, no other loop is
// between the store level and the compute level. The factor is at least the number of cells that one iteration of the
// compute level's loop reads.
[[nodiscard]] Result<void> check_fold(const ScheduleState& state, const TensorState& tensor, const FoldState& fold,
                                      Levels& levels);

}  // namespace haruspex::schedule::halide
