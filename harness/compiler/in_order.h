#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/worker.h"

// Spreads work on a sequence of indices over worker processes. Results are delivered in the order of the indices, as if
// the work were done on one index after the other.
namespace haruspex::compiler {

struct Done {
    bool failed = false;  // the worker threw, or its process died
    std::string text;     // the answer, or a description of the failure
};

struct WorkInOrder {
    std::uint64_t count = 0;  // indices 0 … count - 1
    Worker::Work work;
    int jobs = 1;
    // Limit on the CPU time of a worker for an index (Worker::start).
    std::optional<std::chrono::seconds> most_time = {};
    // The most indices that a worker holds: the one in progress, and those queued so that the worker need not wait.
    std::size_t queue = 1;
    // The most indices that may be given out before their results are delivered.
    std::uint64_t most_ahead = 1;
    // Whether another index may be given out while the results of `unheard` indices are not delivered. Not called if
    // `unheard` is 0.
    std::function<bool(std::uint64_t unheard)> may_begin = [](std::uint64_t) { return true; };
    // Receives the results in order; returning false ends the work.
    std::function<bool(std::uint64_t index, const Done& done)> on_done;
};

// The work that was never delivered because on_done returned false.
struct Undelivered {
    std::vector<Done> done;       // finished results
    std::uint64_t under_way = 0;  // how many workers were working on an index
};

// Does the work. Fails if a worker process cannot be started. A worker that dies loses only the index that it was
// working on.
[[nodiscard]] Result<Undelivered> work_in_order(const WorkInOrder& order);

}  // namespace haruspex::compiler
