#pragma once

namespace haruspex::cli {

// From now on this process, when it dies of a signal that it brought upon itself, says so and exits with own_fault: a
// library of ours crashed, most likely. In its children the signal stays what it is, for those who wait for them.
void exit_on_crashes();

}  // namespace haruspex::cli
