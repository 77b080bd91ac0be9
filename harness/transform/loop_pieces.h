#pragma once

#include <optional>

#include "harness/transform/indices.h"
#include "harness/transform/workshop.h"

// Makes loops out of loops.
namespace haruspex::transform {

// The affine bounds of a loop.
struct LoopBounds {
    sare::Index min, extent;              // as written; they may mention surrounding affine lets
    sare::Index known_min, known_extent;  // with these lets substituted
};
// nullopt if a bound is not affine.
std::optional<LoopBounds> bounds_of(const sched::For& loop, const Around& around);

sched::Stmt loop(sched::LoopKind kind, const std::string& variable, const sare::Index& min, const sare::Index& extent,
                 sched::Block body);
// Returns the body with the loop's variable replaced by an index.
sched::Block at(sched::Block body, const std::string& variable, const sare::Index& index);
// Return copies with fresh names.
sched::For copied(const sched::For& loop, Workshop& workshop);
sched::Block copied(const sched::Block& block, Workshop& workshop);

// Replaces the statement at the site by several.
void replace(const Site& site, sched::Block by);

}  // namespace haruspex::transform
