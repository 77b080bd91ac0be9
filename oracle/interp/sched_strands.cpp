#include <fmt/core.h>

#include "generators/base/ensure.h"
#include "oracle/interp/sched_machine.h"

// Branches of forks take turns. Each strand has its own stack of blocks under execution; code that cannot be
// interrupted runs by recursion, like a program without forks.
namespace haruspex::interp::loops {

bool Machine::run_strands() {
    if (code_.strands == 1 && code_.semaphores.empty()) { return run(code_.body); }
    const StrandId whole;
    start(whole, whole, code_.body);
    for (auto next = ready(); !next.empty(); next = ready()) {
        if (!resume(strands_[turns_.choose(next).value])) { return false; }
    }
    if (strands_[whole.value].frames.empty()) { return true; }
    for (Strand& strand : strands_) {
        if (strand.wanted) { note_deadlock(strand); }
    }
    return stop(Stop::ended);
}

std::vector<StrandId> Machine::ready() const {
    std::vector<StrandId> ready;
    for (const Strand& strand : strands_) {
        const bool waits = strand.wanted && semaphores_[strand.wanted->semaphore.value].count() < strand.wanted->units;
        if (!strand.frames.empty() && strand.branches == 0 && !waits) { ready.push_back(strand.id); }
    }
    return ready;
}

void Machine::start(StrandId id, StrandId parent, const Steps& steps) {
    Strand& strand = strands_[id.value];
    strand = {.id = id, .parent = parent, .places = places_, .atomic_depth = atomic_depth_};
    strand.frames.push_back({.steps = &steps, .atomic_outside = atomic_depth_});
}

bool Machine::resume(Strand& strand) {
    strand_ = strand.id;
    std::swap(places_, strand.places);
    atomic_depth_ = strand.atomic_depth;
    if (strand.wanted) {
        semaphores_[strand.wanted->semaphore.value].take(strand.wanted->units, order_, strand.id);
        strand.wanted.reset();
    }
    Pace pace = Pace::goes_on;
    while (pace == Pace::goes_on && !strand.frames.empty()) { pace = advance(strand); }
    if (pace == Pace::stops) { return false; }
    if (strand.frames.empty() && strand.parent != strand.id) {
        --strands_[strand.parent.value].branches;
        order_.join(strand.parent, strand.id);
    }
    strand.atomic_depth = atomic_depth_;
    std::swap(places_, strand.places);
    return true;
}

Machine::Pace Machine::advance(Strand& strand) {
    Frame& frame = strand.frames.back();
    if (frame.next == frame.steps->size()) { return leave(strand); }
    const Step& step = (*frame.steps)[frame.next++];
    if (!step.may_switch) { return run(step) ? Pace::goes_on : Pace::stops; }
    current_ = step.id;
    if (!count(1)) { return Pace::stops; }
    return std::visit(
        [&](const auto& node) {
            if constexpr (requires { begin(strand, node); }) {
                return begin(strand, node);
            } else {
                ENSURE(false, "a step within which strands cannot take turns");
                return Pace::stops;
            }
        },
        step.node);
}

Machine::Pace Machine::enter(Strand& strand, const Steps& steps) {
    strand.frames.push_back({.steps = &steps, .atomic_outside = atomic_depth_});
    return Pace::goes_on;
}

Machine::Pace Machine::enter_iteration(Strand& strand) {
    Frame& frame = strand.frames.back();
    if (frame.iterations.next >= frame.iterations.end) {
        places_.pop_back();
        strand.frames.pop_back();
        return Pace::goes_on;
    }
    frame.next = 0;
    return begin_iteration(*frame.loop, frame.iterations.next) ? Pace::goes_on : Pace::stops;
}

Machine::Pace Machine::leave(Strand& strand) {
    Frame& frame = strand.frames.back();
    if (frame.loop != nullptr) {
        if (is_par(*frame.loop)) { end_iteration(frame.loop->level); }
        ++frame.iterations.next;
        return enter_iteration(strand);
    }
    atomic_depth_ = frame.atomic_outside;
    strand.frames.pop_back();
    return Pace::goes_on;
}

Machine::Pace Machine::begin(Strand& strand, const IfStep& step) {
    const Number condition = number(step.condition);
    if (!is_usable(condition, "which branch is taken")) {
        stop(Stop::ended);
        return Pace::stops;
    }
    return enter(strand, condition.value != 0 ? step.then : step.otherwise);
}

Machine::Pace Machine::begin(Strand& strand, const ForStep& step) {
    const auto iterations = begin(step);
    if (!iterations) { return Pace::stops; }
    // It is then also uncertain whether other strands wait for work done here.
    if (iterations->is_uncertain) {
        note_flaw(Flaw::uninit, "a bound of the loop over " + *step.variable);
        stop(Stop::ended);
        return Pace::stops;
    }
    strand.frames.push_back({.steps = &step.body, .loop = &step, .iterations = *iterations});
    return enter_iteration(strand);
}

Machine::Pace Machine::begin(Strand& strand, const AtomicStep& step) {
    enter(strand, step.body);
    atomic_depth_ = step.depth;
    return Pace::goes_on;
}

Machine::Pace Machine::begin(Strand& strand, const AcquireStep& step) {
    const auto count = units(step.units, step.semaphore);
    if (!count) { return Pace::stops; }
    strand.wanted = {step.semaphore, *count, current_};
    return Pace::pauses;
}

Machine::Pace Machine::begin(Strand& /*strand*/, const ReleaseStep& step) {
    const auto count = units(step.units, step.semaphore);
    return count && add_units(step.semaphore, *count) ? Pace::pauses : Pace::stops;
}

Machine::Pace Machine::begin(Strand& strand, const ForkStep& step) {
    order_.fork(strand.id, step.first.strand, step.second.strand);
    for (const ForkStep::Branch* branch : {&step.first, &step.second}) {
        start(branch->strand, strand.id, branch->body);
        ++strand.branches;
    }
    return Pace::pauses;
}

bool Machine::run(const SemaphoreStep& step) {
    const auto count = units(step.units, step.semaphore);
    semaphores_[step.semaphore.value] = {};
    return count && add_units(step.semaphore, *count);
}

std::optional<std::int64_t> Machine::units(NumberId id, SemaphoreId semaphore) {
    const Number n = number(id);
    if (!is_usable(n, "a number of units of ", name(semaphore))) {
        stop(Stop::ended);
    } else if (n.value < 0) {
        note(TroubleKind::negative_units, {}, {}, fmt::format("asks for {} units of {}", n.value, name(semaphore)));
        stop(Stop::ended);
    } else {
        return n.value;
    }
    return std::nullopt;
}

bool Machine::add_units(SemaphoreId semaphore, std::int64_t count) {
    if (semaphores_[semaphore.value].add(count, order_.publish(strand_))) { return true; }
    note_flaw(Flaw::overflow, "the number of units of " + name(semaphore));
    return stop(Stop::ended);
}

void Machine::note_deadlock(Strand& strand) {
    current_ = strand.wanted->step;
    std::swap(places_, strand.places);
    const SemaphoreId semaphore = strand.wanted->semaphore;
    note(TroubleKind::deadlock, {}, {},
         fmt::format("waits without end for {} units of {}, which has {}", strand.wanted->units, name(semaphore),
                     semaphores_[semaphore.value].count()));
    std::swap(places_, strand.places);
}

}  // namespace haruspex::interp::loops
