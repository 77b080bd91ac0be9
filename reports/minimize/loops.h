#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/directive.h"

// The loops that a schedule's directives name.
namespace haruspex::minimize {

// The loop of another tensor at which an action places its own; null for actions that do not.
schedule::LoopLevel* level_of(schedule::Action& action);
// Every name of a loop of the directive's own stage, new ones too; not those of dimensions.
std::vector<std::string*> loop_names(schedule::Action& action);

// From directive `from` on, the loop of the stage is called by another name, in levels of other tensors too.
void rename_loop(schedule::Schedule& schedule, std::size_t from, const schedule::StageRef& stage,
                 const std::string& name, const std::string& by);

// A dimension of the tensor is gone, or (with an update) a recurrence variable: directives that name several loops name
// the others, those that name it alone stay as they are and are not admitted.
void forget_loop(schedule::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                 const std::string& name);

}  // namespace haruspex::minimize
