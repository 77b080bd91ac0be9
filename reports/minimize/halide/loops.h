#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/directive.h"

// The loops that a schedule's directives name.
namespace haruspex::minimize::halide {

// Returns the loop of another tensor at which an action places its own tensor; null for other actions.
schedule::halide::LoopLevel* level_of(schedule::halide::Action& action);
// Returns every name of a loop of the action's own stage, including new ones, but no names of dimensions.
std::vector<std::string*> loop_names(schedule::halide::Action& action);

// Renames a loop of the stage in the directives from `from` on, and in the levels of all directives.
void rename_loop(schedule::halide::Schedule& schedule, std::size_t from, const schedule::halide::StageRef& stage,
                 const std::string& name, const std::string& by);

// Removes the name of a dimension of the tensor, or (with an update) of a recurrence variable, that is gone. Directives
// that name several loops keep the others. Directives that name only this one stay as they are and are not admitted.
void forget_loop(schedule::halide::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                 const std::string& name);

}  // namespace haruspex::minimize::halide
