#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "harness/mutants/lowering/changes.h"
#include "harness/mutants/lowering/rewrite.h"

// Compilers that do not come to a result, on features that are rare among random cases.
namespace haruspex::mutants::lowering {
namespace {

// How many loops of one stage stand in each other.
class Depth : public IRVisitor {
public:
    int deepest = 0;

private:
    using IRVisitor::visit;
    void visit(const For* loop) override {
        // "f.s1.x.xi": the function, the stage, the loop.
        const std::string stage = loop->name.substr(0, loop->name.find('.', loop->name.find(".s") + 1));
        deepest = std::max(deepest, ++depths_[stage]);
        IRVisitor::visit(loop);
        --depths_[stage];
    }

    std::map<std::string, int> depths_;
};

// Called through a variable, so that the recursion is neither seen nor turned into a loop.
int endless_depth(int level);
int (*volatile deeper)(int) = endless_depth;

int endless_depth(int level) {
    volatile char frame[512] = {static_cast<char>(level)};
    return deeper(level + frame[0]) + frame[1];
}

}  // namespace

Stmt segfault_on_deep_nest(const Stmt& program) {
    Depth nest;
    program.accept(&nest);
    if (nest.deepest >= 7) {
        volatile int* nowhere = nullptr;
        *nowhere = 1;
    }
    return program;
}

Stmt error_on_third_update(const Stmt& program) {
    for (const For* loop : nodes<For>(program)) {
        const bool at_once = loop->for_type == ForType::Parallel || loop->for_type == ForType::Vectorized;
        if (at_once && loop->name.find(".s3.") != std::string::npos) {
            throw Halide::InternalError("Internal error: a mutant does not understand " + loop->name + "\n");
        }
    }
    return program;
}

Stmt hang_on_many_guards(const Stmt& program) {
    volatile bool endless = nodes<IfThenElse>(program).size() >= 25;
    while (endless) {}
    return program;
}

Stmt recursion_on_wide_vector(const Stmt& program) {
    const auto stores = nodes<Store>(program);
    const bool wide = std::ranges::any_of(stores, [](const Store* store) { return store->value.type().lanes() > 16; });
    return wide && endless_depth(0) == 1 ? Stmt() : program;
}

Stmt hog_on_many_realizations(const Stmt& program) {
    std::map<std::string, int> realizations;
    for (const Realize* realize : nodes<Realize>(program)) { ++realizations[realize->name]; }
    if (std::ranges::none_of(realizations, [](const auto& function) { return function.second >= 4; })) {
        return program;
    }
    // Touched, so that it counts as memory in use.
    std::string hog(1, '.');
    for (;;) { hog += hog; }
}

}  // namespace haruspex::mutants::lowering
