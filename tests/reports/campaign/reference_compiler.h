#pragma once

#include <functional>

#include "harness/compiler/compiler.h"

// A fast compiler for campaigns of many cases: it returns the reference interpreter's results, with the errors that a
// test adds.
namespace haruspex::test {

class ReferenceCompiler final : public compiler::Compiler {
public:
    // Called in the child with each case and its correct observation.
    using Mischief = std::function<void(const cases::Case&, compiler::Observation&)>;
    explicit ReferenceCompiler(Mischief mischief = {}) : mischief_(std::move(mischief)) {}

    compiler::Identity identity() const override { return {"halide", "1.2.3", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                  const compiler::Progress& progress) override;

private:
    Mischief mischief_;
};

}  // namespace haruspex::test
