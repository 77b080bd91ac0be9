#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/halide/version.h"

// The boundaries of Halide's lowering passes, hooked from outside. libHalide calls most of its passes through the
// dynamic linker, so that a function of the same name and signature in the executable is called instead (passes.cpp
// defines them; executables have to export their symbols) and calls the real one. Which passes can be reached is a
// property of the library's build.
namespace haruspex::halide {

// What to do at the boundaries. Called within the lowering, on its thread.
class PassObserver {
public:
    virtual ~PassObserver() = default;
    // What a pass that `lower` calls itself is given instead of this statement.
    virtual Halide::Internal::Stmt before(const std::string& pass, const Halide::Internal::Stmt& statement) = 0;
    // After a pass that `lower` called itself; the result replaces the statement.
    virtual Halide::Internal::Stmt after(const std::string& pass, const Halide::Internal::Stmt& result,
                                         const std::map<std::string, Halide::Internal::Function>* environment) = 0;
    // The statement that the last pass before code generation starts from (lower_parallel_tasks makes closures of it).
    virtual void final_statement(const Halide::Internal::Stmt& statement) = 0;
};

// Observes all lowering in this process while it lives; one at a time.
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
// All hooks, in the order in which lowering first calls the passes, and whether this build of the library has them.
std::vector<PassHook> pass_hooks();

}  // namespace haruspex::halide
