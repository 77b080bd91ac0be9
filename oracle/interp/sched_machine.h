#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/result.h"
#include "generators/value/range.h"
#include "oracle/interp/sched_code.h"
#include "oracle/interp/sched_execution.h"
#include "oracle/interp/sched_memory.h"
#include "oracle/interp/sched_order.h"
#include "oracle/interp/sched_races.h"
#include "oracle/interp/sched_troubles.h"
#include "oracle/interp/sched_turns.h"

namespace haruspex::interp::loops {

// An allocator with which a growing vector leaves its new cells uninitialised, so that unread inputs cost nothing.
template <typename T>
struct Unwritten : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = Unwritten<U>;
    };
    template <typename U>
    void construct(U*) noexcept {}
    template <typename U, typename... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        std::construct_at(place, std::forward<Arguments>(arguments)...);
    }
};
using Cells = std::vector<value::Value, Unwritten<value::Value>>;

// An array while the program runs.
struct Store {
    // `broken`: its bounds were invalid, so it has no cells.
    enum class State : std::uint8_t { absent, live, freed, broken };
    State state = State::absent;
    bool is_freed = false;            // freed for certain, whatever its state was
    std::uint32_t uncertainties = 0;  // number of uncertainties in force when it was allocated
    Layout layout;
    std::vector<Span> spans;  // the spans of which the layout was made
    Cells cells;              // by place
    // For an input whose cells are requested when they are read: whether each has been. Otherwise empty.
    std::vector<bool> loaded;
    Shadows shadows;
    Touches touches;
};

// Runs a program's code once, its strands taking turns. Borrows everything.
class Machine {
public:
    Machine(const Code& code, const sched::Program& program, const TensorValues& inputs, const Options& options,
            Turns turns);

    // An Error if a limit is reached.
    [[nodiscard]] Result<Execution> run();

private:
    enum class Stop : std::uint8_t { none, ended, too_many_steps, too_many_cells };
    enum class Direction : std::uint8_t { read, write };

    // A variable whose value is part of the current position.
    struct Place {
        const std::string* variable;
        Slot slot;
    };
    // Makes the lane part of the position while this object lives.
    class LaneScope;
    // While this object lives, it is uncertain whether the program executes the running code.
    class Uncertainty;
    struct Iterations {
        std::int64_t next = 0, end = 0;
        bool is_uncertain = false;  // some of them may not exist
    };
    // A block that a strand is executing.
    struct Frame {
        const Steps* steps = nullptr;
        std::size_t next = 0;
        const ForStep* loop = nullptr;  // the loop whose body it is, if any
        Iterations iterations;
        std::uint32_t atomic_outside = 0;  // atomic_depth_ around it
    };
    // A running branch, or the whole program.
    struct Strand {
        StrandId id, parent;
        std::vector<Frame> frames;   // none once it has ended
        std::uint32_t branches = 0;  // running ones: it waits for their end
        struct Wanted {
            SemaphoreId semaphore;
            std::int64_t units = 0;
            StepId step;
        };
        std::optional<Wanted> wanted;  // the units it waits for
        // The machine's, while another strand runs.
        std::vector<Place> places;
        std::uint32_t atomic_depth = 0;
    };
    // Whether a strand continues, gives another one a turn, or ends the whole run; stop_ then has the reason.
    enum class Pace : std::uint8_t { goes_on, pauses, stops };

    // A write of a lane whose value is evaluated, but not yet stored.
    struct Planned {
        const WriteCode* write;
        std::int64_t lane;
        std::size_t place;
        value::Value value;
        bool is_uncertain = false;  // uncertain whether it is done
    };

