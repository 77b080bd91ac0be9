#pragma once

#include <cstdint>
#include <vector>

#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// The order in which strands take turns. By interleaving: first branches before second ones; the reverse; round robin;
// from the fourth one on random, but the same for the same number.
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
