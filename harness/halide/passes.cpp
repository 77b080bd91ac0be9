#include "harness/halide/passes.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "generators/base/ensure.h"

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

// Collects the names of all functions that a library calls through its relocations.
class Relocations {
public:
    static std::set<std::string> of_halide() {
        std::set<std::string> names;
        ::dl_iterate_phdr(visit, &names);
        return names;
    }

private:
    static int visit(dl_phdr_info* info, std::size_t, void* data) {
        if (info->dlpi_name == nullptr ||
            std::string_view(info->dlpi_name).find("libHalide") == std::string_view::npos) {
            return 0;
        }
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) { continue; }
            read(reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                 *static_cast<std::set<std::string>*>(data));
        }
        return 0;
    }

    static void read(const ElfW(Dyn) * dynamic, std::set<std::string>& names) {
        const ElfW(Sym)* symbols = nullptr;
        const char* strings = nullptr;
        std::pair<const ElfW(Rela)*, std::size_t> tables[2] = {{nullptr, 0}, {nullptr, 0}};
        for (; dynamic->d_tag != DT_NULL; ++dynamic) {
            switch (dynamic->d_tag) {
                case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(dynamic->d_un.d_ptr); break;
                case DT_STRTAB: strings = reinterpret_cast<const char*>(dynamic->d_un.d_ptr); break;
                case DT_JMPREL: tables[0].first = reinterpret_cast<const ElfW(Rela)*>(dynamic->d_un.d_ptr); break;
                case DT_PLTRELSZ: tables[0].second = dynamic->d_un.d_val; break;
                case DT_RELA: tables[1].first = reinterpret_cast<const ElfW(Rela)*>(dynamic->d_un.d_ptr); break;
                case DT_RELASZ: tables[1].second = dynamic->d_un.d_val; break;
                default: break;
            }
        }
        if (symbols == nullptr || strings == nullptr) { return; }
        for (const auto& [table, bytes] : tables) {
            for (std::size_t i = 0; table != nullptr && i < bytes / sizeof(ElfW(Rela)); ++i) {
                const auto symbol = ELF64_R_SYM(table[i].r_info);
                if (symbol != 0) { names.insert(strings + symbols[symbol].st_name); }
            }
        }
    }
};

bool is_reached(void* hook, const std::set<std::string>& reached) {
    Dl_info info{};
    return ::dladdr(hook, &info) != 0 && info.dli_sname != nullptr && reached.contains(info.dli_sname);
}

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

// Default arguments and the names of parameters are not part of a signature. A signature that does not match Halide.h's
// declaration is another overload; then the call of the real pass does not compile, since its address is ambiguous.
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
    const std::set<std::string> reached = Relocations::of_halide();
    std::vector<PassHook> hooks;
#define PASS(name, parameters, arguments) \
    hooks.push_back(                      \
        {#name,                           \
         is_reached(reinterpret_cast<void*>(static_cast<Stmt(*) parameters>(&Halide::Internal::name)), reached)});
#define ENV_PASS(name, parameters, arguments) PASS(name, parameters, arguments)
    HARUSPEX_PASSES(PASS, ENV_PASS)
    hooks.push_back({"lower_parallel_tasks",
                     is_reached(reinterpret_cast<void*>(&Halide::Internal::lower_parallel_tasks), reached)});
#undef PASS
#undef ENV_PASS
    return hooks;
}

}  // namespace haruspex::halide