    // Expressions (sched_expressions.cpp). Most operands are constants and variables, which need no call.
    Number number(NumberId id) {
        const NumberNode& node = code_.numbers[id.value];
        if (node.op == NumberOp::constant) { return {node.constant}; }
        if (node.op == NumberOp::variable) { return numbers_[node.slot]; }
        return compound(node);
    }
    Number compound(const NumberNode& node);
    value::Value value(ValueId id);
    value::Value embed(value::Type type, Number index);
    value::Value select(const ValueNode& node);
    value::Value reduce(const ValueNode& node);
    void bind(const ValueBinding& binding);
    value::Value load(const Access& access);
    // Finds the place of an access; false if there is none, after noting the trouble.
    bool locate(const Access& access, Direction direction, std::size_t& place);
    void explain_access(const Access& access, Direction direction, Flaw flaw);
    // Whether the number has a value; otherwise notes "… depends on …".
    template <typename... Text>
    bool is_usable(Number n, const Text&... what) {
        if (n.flaw == Flaw::none) [[likely]] { return true; }
        note_flaw(n.flaw, (std::string() + ... + what));
        return false;
    }
    void note_flaw(Flaw flaw, const std::string& what);

    // The range of a number or a value if each Uninit may be any value of its type (sched_ranges.cpp); nullopt if that
    // is unbounded, or may overflow. A number's range is one of i64, or of bool.
    std::optional<value::Range> range(NumberId id);
    std::optional<value::Range> range(ValueId id);
    std::optional<value::Range> compound_range(const NumberNode& node);
    std::optional<value::Range> compound_range(const ValueNode& node);
    // The iterations that a loop may have if a bound depends on Uninit; nullopt if they may be more than
    // most_doubtful_iterations.
    std::optional<Iterations> possible_iterations(const ForStep& step);

    void note(TroubleKind kind, const std::string& array, std::vector<std::int64_t> cell, const std::string& what);
    Troubles::Position position() const;

    // Statements (sched_statements.cpp). False ends the run; stop_ then has the reason.
    bool run(const Steps& steps);
    bool run(const Step& step);
    bool run(const LetStep& step);
    bool run(const LetValueStep& step);
    bool run(const AllocateStep& step);
    bool run(const FreeStep& step);
    bool run(const AssignStep& step);
    bool run(const IfStep& step);
    bool run_both(const IfStep& step);
    bool run(const ForStep& step);
    bool run(const AssertStep& step);
    bool run(const AtomicStep& step);
    bool run(const BlockStep& step) { return run(step.body); }
    bool run(const SemaphoreStep& step);
    // Begins a loop, and returns its iterations; nullopt ends the run.
    std::optional<Iterations> begin(const ForStep& step);
    bool begin_iteration(const ForStep& step, std::int64_t i);
    static bool is_par(const ForStep& step) { return step.level.value != 0; }

    bool stop(Stop why) {
        stop_ = why;
        return false;
    }
    bool count(std::uint64_t steps) {
        steps_ += steps + evaluated_ / numbers_per_step;
        evaluated_ %= numbers_per_step;
        return steps_ <= options_.most_steps || stop(Stop::too_many_steps);
    }
    // Evaluates the writes of one lane, if its condition holds.
    bool plan(const AssignStep& step, std::int64_t lane);
    void find_lane_conflicts(const AssignStep& step);
    void note_lane_conflicts();
    void note_lane_conflict(const Planned& a, const Planned& b);
    void perform(const Planned& planned);
    void note_prophecy(const WriteCode& write, const value::Value& v);

    // Strands (sched_strands.cpp).
    bool run_strands();
    // The strands that can continue, in ascending order.
    std::vector<StrandId> ready() const;
    void start(StrandId id, StrandId parent, const Steps& steps);
    // Runs the strand up to the next point where another one may take over.
    bool resume(Strand& strand);
    Pace advance(Strand& strand);
    Pace enter(Strand& strand, const Steps& steps);
    Pace enter_iteration(Strand& strand);
    Pace leave(Strand& strand);
    // Run the beginning of a step that may switch to another strand.
    Pace begin(Strand& strand, const IfStep& step);
    Pace begin(Strand& strand, const ForStep& step);
    Pace begin(Strand& strand, const AtomicStep& step);
    Pace begin(Strand& strand, const BlockStep& step) { return enter(strand, step.body); }
    Pace begin(Strand& strand, const AcquireStep& step);
    Pace begin(Strand& strand, const ReleaseStep& step);
    Pace begin(Strand& strand, const ForkStep& step);
    void note_deadlock(Strand& strand);
    // The number of units; nullopt if it is invalid, which ends the run.
    std::optional<std::int64_t> units(NumberId id, SemaphoreId semaphore);
    bool add_units(SemaphoreId semaphore, std::int64_t count);
    const std::string& name(SemaphoreId semaphore) const { return *code_.semaphores[semaphore.value]; }

