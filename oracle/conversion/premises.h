#pragma once

#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/conversion/conversion.h"

namespace haruspex::conversion {

// Takes the assertions from the head of a program, before anything is done, and returns those of these parameters that
// do not hold by themselves. Of the buffers that are passed the conventions say more than what is asserted of them; an
// assertion of data stays where it is.
std::vector<Premise> take_premises(sched::Block& body, const std::vector<std::string>& parameters);

}  // namespace haruspex::conversion
