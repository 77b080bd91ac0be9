#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/worker.h"

// Work on a sequence of indices, spread over worker processes. Results are delivered in the order of the indices, as if
// one index were worked on after the other.
namespace haruspex::compiler {

struct Done {
    bool failed = false;  // the worker threw, or its process died
    std::string text;     // the answer, or how it failed
};

struct WorkInOrder {
    std::uint64_t count = 0;  // indices 0 … count - 1
    Worker::Work work;
    int jobs = 1;
    // The most indices that a worker holds: the one in progress and those queued behind it, so that it need not wait.
    std::size_t queue = 1;
    // The most indices that are given out while their results are not delivered yet.
    std::uint64_t most_ahead = 1;
    // Whether another index may be given out while `unheard` results are not delivered; not asked when `unheard` is 0.
    std::function<bool(std::uint64_t unheard)> may_begin = [](std::uint64_t) { return true; };
    // Receives the results in order; returning false ends the work.
    std::function<bool(std::uint64_t index, const Done& done)> on_done;
};

// Results that were finished or in progress when the work ended and were never delivered.
struct Surplus {
    std::vector<Done> done;
    std::uint64_t under_way = 0;
};

// Fails if no process can be started. A worker that dies loses only the index that it was working on.
[[nodiscard]] Result<Surplus> work_in_order(const WorkInOrder& order);

}  // namespace haruspex::compiler
