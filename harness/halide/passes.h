#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/halide/version.h"

// Hooks the boundaries of Halide's lowering passes from outside. libHalide calls most of its passes through the dynamic
// linker, so that a function of the same name and signature in the executable is called instead, which then calls the
// real one. passes.cpp defines these functions; executables have to export their symbols. Which passes can be reached
// is a property of the library's build.
namespace haruspex::halide {

// Acts at the boundaries. Called within the lowering, on its thread.
class PassObserver {
public:
    virtual ~PassObserver() = default;
    // Returns the statement that a pass called by `lower` itself is given instead of this one.
    virtual Halide::Internal::Stmt before(const std::string& pass, const Halide::Internal::Stmt& statement) = 0;
    // Called after a pass that `lower` called itself; the result replaces the statement.
    virtual Halide::Internal::Stmt after(const std::string& pass, const Halide::Internal::Stmt& result,
                                         const std::map<std::string, Halide::Internal::Function>* environment) = 0;
    // Receives the statement that the last pass before code generation starts from (lower_parallel_tasks makes closures
    // of it).
    virtual void final_statement(const Halide::Internal::Stmt& statement) = 0;
};

// Observes all lowering in this process during its lifetime; one at a time.
class Observing {
public:
    explicit Observing(PassObserver& observer);
    ~Observing();
    Observing(const Observing&) = delete;
    Observing& operator=(const Observing&) = delete;
};

struct PassHook {
    std::string pass;
    bool present = false;  // libHalide reaches the pass through the dynamic linker
};
// Returns all hooks, in the order in which lowering first calls the passes, and whether this build of the library has
// them.
std::vector<PassHook> pass_hooks();

}  // namespace haruspex::halide
