#include "harness/halide/passes.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/halide/dynamic_symbols.h"

namespace haruspex::halide {
namespace {

using Halide::Internal::Stmt;
using Environment = std::map<std::string, Halide::Internal::Function>;

// Halide calls the hooks by name and passes nothing of ours through, so they have to find the observer here.
PassObserver* observer = nullptr;
// Passes call each other, also on parts of the program, and some of the callers cannot be hooked. A boundary is a call
// that `lower` itself makes: at the stack depth from which it called schedule_functions, up to the arguments that do
// not fit registers.
const char* lowering_depth = nullptr;
constexpr std::ptrdiff_t pushed_arguments = 64;

bool is_called_by_lower(const void* frame) {
    const std::ptrdiff_t distance = static_cast<const char*>(frame) - lowering_depth;
    return lowering_depth != nullptr && -pushed_arguments <= distance && distance <= pushed_arguments;
}

// Returns the definition of the same name in the next library that has one.
template <typename Function>
Function next(Function hook) {
    Dl_info info{};
    ENSURE(::dladdr(reinterpret_cast<void*>(hook), &info) != 0 && info.dli_sname != nullptr,
           "the executable does not export its symbols");
    void* real = ::dlsym(RTLD_NEXT, info.dli_sname);
    ENSURE(real != nullptr, std::string("no library defines ") + info.dli_sname);
    return reinterpret_cast<Function>(real);
}

// call(statement) runs the real pass on the statement.
template <typename Call>
Stmt at_boundary(const char* pass, const Environment* environment, const void* frame, const Stmt& statement,
                 Call call) {
    // The first pass has no statement to start from.
    if (observer != nullptr && !statement.defined()) { lowering_depth = static_cast<const char*>(frame); }
    if (observer == nullptr || !is_called_by_lower(frame)) { return call(statement); }
    Stmt result = call(statement.defined() ? observer->before(pass, statement) : statement);
    if (observer == nullptr || !is_called_by_lower(frame)) { return result; }
    return observer->after(pass, result, environment);
}

// Whether the symbol is a function of Halide's of this name that works on statements.
bool is_pass(std::string_view symbol, std::string_view pass) {
    const std::string prefix = "_ZN6Halide8Internal" + std::to_string(pass.size()) + std::string(pass) + "E";
    return symbol.starts_with(prefix) && (symbol.contains("4StmtE") || pass == first_pass);
}

bool is_called(void* hook, const DynamicSymbols& library) {
    Dl_info info{};
    return ::dladdr(hook, &info) != 0 && info.dli_sname != nullptr && library.called.contains(info.dli_sname);
}

class Hooks {
public:
    Hooks() {
        // Any function of the library that is not hooked.
        library_ = dynamic_symbols_at(::dlsym(RTLD_NEXT, "_ZN6Halide15get_host_targetEv"));
    }
    // A pass may have several hooks, one for each list of parameters.
    void add(std::string_view pass, void* hook) {
        auto known = std::ranges::find(hooks_, pass, &PassHook::pass);
        if (known == hooks_.end()) {
            const bool is_defined =
                std::ranges::any_of(library_.defined, [&](const std::string& symbol) { return is_pass(symbol, pass); });
            known = hooks_.insert(hooks_.end(), {std::string(pass), false, is_defined});
        }
        known->present = known->present || is_called(hook, library_);
    }
    std::vector<PassHook> take() { return std::move(hooks_); }

private:
    DynamicSymbols library_;
    std::vector<PassHook> hooks_;
};

}  // namespace

ScopedPassObserver::ScopedPassObserver(PassObserver& of) {
    ENSURE(observer == nullptr, "one observer at a time");
    observer = &of;
}

ScopedPassObserver::~ScopedPassObserver() {
    observer = nullptr;
    lowering_depth = nullptr;
}

}  // namespace haruspex::halide

