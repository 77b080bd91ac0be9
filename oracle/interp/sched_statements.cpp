#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "generators/base/ensure.h"
#include "oracle/interp/sched_machine.h"

// Execution of statements (thesis Fig. 4.5, RED-U rules of 7.3.6).
namespace haruspex::interp::loops {

bool Machine::run(const Steps& steps) {
    return std::ranges::all_of(steps, [this](const Step& step) { return run(step); });
}

bool Machine::run(const Step& step) {
    current_ = step.id;
    if (!count(1)) { return false; }
    const bool goes_on = std::visit(
        [this](const auto& node) {
            if constexpr (requires { run(node); }) {
                return run(node);
            } else {
                ENSURE(false, "a step at which strands take turns is not run at once");
                return false;
            }
        },
        step.node);
    if (!goes_on) { return false; }
    // Lanes within an expression may have reached the limit.
    return stop_ == Stop::none;
}

bool Machine::run(const LetStep& step) {
    numbers_[step.slot] = number(step.value);
    if (numbers_[step.slot].flaw == Flaw::uninit) [[unlikely]] { number_ranges_[step.slot] = range(step.value); }
    return true;
}

bool Machine::run(const LetValueStep& step) {
    bind(step.binding);
    return true;
}

bool Machine::run(const AllocateStep& step) {
    stores_[step.array.value].is_freed = false;
    if (step.condition) {
        const Number condition = number(*step.condition);
        if (!is_usable(condition, "whether ", name(step.array), " is allocated")) { return stop(Stop::ended); }
        if (condition.value == 0) {
            stores_[step.array.value].state = Store::State::absent;
            return true;
        }
    }
    return allocate(step.array, step.dimensions);
}

bool Machine::run(const FreeStep& step) {
    const Access& access = code_.accesses[step.access];
    Store& store = stores_[access.array.value];
    // In doubt, both branches of an `if` are run, but an execution of the program runs only one.
    if (uncertainties_ == 0) {
        if (store.is_freed) {
            note(TroubleKind::free_after_free, name(access.array), {},
                 "frees " + name(access.array) + ", which is freed");
        }
        store.is_freed = true;
        if (access.is_shared() && store.state == Store::State::live) { mark_freed(access); }
    }
    if (store.state == Store::State::live) { store.state = Store::State::freed; }
    return true;
}

bool Machine::run(const IfStep& step) {
    const Number condition = number(step.condition);
    if (condition.flaw == Flaw::uninit) { return run_both(step); }
    if (!is_usable(condition, "which branch is taken")) { return stop(Stop::ended); }
    return run(condition.value != 0 ? step.then : step.otherwise);
}

// Either side may be the one that runs. The first leaves Uninit, so the second does not depend on it.
bool Machine::run_both(const IfStep& step) {
    const Uncertainty doubt(*this, true);
    return run(step.then) && run(step.otherwise);
}

std::optional<Machine::Iterations> Machine::begin(const ForStep& step) {
    const Number min = number(step.min);
    const Number extent = number(step.extent);
    const Number end = compute(Arithmetic::add, min, extent);
    std::optional<Iterations> iterations;
    if (end.flaw == Flaw::none) { iterations = {min.value, end.value}; }
    if (end.flaw == Flaw::uninit) { iterations = possible_iterations(step); }
    if (!iterations) {
        note_flaw(end.flaw, "a bound of the loop over " + *step.variable);
        stop(Stop::ended);
        return std::nullopt;
    }
    places_.push_back({step.variable, step.slot});
    if (is_par(step)) { races_.begin_loop(step.level, step.variable, iterations->next); }
    return iterations;
}

bool Machine::begin_iteration(const ForStep& step, std::int64_t i) {
    numbers_[step.slot] = {i};
    if (!count(1)) { return false; }
    return !is_par(step) || races_.begin_iteration(step.level) || stop(Stop::too_many_steps);
}

bool Machine::run(const ForStep& step) {
    const StepId self = current_;
    auto iterations = begin(step);
    if (!iterations) { return false; }
    const Uncertainty doubt(*this, iterations->is_uncertain);
    for (; iterations->next < iterations->end; ++iterations->next) {
        if (!begin_iteration(step, iterations->next) || !run(step.body)) { return false; }
        if (is_par(step)) { end_iteration(step.level); }
    }
    current_ = self;
    places_.pop_back();
    return true;
}

bool Machine::run(const AssertStep& step) {
    const Number condition = number(step.condition);
    if (!is_usable(condition, "an assertion")) { return stop(Stop::ended); }
    if (condition.value != 0) { return true; }
    note(TroubleKind::assertion_failed, {}, {}, "fails with \"" + *step.message + "\"");
    return stop(Stop::ended);
}

bool Machine::run(const AtomicStep& step) {
    const std::uint32_t outside = atomic_depth_;
    atomic_depth_ = step.depth;
    const bool goes_on = run(step.body);
    atomic_depth_ = outside;
    return goes_on;
}

bool Machine::run(const AssignStep& step) {
    planned_.clear();
    if (step.lanes.count == 0) {
        if (!plan(step, 0)) { return false; }
        for (const Planned& planned : planned_) { perform(planned); }
        return true;
    }
    const LaneScope scope(*this, step.lanes);
    if (!count(static_cast<std::uint64_t>(step.lanes.count))) { return false; }
    Number& lane = numbers_[step.lanes.slot];
    for (std::int64_t l = 0; l < step.lanes.count; ++l) {
        lane = {l};
        if (!plan(step, l)) { return false; }
    }
    find_lane_conflicts(step);
    for (const Planned& planned : planned_) {
        lane = {planned.lane};
        perform(planned);
    }
    return true;
}

namespace {

// The value that a write leaves if it is uncertain whether it is done.
value::Value doubtful(const value::Value& v) { return v.is_undef() ? v : value::Value::uninit(v.type()); }

}  // namespace

bool Machine::plan(const AssignStep& step, std::int64_t lane) {
    bool is_uncertain = false;
    if (step.condition) {
        const Number condition = number(*step.condition);
        is_uncertain = condition.flaw == Flaw::uninit;
        if (!is_uncertain && !is_usable(condition, "whether it is done")) { return stop(Stop::ended); }
        if (!is_uncertain && condition.value == 0) { return true; }
    }
    for (const WriteCode& write : step.writes) {
        const Access& access = code_.accesses[write.access];
        // Readers of an array that is allocated within a doubt are within it, too.
        const bool may_be_kept = is_uncertain || uncertainties_ > stores_[access.array.value].uncertainties;
        const value::Value v = may_be_kept ? doubtful(value(write.value)) : value(write.value);
        std::size_t place = 0;
        if (locate(access, Direction::write, place)) {
            planned_.push_back({&write, lane, place, v, is_uncertain || uncertainties_ > 0});
        }
    }
    return true;
}

// Usually the places of the lanes ascend or descend strictly, and then no two are the same.
void Machine::find_lane_conflicts(const AssignStep& step) {
    const std::size_t stride = step.writes.size();
    const auto is_strict = [&](auto precedes) {
        for (std::size_t i = stride; i < planned_.size(); ++i) {
            const Planned& a = planned_[i - stride];
            const Planned& b = planned_[i];
            if (a.write != b.write || !precedes(a.place, b.place)) { return false; }
        }
        return true;
    };
    if (!step.repeats_array && (is_strict(std::less<>()) || is_strict(std::greater<>()))) { return; }
    note_lane_conflicts();
}

// Two lanes conflict if their last writes to one cell do not leave the same value, or if a write of either to it
// accumulates. Compares the lanes in order, each with the first one, up to the first conflict.
void Machine::note_lane_conflicts() {
    const auto cell = [&](const Planned* p) {
        return std::pair(code_.accesses[p->write->access].array.value, p->place);
    };
    std::vector<const Planned*> sorted;
    for (const Planned& planned : planned_) { sorted.push_back(&planned); }
    std::ranges::sort(sorted, std::less<>(), [&](const Planned* p) { return std::pair(cell(p), p); });
    // A lane's last write to the cell, or its last accumulation.
    const auto of_lane = [&](std::size_t begin, std::size_t end) {
        const Planned* last = sorted[end - 1];
        for (std::size_t i = begin; i < end; ++i) {
            if (sorted[i]->write->accumulation) { last = sorted[i]; }
        }
        return last;
    };
    const Planned* first = nullptr;
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
        const bool is_new_cell = begin == 0 || cell(sorted[begin - 1]) != cell(sorted[begin]);
        while (end < sorted.size() && cell(sorted[end]) == cell(sorted[begin]) &&
               sorted[end]->lane == sorted[begin]->lane) {
            ++end;
        }
        const Planned* here = of_lane(begin, end);
        if (is_new_cell) {
            first = here;
            continue;
        }
        // One of two accumulations would be lost, whatever they add.
        const bool accumulates = first->write->accumulation || here->write->accumulation;
        if (accumulates || !is_same(first->value, here->value, options_.ignores_sign_of_zero)) {
            return note_lane_conflict(*first, *here);
        }
    }
}

