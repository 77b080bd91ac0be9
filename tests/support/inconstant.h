#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "generators/case/case.h"
#include "generators/sare/text.h"
#include "generators/schedule/language.h"
#include "harness/compiler/compiler.h"

namespace haruspex::test {

// f(x) = x for 0 <= x < W, of W = 8.
inline cases::Case case_of_numbers() {
    cases::Case c;
    c.sare = sare::parse_sare(
                 "sare s(W) assuming W >= 1 {\n  input A : u8[1]\n  f(x) = A(x) - A(x) + u8<x>\n  output f on { [x] : "
                 "0 <= x < W }\n}\n",
                 "test")
                 .value();
    c.sizes = {{"W", 8}};
    c.inputs = {{"A", {{value::Type::u8, 0, 9, 0}}}};
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

// A compiler that lowers case_of_numbers() to one program at one size and to another at all other sizes.
class Inconstant final : public compiler::Compiler {
public:
    using Mischief = std::function<void(compiler::Observation&)>;
    // The compiled code follows the specification, except that `mischief` changes the result at the other sizes.
    Inconstant(std::int64_t size, std::string there, std::string elsewhere, Mischief mischief = {})
        : size_(size), there_(std::move(there)), elsewhere_(std::move(elsewhere)), mischief_(std::move(mischief)) {}
    compiler::Identity identity() const override { return {"halide", "14.0.0", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                  const compiler::Progress& progress) override {
        const std::int64_t size = c.sizes.at("W");
        const std::string& body = size == size_ ? there_ : elsewhere_;
        progress.regions({{"A", {0}, {size}}});
        progress.lowered({"final",
                          compiler::ProgramText{"sched p(W, A.min, A.extent, A.stride, f.min, f.extent, f.stride) {\n"
                                                "  input A : u8[A.extent from A.min stride A.stride];\n"
                                                "  output f : u8[f.extent from f.min stride f.stride];\n  " +
                                                body + "\n}\n"},
                          ""});
        compiler::Observation observation;
        if (!request.run) { return observation; }
        progress.enter(compiler::Phase::first_run);
        compiler::TensorData f{"f", 0, value::Type::u8, {0}, {size}, {}};
        for (std::int64_t x = 0; x < size; ++x) { f.bits.push_back(static_cast<std::uint64_t>(x)); }
        observation.first = {std::move(f)};
        if (size != size_ && mischief_) { mischief_(observation); }
        observation.second = observation.first;
        return observation;
    }

private:
    std::int64_t size_;
    std::string there_, elsewhere_;
    Mischief mischief_;
};

// A compiler that shows the validator the first program at all sizes, but runs the second one at sizes other than 8: a
// proof for all sizes is then unsound.
class Deceptive final : public compiler::Compiler {
public:
    Deceptive(const std::string& shown, const std::string& run) : shown_(8, shown, shown), run_(8, shown, run) {}
    compiler::Identity identity() const override { return shown_.identity(); }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                  const compiler::Progress& progress) override {
        return (request.run || request.snapshots ? run_ : shown_).observe(c, request, progress);
    }

private:
    Inconstant shown_, run_;
};

}  // namespace haruspex::test
