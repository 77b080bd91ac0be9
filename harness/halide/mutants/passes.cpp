#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "harness/halide/mutants/catalogue.h"
#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"
#include "harness/halide/mutants/selected.h"
#include "harness/halide/version.h"

// The pass functions that a mutant's shared object puts before libHalide's.
namespace haruspex::halide::mutants {
namespace {

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "mutant %s: %s\n", selected, why.c_str());
    std::abort();
}

// Returns the definition of the same name in the next library that has one.
template <typename Function>
Function next(Function pass) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(pass), &info) == 0 || info.dli_sname == nullptr) {
        fail("the program hides a pass that it defines");
    }
    void* real = ::dlsym(RTLD_NEXT, info.dli_sname);
    if (real == nullptr) { fail(std::string("no library defines ") + info.dli_sname); }
    return reinterpret_cast<Function>(real);
}

using Change = Stmt (*)(const Stmt&);

Change change_of(std::string_view mutant) {
#define MUTANT(name, pass, boundary, kind, description) \
    if (mutant == #name) { return &mutants::name; }
#include "harness/halide/mutants/catalogue.def"
#undef MUTANT
    fail("no such mutant");
}

std::atomic<unsigned long long> changes = 0;  // number of changed statements in this process

// The compiler's warm-up is not a case.
bool is_warm_up(const Stmt& program) {
    const auto stages = nodes<ProducerConsumer>(program);
    return !stages.empty() && starts_with(stages.front()->name, "warm_up_");
}

// Halide calls the passes by name and passes nothing of ours through, so the state has to be found here.
class Boundary {
public:
    template <typename Pass>
    Stmt operator()(std::string_view pass, const Stmt& argument, Pass run) {
        // A call that one pass makes to another is not a boundary.
        const bool ours = pass == mutant_.pass && depth_ == 0;
        const bool follows = last_pass_ == mutant_.boundary;
        const Stmt given = ours && mutant_.boundary == "argument" ? changed(argument) : argument;
        Stmt result = below(run, given);
        if (ours && (mutant_.boundary == "result" || follows)) { result = changed(result); }
        last_pass_ = pass;
        return result;
    }

private:
    template <typename Pass>
    Stmt below(Pass run, const Stmt& given) {
        struct Level {
            int& depth;
            ~Level() { --depth; }
        } level{++depth_};
        return run(given);
    }

    Stmt changed(const Stmt& program) const {
        if (is_warm_up(program)) { return program; }
        Stmt result = change_(program);
        if (!result.same_as(program)) { ++changes; }
        return result;
    }

    const Mutant mutant_ = *find(selected);
    const Change change_ = change_of(selected);
    int depth_ = 0;
    std::string_view last_pass_;  // the pass that returned last
};

Boundary& boundary() {
    thread_local Boundary boundary;
    return boundary;
}

// Returns the statement that a pass works on; the first pass makes it.
template <typename... Others>
const Stmt& statement_of(const Stmt& statement, const Others&...) {
    return statement;
}
template <typename First, typename... Others>
Stmt statement_of(const First&, const Others&... others) {
    if constexpr (sizeof...(others) == 0) {
        return {};
    } else {
        return statement_of(others...);
    }
}

}  // namespace
}  // namespace haruspex::halide::mutants

// Returns this mutant's name and those of the mutants loaded after it: "fold_halved,lanes_swapped".
extern "C" __attribute__((visibility("default"))) const char* haruspex_mutant() {
    static const std::string names = [] {
        void* others = ::dlsym(RTLD_NEXT, "haruspex_mutant");
        const std::string own = haruspex::halide::mutants::selected;
        return others == nullptr ? own : own + "," + reinterpret_cast<const char* (*)()>(others)();
    }();
    return names.c_str();
}

// Returns the number of statements that this mutant and those loaded after it have changed.
extern "C" __attribute__((visibility("default"))) unsigned long long haruspex_mutant_changes() {
    void* others = ::dlsym(RTLD_NEXT, "haruspex_mutant_changes");
    const unsigned long long own = haruspex::halide::mutants::changes;
    return others == nullptr ? own : own + reinterpret_cast<unsigned long long (*)()>(others)();
}

namespace Halide::Internal {

using Environment = std::map<std::string, Function>;

#define PASS(name, parameters, arguments)                                                                    \
    __attribute__((visibility("default"))) Stmt name parameters {                                            \
        using namespace haruspex::halide::mutants;                                                           \
        using Signature = Stmt(*) parameters;                                                                \
        static const Signature real = next(static_cast<Signature>(&Halide::Internal::name));                 \
        const Stmt& statement = statement_of arguments;                                                      \
        return boundary()(#name, statement, [&]([[maybe_unused]] const Stmt& s) { return real arguments; }); \
    }
HARUSPEX_PASSES(PASS, PASS)
#undef PASS

}  // namespace Halide::Internal
