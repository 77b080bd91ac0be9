#pragma once

#include <memory>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"

// Runs each case in a forked child of a warm parent, with limits on memory, CPU and wall-clock time. The child's death
// loses only its case, which is then an observation with the signal or the limit. Single-threaded: fork it before
// threads start.
namespace haruspex::compiler {

class ForkServer {
public:
    // When the compiler is warmed up. What only lowers does not gain by it what it costs.
    enum class WarmUp : std::uint8_t { at_once, before_the_first_run };
    // Borrows the compiler: it must outlive the server.
    ForkServer(Compiler& compiler, Limits limits, WarmUp when = WarmUp::at_once);
    // Now, unless it is warm: who measures times wants it outside of them.
    void warm_up();

    Observation observe(const cases::Case& c, const Request& request = {});
    // What `observe` sees of the case at each of these sizes, in order. The compiler makes its code once for all,
    // unless something goes wrong.
    std::vector<Observation> observe_at(const cases::Case& c, const std::vector<Sizes>& sizes,
                                        const Request& request = {});

private:
    Compiler& compiler_;
    Limits limits_;
    bool is_warm_ = false;
};

}  // namespace haruspex::compiler