void Machine::note_lane_conflict(const Planned& a, const Planned& b) {
    numbers_[places_.back().slot] = {b.lane};
    const Access& access = code_.accesses[b.write->access];
    const auto indices = stores_[access.array.value].layout.indices(b.place);
    const auto doing = [](const Planned& p) {
        return (p.write->accumulation ? "accumulates " : "writes ") + value::to_string(p.value);
    };
    note(TroubleKind::lane_conflict, name(access.array), indices,
         fmt::format("{} in {}, where lane {} {}", doing(b), cell_name(name(access.array), indices), a.lane, doing(a)));
}

void Machine::perform(const Planned& planned) {
    const WriteCode& write = *planned.write;
    const std::size_t place = planned.place;
    const value::Value& v = planned.value;
    const Access& access = code_.accesses[write.access];
    if (access.is_shared()) {
        // RED-U-OPASSIGN: the location is both in δμ and in ρ.
        if (write.accumulation) { mark(access, Direction::read, place); }
        mark(access, Direction::write, place);
    }
    value::Value& cell = stores_[access.array.value].cells[place];
    cell = write.accumulation ? value::apply(*write.accumulation, cell, v) : v;
    if (write.prophecy && !planned.is_uncertain) { note_prophecy(write, v); }
}

void Machine::note_prophecy(const WriteCode& write, const value::Value& v) {
    ProphesiedWrite prophesied{.write = write.source,
                               .tensor = write.prophecy->access->tensor,
                               .component = write.prophecy->access->component,
                               .value = v};
    const auto evaluate = [&](const std::vector<NumberId>& ids, std::vector<std::int64_t>& result) {
        for (const NumberId id : ids) {
            const Number n = number(id);
            if (n.flaw != Flaw::none) { return false; }
            result.push_back(n.value);
        }
        return true;
    };
    if (evaluate(write.prophecy->indices, prophesied.coordinates) &&
        evaluate(write.prophecy->reduced, prophesied.reduced)) {
        options_.prophesied(prophesied);
    }
}

}  // namespace haruspex::interp::loops
