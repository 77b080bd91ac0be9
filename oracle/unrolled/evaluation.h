#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/interp/sched_code.h"
#include "oracle/interp/sched_memory.h"
#include "oracle/refinement/prover.h"
#include "oracle/refinement/values.h"
#include "oracle/unrolled/reference.h"

// Runs a SCHED program at given sizes on terms: control and indices are numbers, and cells hold Terms (thesis Fig. 5.3
// and 5.4, in the single environment at each point of the run).
//
// If the prophecy of a write is a cell of the specification, and the value that the write computes is shown to refine
// the cell's value, then memory holds the cell's value after the write; otherwise it holds the computed value. (Within
// par loops the cell's value must also never be Undef.) So a wrong prophecy changes nothing, and a missing one costs
// only a longer term.
//
// The accessed cells and their order do not depend on the inputs; otherwise the run is given up. Bounds, read-write
// races and uses after free are therefore the same for all inputs, and the caller has run the program on one input
// (unrolled.h). Properties that do depend on the inputs are checked here: iterations of a par loop, and lanes, that
// write one cell must leave the same value; iterations that update a cell atomically must use an operator that allows
// any order.
//
// Branches of forks are run in one interleaving. A semaphore is released by one branch only and acquired by one branch
// only, and not by several iterations of a par loop; otherwise the run is given up. Then the units that an acquire
// takes, and the happens-before order, are the same in all interleavings and for all inputs. The caller's run has found
// no race in that order, so all interleavings end with the same memory.
namespace haruspex::unrolled {

using refinement::Prover;

namespace loops = interp::loops;

class Evaluation {
public:
    // Borrows its arguments. Throws GivenUp, here and below.
    Evaluation(const loops::Code& code, const sched::Program& program, Values& values, Reference& reference,
               Prover& prover, std::uint64_t most_steps);

    void run();
    // After the run: the value of an output's cell; nullopt if the program has no such array or cell.
    std::optional<Term> output(const std::string& tensor, int component,
                               const std::vector<std::int64_t>& coordinates) const;

private:
    // An index or condition: a number, or a bool that depends on the inputs.
    struct Scalar {
        loops::Number number;
        std::optional<Term> term;
    };
    struct Store {
        bool is_live = false;
        loops::Layout layout;
        std::vector<Term> cells;      // by place
        std::vector<bool> is_loaded;  // for an input: which cells are loaded
    };
    using Cell = std::pair<std::uint32_t, std::size_t>;  // array and place
    // A write whose value is evaluated, but not yet stored.
    struct Planned {
        const loops::WriteCode* write = nullptr;
        std::int64_t lane = 0;
        std::size_t place = 0;
        Term value;
    };
    // Updates of a cell by iterations in atomic blocks.
    struct Updates {
        std::uint64_t first_iteration = 0;
        bool is_shared = false;             // by several iterations
        std::optional<value::BinaryOp> op;  // common to all updates, if its order does not matter
    };
    // A running par loop.
    struct ParLoop {
        std::uint64_t iteration = 0;
        std::map<Cell, Updates> updates;
        std::vector<Cell> written;         // in this iteration, by all its branches
        std::map<Cell, Term> left_before;  // by earlier iterations
    };
    using ParLoops = std::vector<std::shared_ptr<ParLoop>>;  // the innermost last

    // A block that a strand is executing.
    struct Frame {
        const loops::Steps* steps = nullptr;
        std::size_t next = 0;
        const loops::ForStep* loop = nullptr;  // the loop whose body it is, if any
        std::int64_t at = 0, end = 0;          // its iterations
    };
    // A running branch, or the whole program.
    struct Strand {
        std::optional<loops::StrandId> parent;
        std::vector<Frame> frames;   // none once it has ended
        std::uint32_t branches = 0;  // running ones: it waits for their end
        // The units it waits for.
        std::optional<std::pair<loops::SemaphoreId, std::int64_t>> wanted;
        ParLoops par_loops;  // the value of par_loops_ for it, while another strand runs
    };
    struct Semaphore {
        std::int64_t units = 0;
        std::size_t par_loops = 0;                          // number of par loops around it
        std::optional<loops::StrandId> releases, acquires;  // the strand that releases it, and the one that acquires
    };

