#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "harness/halide/mutants/changes.h"
#include "harness/halide/mutants/rewrite.h"

// Compilers that fail to produce a result, on features that are rare among random cases.
namespace haruspex::halide::mutants {
namespace {

// Finds the nesting depth of the loops of one stage.
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

// Counts how often a function is realized in one production of another.
class Realizations : public IRVisitor {
public:
    int most = 0;

private:
    using IRVisitor::visit;
    void visit(const ProducerConsumer* part) override {
        if (!part->is_producer) { return IRVisitor::visit(part); }
        std::map<std::string, int> around = std::exchange(here_, {});
        IRVisitor::visit(part);
        here_ = std::move(around);
    }
    void visit(const Realize* realize) override {
        most = std::max(most, ++here_[realize->name]);
        IRVisitor::visit(realize);
    }

    std::map<std::string, int> here_;
};

// Called through a variable, so that the compiler neither sees the recursion nor turns it into a loop.
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
    Realizations realizations;
    program.accept(&realizations);
    if (realizations.most < 3) { return program; }
    // Written to, so that it counts as memory in use.
    std::string hog(1, '.');
    for (;;) { hog += hog; }
}

}  // namespace haruspex::halide::mutants
