#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Whether folding the storage is certain to work (StorageFolding.cpp). Halide folds where it can, checks the rest at
// run time ("halide_error_bad_fold", "halide_error_fold_factor_too_small"), and ignores a fold that has no loop to work
// on. Admitted is the case without doubt: a pure tensor that is stored outside the loop where it is computed; read by
// one stage only, at `stride · y + offset` in the folded dimension, where the compute level is that stage's loop over y
// or the outer loop of its only split, and then the outermost inside the store level; and a factor that holds what one
// iteration of that loop reads.
[[nodiscard]] Result<void> check_fold(const ScheduleState& state, const TensorState& tensor, const FoldState& fold,
                                      Levels& levels);

}  // namespace haruspex::schedule::halide
