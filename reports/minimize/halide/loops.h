#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/directive.h"

// The loops that a schedule's directives name.
namespace haruspex::minimize::halide {

// Returns the loop, of another tensor, at which an action places its own tensor; null for an action of another kind.
schedule::halide::LoopLevel* level_of(schedule::halide::Action& action);
// Returns all names of loops in an action, including loops that it makes; not the loops of other tensors (level_of),
// and not names of dimensions.
std::vector<std::string*> loop_names(schedule::halide::Action& action);

// Renames the loop `name` of the stage to `by`: in the stage's directives from number `from` on, and in the levels of
// all directives.
void rename_loop(schedule::halide::Schedule& schedule, std::size_t from, const schedule::halide::StageRef& stage,
                 const std::string& name, const std::string& by);

// Removes from the tensor's directives the name of a variable that is gone: a dimension, or (if `update` is given) a
// recurrence variable of that update. A directive that names several loops keeps the others. A directive that names
// only this loop stays as it is, and will not be admitted.
void forget_loop(schedule::halide::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                 const std::string& name);

}  // namespace haruspex::minimize::halide