    Scalar scalar(loops::NumberId id);
    Scalar arithmetic(loops::Arithmetic op, const Scalar& a, const Scalar& b);
    std::int64_t integer(loops::NumberId id, const char* what);
    bool decided(loops::NumberId id, const char* what) { return integer(id, what) != 0; }
    Term condition(const Scalar& s);
    Term written_condition(const Scalar& s);
    Term embed(value::Type type, const Scalar& s);
    Term value(loops::ValueId id);
    void bind(const loops::ValueBinding& binding);
    Term load(const loops::Access& access);
    std::size_t locate(const loops::Access& access);

    void run(const loops::Steps& steps);
    void run(const loops::Step& step);
    void run(const loops::LetStep& step) { scalars_[step.slot] = scalar(step.value); }
    void run(const loops::LetValueStep& step) { bind(step.binding); }
    void run(const loops::AllocateStep& step);
    void run(const loops::FreeStep& step);
    void run(const loops::AssignStep& step);
    void run(const loops::IfStep& step);
    void run(const loops::ForStep& step);
    void run(const loops::AssertStep& step);
    void run(const loops::AtomicStep& step);
    void run(const loops::BlockStep& step) { run(step.body); }
    void run(const loops::SemaphoreStep& step);
    static bool is_par(const loops::ForStep& step) { return step.level.value != 0; }
    std::pair<std::int64_t, std::int64_t> begin_loop(const loops::ForStep& step);
    void begin_iteration(const loops::ForStep& step, std::int64_t i);
    void end_iteration(const loops::ForStep& step);
    void end_loop(const loops::ForStep& step);

    // Branches take turns when one waits (strands.cpp).
    void run_strands();
    void resume(loops::StrandId id);
    // False if the strand has to wait.
    bool advance(loops::StrandId id);
    void leave(Strand& strand);
    void enter_iteration(Strand& strand);
    void start(loops::StrandId id, std::optional<loops::StrandId> parent, const loops::Steps& steps);
    // Run the beginning of a step that may switch to another strand.
    bool begin(loops::StrandId id, const loops::IfStep& step);
    bool begin(loops::StrandId id, const loops::ForStep& step);
    bool begin(loops::StrandId id, const loops::BlockStep& step);
    bool begin(loops::StrandId id, const loops::AcquireStep& step);
    bool begin(loops::StrandId id, const loops::ReleaseStep& step);
    bool begin(loops::StrandId id, const loops::ForkStep& step);
    std::int64_t units(loops::NumberId id);
    void note_use(const Semaphore& semaphore) const;

    void allocate(loops::ArrayId array, const std::vector<loops::DimensionCode>& dimensions);
    void open_input(loops::ArrayId array);
    Term input(loops::ArrayId array, const std::vector<std::int64_t>& coordinates);
    void plan(const loops::AssignStep& step, std::int64_t lane);
    Term updated(const loops::WriteCode& write);
    void note_update(const Cell& cell, std::optional<value::BinaryOp> op);
    void compare_lanes() const;
    void perform(const Planned& planned);
    std::optional<Term> prophesied(const loops::WriteCode& write);
    void count(std::uint64_t steps);

    const loops::Code& code_;
    const sched::Program& program_;
    Values& values_;
    Reference& reference_;
    Prover& prover_;
    std::uint64_t steps_left_;
    std::vector<Scalar> scalars_;                        // by slot
    std::vector<Term> value_frame_;                      // by slot
    std::vector<Store> stores_;                          // by array
    std::vector<bool> updated_;                          // by array: written in atomic blocks inside par loops
    bool is_atomic_ = false;                             // inside such a block
    bool is_rounded_ = false;                            // a cell is known only up to rounding
    std::optional<std::pair<Cell, Term>> updated_cell_;  // the cell under update, and an unknown for it
    ParLoops par_loops_;                                 // of the running strand
    std::vector<Strand> strands_;
    std::vector<Semaphore> semaphores_;
    std::vector<Planned> planned_;
    std::map<const loops::WriteCode*, int> in_vain_;  // by write: how often its prophecy was not shown
};

}  // namespace haruspex::unrolled
