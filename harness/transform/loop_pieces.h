#pragma once

#include <optional>

#include "harness/transform/indices.h"
#include "harness/transform/workshop.h"

// Building loops out of loops.
namespace haruspex::transform {

// A loop whose bounds are affine, as they are written (with affine lets) and with the lets around replaced.
struct LoopBounds {
    sare::Index min, extent;
    sare::Index known_min, known_extent;
};
std::optional<LoopBounds> bounds_of(const sched::For& loop, const Around& around);

sched::Stmt loop(sched::LoopKind kind, const std::string& variable, const sare::Index& min, const sare::Index& extent,
                 sched::Block body);
// The body with an index in place of the loop's variable.
sched::Block at(sched::Block body, const std::string& variable, const sare::Index& index);
// Copies of a loop and its body with fresh names.
sched::For copied(const sched::For& loop, Workshop& workshop);
sched::Block copied(const sched::Block& block, Workshop& workshop);

// Puts statements in the place of one.
void replace(const Site& site, sched::Block by);

}  // namespace haruspex::transform