// Default arguments and the names of parameters are not part of a signature. A signature that Halide.h does not declare is
// another overload, which nobody calls.
namespace Halide::Internal {

using Environment = std::map<std::string, Function>;

namespace {
// The statement for the pass that has none as a parameter.
const Stmt s;
}  // namespace

#define PASS(name, parameters, arguments)                                                                     \
    Stmt name parameters {                                                                                    \
        using Signature = Stmt(*) parameters;                                                                 \
        static const Signature real = haruspex::halide::next(static_cast<Signature>(&name));                  \
        return haruspex::halide::at_boundary(#name, nullptr, __builtin_frame_address(0), s,                   \
                                             [&]([[maybe_unused]] const Stmt& s) { return real arguments; }); \
    }
#define ENV_PASS(name, parameters, arguments)                                                                 \
    Stmt name parameters {                                                                                    \
        using Signature = Stmt(*) parameters;                                                                 \
        static const Signature real = haruspex::halide::next(static_cast<Signature>(&name));                  \
        return haruspex::halide::at_boundary(#name, &env, __builtin_frame_address(0), s,                      \
                                             [&]([[maybe_unused]] const Stmt& s) { return real arguments; }); \
    }
HARUSPEX_PASSES(PASS, ENV_PASS)
#undef PASS
#undef ENV_PASS

Stmt lower_parallel_tasks(const Stmt& s, std::vector<LoweredFunc>& closures, const std::string& name,
                          const Target& target) {
    using Signature = Stmt (*)(const Stmt&, std::vector<LoweredFunc>&, const std::string&, const Target&);
    static const Signature real = haruspex::halide::next(static_cast<Signature>(&lower_parallel_tasks));
    if (haruspex::halide::observer != nullptr && haruspex::halide::is_called_by_lower(__builtin_frame_address(0))) {
        haruspex::halide::lowering_depth = nullptr;
        haruspex::halide::observer->final_statement(s);
    }
    return real(s, closures, name, target);
}

}  // namespace Halide::Internal

namespace haruspex::halide {

std::vector<PassHook> pass_hooks() {
    // The signatures use names of Halide's own namespace.
    using namespace Halide::Internal;
    using Halide::Target;
    using Environment = std::map<std::string, Function>;
    Hooks hooks;
#define PASS(name, parameters, arguments) \
    hooks.add(#name, reinterpret_cast<void*>(static_cast<Stmt(*) parameters>(&Halide::Internal::name)));
#define ENV_PASS(name, parameters, arguments) PASS(name, parameters, arguments)
    HARUSPEX_PASSES(PASS, ENV_PASS)
    hooks.add(last_pass, reinterpret_cast<void*>(&Halide::Internal::lower_parallel_tasks));
#undef PASS
#undef ENV_PASS
    return hooks.take();
}

compiler::Unobserved unobserved(const std::vector<PassHook>& hooks) {
    const auto is_present = [&](std::string_view pass) {
        const auto hook = std::ranges::find(hooks, pass, &PassHook::pass);
        return hook != hooks.end() && hook->present;
    };
    // Lowering is recognised by its first pass, and ends with its last one.
    if (!is_present(first_pass) || !is_present(last_pass)) {
        return {.lowered = true, .prophecies = true, .passes = {}};
    }
    // Prophecies pass through split_tuples in a form of their own.
    compiler::Unobserved hidden{.prophecies = !is_present("split_tuples")};
    for (const PassHook& hook : hooks) {
        if (hook.defined && !hook.present) { hidden.passes.push_back(hook.pass); }
    }
    return hidden;
}

std::size_t place_of(std::string_view pass) {
    static constexpr auto names = std::to_array<std::string_view>({
#define PASS(name, parameters, arguments) #name,
        HARUSPEX_PASSES(PASS, PASS)
#undef PASS
            last_pass});
    const auto found = std::ranges::find(names, pass);
    ENSURE(found != names.end(), "a pass that is hooked");
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace haruspex::halide
