#pragma once

namespace haruspex::cli {

// Makes this process report a fatal signal of its own, most likely a crash of a library, and exit with own_fault.
// Children still die of such a signal, so that their parents see it.
void exit_on_crashes();

}  // namespace haruspex::cli
