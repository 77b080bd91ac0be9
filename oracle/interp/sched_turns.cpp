#include "oracle/interp/sched_turns.h"

#include <algorithm>

#include "generators/base/choice.h"

namespace haruspex::interp::loops {

StrandId Turns::choose(const std::vector<StrandId>& ready) {
    switch (interleaving_) {
        case 0: return ready.front();
        case 1: return ready.back();
        case 2: {
            const auto next = std::ranges::upper_bound(ready, last_);
            last_ = next == ready.end() ? ready.front() : *next;
            return last_;
        }
        default: return ready[derive_seed(interleaving_, choices_++) % ready.size()];
    }
}

}  // namespace haruspex::interp::loops
