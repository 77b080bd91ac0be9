#pragma once

#include <cstdint>
#include <vector>

#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// The order in which strands take turns. Interleaving 0 runs first branches before second branches, 1 does the reverse,
// 2 is round robin. All others are pseudo-random, with their number as the seed.
class Turns {
public:
    explicit Turns(std::uint32_t interleaving) : interleaving_(interleaving) {}

    // Chooses a strand from `ready`, which is in ascending order and not empty.
    StrandId choose(const std::vector<StrandId>& ready);

private:
    std::uint32_t interleaving_;
    std::uint64_t choices_ = 0;
    StrandId last_;
};

}  // namespace haruspex::interp::loops
