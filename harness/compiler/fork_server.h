#pragma once

#include <chrono>
#include <memory>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"

// Runs each case in a forked child of a warm parent, with limits on memory, CPU time and wall-clock time. The parent is
// the calling process: there is no process of its own, unlike with the fork servers of other fuzzers. A child that dies
// loses only its own case, whose observation then holds the signal or the limit. Single-threaded: use it before
// threads start.
namespace haruspex::compiler {

class ForkServer {
public:
    // When the compiler is warmed up: at once, or before the first case that is run. If cases are only lowered, warming
    // up costs more than it saves.
    enum class WarmUp : std::uint8_t { at_once, before_the_first_run };
    // Borrows the compiler: it must outlive the server.
    ForkServer(Compiler& compiler, Limits limits, WarmUp when = WarmUp::at_once);
    // Warms the compiler up unless it is warm. Call this first if times are measured.
    void warm_up();

    const Compiler& compiler() const { return compiler_; }
    // Returns the CPU time that the children of this process took so far beyond Limits::cpu, each for itself. Depends
    // on the machine and its load, and so belongs with the times.
    std::chrono::nanoseconds slow_time() const { return slow_time_; }
    // Returns a server of the same compiler, as warm as this one, with other limits.
    ForkServer with_limits(Limits limits) const;

    Observation observe(const cases::Case& c, const Request& request = {});
    // Returns for each of these sizes, in order, what observe() would return for the case at that size. Code is
    // generated only once for all sizes, unless something goes wrong.
    std::vector<Observation> observe_at(const cases::Case& c, const std::vector<Sizes>& sizes,
                                        const Request& request = {});

private:
    Compiler& compiler_;
    Limits limits_;
    bool is_warm_ = false;
    std::chrono::nanoseconds slow_time_{0};
};

}  // namespace haruspex::compiler
