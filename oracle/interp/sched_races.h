#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/interp/sched_code.h"
#include "oracle/interp/sched_execution.h"

// Races between the iterations of par loops (U-PARLOOP).
//
// The rule evaluates every iteration i in the memory before the loop, obtains its differential memory δμ_i and its read
// set ρ_i, and requires that dom(δμ_i) # ρ_j and that δμ_i and δμ_j are compatible for all i ≠ j. Here iterations run
// one after the other on one memory. That finds a race exactly when the rule does: both agree up to the first read of a
// cell that a preceding iteration has changed, and that read itself is a race.
//
// Each cell of a shared array has a shadow for each par loop that encloses the access but not the allocation; loops of
// one level share it. An iteration ends before the next begins, so a shadow records only the actions of the current
// iteration on the cell, and those of earlier ones. A read-write race is found at the later access. Compatibility
// depends only on the values at the ends of iterations (races in between are covered, thesis 4.2). So when an iteration
// ends, the cells are compared that it wrote after an earlier iteration had written them. Only then is it also known
// whether all accesses of the iteration to a cell were atomic updates. An access inside nested par loops marks the
// shadows of all levels at once, which passes the read and write sets of the inner loops outward.
namespace haruspex::interp::loops {

struct Shadow {
    std::uint32_t stamp = 0;           // the iteration that touched the cell last; 0: none
    std::uint32_t reader = 0;          // an earlier iteration that read the cell
    std::uint32_t writer = 0;          // the last earlier one that wrote it
    std::uint8_t now = 0, before = 0;  // the actions of that iteration, and of those before it
};
// For an array: by level, then by place. Grown when needed.
using Shadows = std::vector<std::vector<Shadow>>;

struct Conflict {
    TroubleKind kind = TroubleKind::read_write_race;
    LevelId level;
    std::int64_t self = 0, other = 0;  // the loop's variable in the current and in the earlier iteration
    bool other_writes = false;         // otherwise it reads, and the current one writes or frees
};

// An access that is kept until its iteration ends.
struct Pending {
    ArrayId array;
    std::size_t place = 0;
    StepId step;
    value::Value before;  // the cell's value before the access
};

class Races {
public:
    Races(std::size_t levels, bool ignores_sign_of_zero) : loops_(levels), zeros_are_one_(ignores_sign_of_zero) {}

    // Begins a loop of the level.
    void begin_loop(LevelId level, const std::string* variable, std::int64_t min);
    // Gives the next iteration its stamp, which is unique in its level. False if there are no more stamps.
    [[nodiscard]] bool begin_iteration(LevelId level);
    const std::string& variable(LevelId level) const { return *loops_[level.value].variable; }

    // Record an access in the current iteration; `is_atomic`: inside an atomic block of the loop's body. Return a
    // conflict that is found at once; the others wait for the iteration's end.
    std::optional<Conflict> read(LevelId level, Shadow& shadow, bool is_atomic, const Pending& access);
    std::optional<Conflict> write(LevelId level, Shadow& shadow, bool is_atomic, const Pending& access);

    // Records that the array is freed; the shadow is that of one of its cells. An earlier iteration that accessed the
    // cell is a conflict; a later one accesses freed memory.
    std::optional<Conflict> free(LevelId level, Shadow& shadow);

    bool has_pending(LevelId level) const { return !loops_[level.value].pending.empty(); }
    // Judges the pending accesses of the iteration, in order, and discards them. `look` gives a cell's shadow and its
    // current value.
    struct Cell {
        Shadow* shadow = nullptr;
        value::Value value;
    };
    void end_iteration(LevelId level, const std::function<Cell(const Pending&)>& look,
                       const std::function<void(const Pending&, const Conflict&)>& report);

private:
    struct Loop {
        const std::string* variable = nullptr;
        std::int64_t min = 0;
        std::uint32_t first = 1, current = 0;  // stamps of the first iteration, and of the current one
        std::vector<Pending> pending;
    };

    // Assigns the shadow to the current iteration.
    static void enter(const Loop& loop, Shadow& shadow);
    Conflict conflict(TroubleKind kind, LevelId level, const Shadow& shadow, bool other_writes) const;
    std::optional<Conflict> judge(LevelId level, const Pending& access, const Cell& cell) const;

    std::vector<Loop> loops_;
    bool zeros_are_one_;
};

// Whether two values of a cell are interchangeable (Options). Any NaN is as good as any other; two Undefs are the same,
// and so are two Uninits.
bool is_same(const value::Value& a, const value::Value& b, bool ignores_sign_of_zero);

}  // namespace haruspex::interp::loops
