#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compiler/compiler.h"
#include "harness/halide/version.h"

// Hooks the boundaries of Halide's lowering passes from outside. libHalide calls most of its passes through the dynamic
// linker. If the executable has a function of the same name and signature, that function is called instead; it then
// calls the real pass. passes.cpp defines these functions; executables have to export their symbols. Which passes can
// be reached in this way depends on the library's build: a pass is out of reach where its call is inlined or bound inside
// the library (-Bsymbolic-functions), and where its parameters are none of those in version.h.
namespace haruspex::halide {

// Acts at the boundaries of passes. Called during the lowering, on its thread.
class PassObserver {
public:
    virtual ~PassObserver() = default;
    // Called before a pass that Halide's lower() itself calls. The pass is given the returned statement instead of
    // `statement`.
    virtual Halide::Internal::Stmt before(const std::string& pass, const Halide::Internal::Stmt& statement) = 0;
    // Called after such a pass. The returned statement replaces `result`. `environment` has the functions by name if
    // they are a parameter of the pass; otherwise it is null.
    virtual Halide::Internal::Stmt after(const std::string& pass, const Halide::Internal::Stmt& result,
                                         const std::map<std::string, Halide::Internal::Function>* environment) = 0;
    // Receives the statement with which the last pass before code generation starts (lower_parallel_tasks, which makes
    // closures).
    virtual void final_statement(const Halide::Internal::Stmt& statement) = 0;
};

// Lets `observer` observe all lowering in this process during the lifetime of this object. There may be one such object
// at a time (ENSURE).
class ScopedPassObserver {
public:
    explicit ScopedPassObserver(PassObserver& observer);
    ~ScopedPassObserver();
    ScopedPassObserver(const ScopedPassObserver&) = delete;
    ScopedPassObserver& operator=(const ScopedPassObserver&) = delete;
};

inline constexpr std::string_view first_pass = "schedule_functions";
inline constexpr std::string_view last_pass = "lower_parallel_tasks";

struct PassHook {
    std::string pass;
    bool present = false;  // libHalide reaches the pass through the dynamic linker, with parameters that are hooked
    bool defined = false;  // libHalide exports a pass of that name, whatever its parameters are
};
// Returns the hooks of all passes, in the order in which lowering first calls the passes.
std::vector<PassHook> pass_hooks();

// Returns what cannot be observed through these hooks.
compiler::Unobserved unobserved(const std::vector<PassHook>& hooks);

// Returns the place of a hooked pass in that order. The pass must have a hook (ENSURE).
std::size_t place_of(std::string_view pass);

}  // namespace haruspex::halide