    // Memory and races (sched_cells.cpp).

    // Allocates the array's cells. False ends the run: a dimension has no value, or a limit is reached.
    bool allocate(ArrayId array, const std::vector<DimensionCode>& dimensions);
    bool evaluate(const std::vector<DimensionCode>& dimensions, const std::string& array, std::vector<Span>& spans);
    void fill(ArrayId array);
    // Requests the input's cells, unless they can be requested when they are read.
    void open_input(ArrayId array);
    void load_input(ArrayId array, std::size_t place);
    void ask(ArrayId array, const std::vector<std::int64_t>& coordinates, std::size_t place);
    Result<Execution> cut_short(std::string reason);
    Execution result();
    void mark(const Access& access, Direction direction, std::size_t place);
    // Like mark, for all cells of a freed array.
    void mark_freed(const Access& access);
    void order(const Access& access, Direction direction, std::size_t place, std::string_view verb);
    Shadow& shadow(ArrayId array, LevelId level, std::size_t place);
    void end_iteration(LevelId level);
    void note_race(const Pending& access, const Conflict& conflict);
    void note_race_of_free(ArrayId array, std::size_t place, const Conflict& conflict);

    const std::string& name(ArrayId array) const { return *code_.arrays[array.value].name; }

    const Code& code_;
    const sched::Program& program_;
    const TensorValues& inputs_;
    const Options& options_;
    Filler filler_;
    std::vector<Number> numbers_;
    std::vector<value::Value> values_;
    std::vector<Store> stores_;
    Races races_;
    Order order_;
    std::vector<Units> semaphores_;
    std::vector<Strand> strands_;
    StrandId strand_;  // the running one
    Turns turns_;
    Troubles troubles_;
    StepId current_;
    // Ranges of bound variables that depend on Uninit, by slot; a let sets that of its variable.
    std::map<Slot, std::optional<value::Range>> number_ranges_, value_ranges_;
    std::uint32_t uncertainties_ = 0;  // number in force
    std::vector<Place> places_;
    std::vector<Planned> planned_;
    std::vector<std::int64_t> coordinates_;  // of an input's cell
    std::vector<Span> spans_;                // of the array being allocated
    std::uint32_t atomic_depth_ = 0;         // number of par loops that contain the current atomic block
    std::uint64_t steps_ = 0;
    static constexpr std::uint64_t numbers_per_step = 64;
    std::uint64_t evaluated_ = 0;  // numbers not yet counted as steps
    std::int64_t cells_ = 0;       // of all stores together
    Stop stop_ = Stop::none;
};

class Machine::Uncertainty {
public:
    Uncertainty(Machine& machine, bool is_uncertain) : machine_(machine), is_uncertain_(is_uncertain) {
        machine_.uncertainties_ += is_uncertain_ ? 1 : 0;
    }
    ~Uncertainty() { machine_.uncertainties_ -= is_uncertain_ ? 1 : 0; }
    Uncertainty(const Uncertainty&) = delete;
    Uncertainty& operator=(const Uncertainty&) = delete;

private:
    Machine& machine_;
    bool is_uncertain_;
};

class Machine::LaneScope {
public:
    LaneScope(Machine& machine, const LaneRange& lanes) : machine_(machine), is_named_(lanes.count > 0) {
        if (is_named_) { machine_.places_.push_back({lanes.variable, lanes.slot}); }
    }
    ~LaneScope() {
        if (is_named_) { machine_.places_.pop_back(); }
    }
    LaneScope(const LaneScope&) = delete;
    LaneScope& operator=(const LaneScope&) = delete;

private:
    Machine& machine_;
    bool is_named_;
};

}  // namespace haruspex::interp::loops
