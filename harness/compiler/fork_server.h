#pragma once

#include <memory>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"

// Runs each case in a forked child of a warm parent, with limits on memory, CPU and wall-clock time. The child's death
// loses only its own case, whose observation then holds the signal or the limit. Single-threaded: fork before threads
// start.
namespace haruspex::compiler {

class ForkServer {
public:
    // When the compiler is warmed up. For cases that are only lowered, warming up costs more than it saves.
    enum class WarmUp : std::uint8_t { at_once, before_the_first_run };
    // Borrows the compiler: it must outlive the server.
    ForkServer(Compiler& compiler, Limits limits, WarmUp when = WarmUp::at_once);
    // Warms up now, unless already warm. Call it first when times are measured.
    void warm_up();

    const Compiler& compiler() const { return compiler_; }

    Observation observe(const cases::Case& c, const Request& request = {});
    // Returns what `observe` would return for the case at each of these sizes, in order. The compiler generates code
    // once for all sizes, unless something goes wrong.
    std::vector<Observation> observe_at(const cases::Case& c, const std::vector<Sizes>& sizes,
                                        const Request& request = {});

private:
    Compiler& compiler_;
    Limits limits_;
    bool is_warm_ = false;
};

}  // namespace haruspex::compiler
