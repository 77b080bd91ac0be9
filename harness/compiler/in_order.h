#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/worker.h"

// Work on one index after the other, spread over worker processes: what comes of it is heard in the order of the
// indices, as if each had been worked on only then.
namespace haruspex::compiler {

struct Done {
    bool failed = false;  // the worker threw, or its process died
    std::string text;     // the answer, or how it failed
};

struct WorkInOrder {
    std::uint64_t count = 0;  // indices 0 … count - 1
    Worker::Work work;
    int jobs = 1;
    // How many indices a worker has at most: the one it is at, and those queued behind it, for which it need not wait.
    std::size_t queue = 1;
    // How many are given out at most of which nothing was heard yet.
    std::uint64_t most_ahead = 1;
    // Whether one more is begun while nothing was heard of so many; asked where that is not 0.
    std::function<bool(std::uint64_t unheard)> may_begin = [](std::uint64_t) { return true; };
    // False ends the work.
    std::function<bool(std::uint64_t index, const Done& done)> on_done;
};

// What was worked on when the work ended and nobody heard of.
struct Surplus {
    std::vector<Done> done;
    std::uint64_t under_way = 0;
};

// An Error when no process can be started. A worker that dies loses the index that it was at, and no other.
[[nodiscard]] Result<Surplus> work_in_order(const WorkInOrder& order);

}  // namespace haruspex::compiler
