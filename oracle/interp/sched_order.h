#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "oracle/interp/sched_code.h"
#include "oracle/interp/sched_execution.h"

// The happens-before order between branches of forks, which run concurrently (sched/syntax.h). A strand is a branch, or
// the code outside all forks; no two runs of one strand overlap.
//
// Each strand has its own time, and a clock: for each strand, the time up to which its actions happened before. An
// access of another strand is unordered if its time is later than the clock's entry. Units of a semaphore carry the
// clock of their release to the strand that takes them. The units released first are taken first, so that an acquire is
// ordered only after the releases without which it could not have continued, however late it was run.
namespace haruspex::interp::loops {

using Clock = std::vector<std::uint32_t>;  // by strand

// The last access of a strand to a cell.
struct Touch {
    std::uint32_t time = 0;  // 0: none
    StepId step;
};
// For an array: by place, and for each place by strand. Grown when needed.
struct Touches {
    std::vector<Touch> reads, writes;
};

// An access that is unordered with another strand's.
struct UnorderedAccess {
    TroubleKind kind = TroubleKind::read_write_race;
    bool other_writes = false;  // otherwise it reads, and the current one writes or frees
    StepId other;
};

class Order {
public:
    explicit Order(std::uint32_t strands);

    // The strand splits into two, which begin.
    void fork(StrandId strand, StrandId first, StrandId second);
    // The branch of the strand has ended.
    void join(StrandId strand, StrandId branch);

    // Returns the clock of a strand's actions so far, to be passed to `learn` for a strand that is ordered after them.
    // The strand's further actions get a later time.
    Clock publish(StrandId strand);
    void learn(StrandId strand, const Clock& clock);

    // Record an access in the strand to one of the array's `cells`, and return an earlier access that is unordered with
    // it, if there is one. Freeing the array counts as a write to each cell.
    std::optional<UnorderedAccess> read(StrandId strand, Touches& touches, std::size_t cells, std::size_t place,
                                        StepId step);
    std::optional<UnorderedAccess> write(StrandId strand, Touches& touches, std::size_t cells, std::size_t place,
                                         StepId step);

private:
    std::optional<UnorderedAccess> find_unordered(StrandId strand, const Touch* touches, bool other_writes) const;
    Touch* at(std::vector<Touch>& touches, std::size_t cells, std::size_t place) const;

    std::vector<Clock> clocks_;
};

// A semaphore while the program runs.
class Units {
public:
    std::int64_t count() const { return count_; }
    // Adds units; false if their sum does not fit 64 bits. `count` is not negative.
    [[nodiscard]] bool add(std::int64_t count, Clock known);
    // Takes units, at most as many as are available.
    void take(std::int64_t count, Order& order, StrandId strand);

private:
    struct Batch {
        std::int64_t count;
        Clock known;
    };
    std::int64_t count_ = 0;
    std::deque<Batch> batches_;  // in the order of their release
};

}  // namespace haruspex::interp::loops
