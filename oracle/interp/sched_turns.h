#pragma once

#include <cstdint>
#include <vector>

#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// In which order strands take turns: first branches before second ones; the other way round; each in turn; from the
// fourth interleaving on at random, always the same for the same number.
class Turns {
public:
    explicit Turns(std::uint32_t interleaving) : interleaving_(interleaving) {}

    // One of them; they are in ascending order, and there is at least one.
    StrandId choose(const std::vector<StrandId>& ready);

private:
    std::uint32_t interleaving_;
    std::uint64_t choices_ = 0;
    StrandId last_;
};

}  // namespace haruspex::interp::loops
