#include <algorithm>

#include "generators/base/ensure.h"
#include "oracle/unrolled/evaluation.h"

// Forks: each strand has its own stack of blocks under execution. The first strand that can continue does so until it
// waits. Code that cannot wait runs by recursion, like a program without forks.
namespace haruspex::unrolled {

void Evaluation::run_strands() {
    const loops::StrandId whole;
    start(whole, std::nullopt, code_.body);
    while (!strands_[whole.value].frames.empty()) {
        const auto next = std::ranges::find_if(strands_, [&](const Strand& strand) {
            const bool waits = strand.wanted && semaphores_[strand.wanted->first.value].units < strand.wanted->second;
            return !strand.frames.empty() && strand.branches == 0 && !waits;
        });
        // The run on one input would have had this trouble.
        if (next == strands_.end()) { unsupported("a deadlock"); }
        resume({static_cast<std::uint32_t>(next - strands_.begin())});
    }
}

void Evaluation::start(loops::StrandId id, std::optional<loops::StrandId> parent, const loops::Steps& steps) {
    strands_[id.value] = {.parent = parent, .par_loops = par_loops_};
    strands_[id.value].frames.push_back({.steps = &steps});
}

void Evaluation::resume(loops::StrandId id) {
    Strand& strand = strands_[id.value];
    std::swap(par_loops_, strand.par_loops);
    if (strand.wanted) {
        semaphores_[strand.wanted->first.value].units -= strand.wanted->second;
        strand.wanted.reset();
    }
    while (!strand.frames.empty() && advance(id)) {}
    if (strand.frames.empty() && strand.parent) { --strands_[strand.parent->value].branches; }
    std::swap(par_loops_, strand.par_loops);
}

bool Evaluation::advance(loops::StrandId id) {
    Strand& strand = strands_[id.value];
    Frame& frame = strand.frames.back();
    if (frame.next == frame.steps->size()) {
        leave(strand);
        return true;
    }
    const loops::Step& step = (*frame.steps)[frame.next++];
    if (!step.may_switch) {
        run(step);
        return true;
    }
    count(1);
    return std::visit(
        [&](const auto& node) {
            if constexpr (requires { begin(id, node); }) {
                return begin(id, node);
            } else {
                // An atomic block; compilers put none around code that waits.
                unsupported("branches that wait within a step that they cannot wait in");
                return false;
            }
        },
        step.node);
}

void Evaluation::leave(Strand& strand) {
    Frame& frame = strand.frames.back();
    if (frame.loop == nullptr) {
        strand.frames.pop_back();
        return;
    }
    end_iteration(*frame.loop);
    ++frame.at;
    enter_iteration(strand);
}

void Evaluation::enter_iteration(Strand& strand) {
    Frame& frame = strand.frames.back();
    if (frame.at == frame.end) {
        end_loop(*frame.loop);
        strand.frames.pop_back();
        return;
    }
    frame.next = 0;
    begin_iteration(*frame.loop, frame.at);
}

bool Evaluation::begin(loops::StrandId id, const loops::IfStep& step) {
    const loops::Steps& taken = decided(step.condition, "branch") ? step.then : step.otherwise;
    strands_[id.value].frames.push_back({.steps = &taken});
    return true;
}

bool Evaluation::begin(loops::StrandId id, const loops::ForStep& step) {
    const auto [min, end] = begin_loop(step);
    Strand& strand = strands_[id.value];
    strand.frames.push_back({.steps = &step.body, .loop = &step, .at = min, .end = end});
    enter_iteration(strand);
    return true;
}

bool Evaluation::begin(loops::StrandId id, const loops::BlockStep& step) {
    strands_[id.value].frames.push_back({.steps = &step.body});
    return true;
}

bool Evaluation::begin(loops::StrandId id, const loops::AcquireStep& step) {
    Semaphore& semaphore = semaphores_[step.semaphore.value];
    note_use(semaphore);
    if (semaphore.acquires.value_or(id) != id) { unsupported("a semaphore that several branches acquire"); }
    semaphore.acquires = id;
    strands_[id.value].wanted = {step.semaphore, units(step.units)};
    return false;
}

bool Evaluation::begin(loops::StrandId id, const loops::ReleaseStep& step) {
    Semaphore& semaphore = semaphores_[step.semaphore.value];
    note_use(semaphore);
    if (semaphore.releases.value_or(id) != id) { unsupported("a semaphore that several branches release"); }
    semaphore.releases = id;
    semaphore.units += units(step.units);
    return true;
}

bool Evaluation::begin(loops::StrandId id, const loops::ForkStep& step) {
    for (const loops::ForkStep::Branch* branch : {&step.first, &step.second}) {
        start(branch->strand, id, branch->body);
        ++strands_[id.value].branches;
    }
    return false;
}

void Evaluation::run(const loops::SemaphoreStep& step) {
    semaphores_[step.semaphore.value] = {.units = units(step.units), .par_loops = par_loops_.size()};
}

// The order of a par loop's iterations is unknown.
void Evaluation::note_use(const Semaphore& semaphore) const {
    if (par_loops_.size() > semaphore.par_loops) { unsupported("a semaphore that iterations of a par loop share"); }
}

std::int64_t Evaluation::units(loops::NumberId id) {
    const std::int64_t n = integer(id, "number of units");
    // No realistic count is larger, and the sum of many still fits.
    constexpr std::int64_t most_units = std::int64_t{1} << 31;
    if (n < 0 || n > most_units) { unsupported("such a number of units"); }
    return n;
}

}  // namespace haruspex::unrolled
