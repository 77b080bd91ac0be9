#pragma once

#include <functional>

#include "harness/compiler/compiler.h"

// A compiler that answers what the reference interpreter says, so that campaigns of many cases take little time; what
// it does wrong is up to the test.
namespace haruspex::test {

class ReferenceCompiler final : public compiler::Compiler {
public:
    // Called in the child with each case and its right observation.
    using Mischief = std::function<void(const cases::Case&, compiler::Observation&)>;
    explicit ReferenceCompiler(Mischief mischief = {}) : mischief_(std::move(mischief)) {}

    compiler::Identity identity() const override { return {"reference", "1.2.3", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                  const compiler::Progress& progress) override;

private:
    Mischief mischief_;
};

}  // namespace haruspex::test
