#include "harness/halide/failed_check.h"

#include <algorithm>
#include <vector>

#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

namespace haruspex::halide::test {
namespace {

FailedCheck check(std::optional<std::string> file, std::optional<std::string> function,
                  std::optional<std::string> condition, std::string words) {
    return {std::move(file), std::move(function), std::move(condition), std::move(words)};
}

const CheckPlace prefetching{"/build/halide-21.0.0/src/Prefetch.cpp", "add_prefetch", 163};

}  // namespace

TEST_CASE("every version's words of an internal error tell the check that failed") {
    struct Told {
        std::string text;
        FailedCheck check;
    };
    const std::optional<std::string> untold;
    for (const auto& [text, expected] : std::vector<Told>{
             {"Internal Error at /build/src/Type.h:368 triggered by user code at : Condition failed: bits() != 1: "
              "Attempting to narrow a 1-bit type\n",
              check("Type.h", untold, "bits() != 1", "Attempting to narrow a 1-bit type")},
             {"Internal Error at /build/src/CodeGen_LLVM.cpp:653 triggered by user code at : Condition failed: "
              "!verifyFunction(*function, &llvm::errs()): \n",
              check("CodeGen_LLVM.cpp", untold, "!verifyFunction(*function, &llvm::errs())", "")},
             {"Internal Error at CodeGen_LLVM.cpp:1302 triggered by user code at : Symbol not found: f.s0.x",
              check("CodeGen_LLVM.cpp", untold, "", "Symbol not found: f.s0.x")},
             {"Internal Error at a.cpp:1 Condition failed: a ? b : c: words: more",
              check("a.cpp", untold, "a ? b : c", "words: more")},
             {"Internal Error at CodeGen_LLVM.cpp:657 Condition failed: valid: Generated function does not pass LLVM's "
              "verifyFunction.",
              check("CodeGen_LLVM.cpp", untold, "valid", "Generated function does not pass LLVM's verifyFunction.")},
             {"Internal Error at Prefetch.cpp:163 Condition failed: !new_bounds.empty():",
              check("Prefetch.cpp", untold, "!new_bounds.empty()", "")},
             {"Internal Error at CodeGen_LLVM.cpp:1294 Symbol not found: f.s0.x",
              check("CodeGen_LLVM.cpp", untold, "", "Symbol not found: f.s0.x")},
             {"Error: Symbol not found: f.s0.x", check(untold, untold, untold, "Symbol not found: f.s0.x")},
             {"Error: \n", check(untold, untold, untold, "")},
             {"Internal Error at /src/Prefetch.cpp:163 Condition failed: !new_bounds.empty() Error: \n",
              check("Prefetch.cpp", untold, "!new_bounds.empty()", "")},
             {"Internal Error at /src/IR.cpp:20 Condition failed: a::b > 1 Error: Ramp of lanes <= 1",
              check("IR.cpp", untold, "a::b > 1", "Ramp of lanes <= 1")},
             {"Internal Error at /src/IR.cpp:20 Error: no such node", check("IR.cpp", untold, "", "no such node")},
             // Not the program that is quoted.
             {"Error: Codegen of Expr (uint32x2)widening_mul(f[ramp(0, 1, 2)], 2)",
              check(untold, untold, untold, "Codegen of Expr")},
             {"", check(untold, untold, untold, "")},
             {"Internal Error at ", check(untold, untold, "", "")},
             {"Internal Error at a.cpp:1 triggered by user code at ", check("a.cpp", untold, "", "")},
             {"Internal Error at a.cpp:1 Condition failed: ", check("a.cpp", untold, "", "")}}) {
        INFO(text);
        CHECK(failed_check(text) == expected);
    }
}

TEST_CASE("a place that is known besides stands for the one that a text lacks") {
    CHECK(failed_check("Error: \n", prefetching) == check("Prefetch.cpp", "add_prefetch", std::nullopt, ""));
    CHECK(with_place("Error: \n", prefetching) ==
          "Internal Error at /build/halide-21.0.0/src/Prefetch.cpp:163 Error: \n");
    CHECK(failed_check("Error: words", CheckPlace{"/src/IR.cpp", "visit", 1}) ==
          check("IR.cpp", std::nullopt, std::nullopt, "words"));
    const std::string told = "Internal Error at IR.cpp:1 Condition failed: a: b";
    CHECK(failed_check(told, prefetching) == failed_check(told));
    CHECK(with_place(told, prefetching) == told);
    CHECK(with_place("Error: words", std::nullopt) == "Error: words");
}

TEST_CASE("a name that is read from freed memory is one, whatever bytes it has") {
    CHECK(readable("Error: Symbol not found: i\x95]\x01hU\n") == "Error: Symbol not found: \"?\"\n");
    CHECK(readable("a \t\xff\xfe b") == "a \t\"?\" b");
    CHECK(readable("") == "");
    CHECK(readable("f.s0.x: [1, 2)") == "f.s0.x: [1, 2)");
}

TEST_CASE("an internal error of this Halide tells its file") {
    // An input without dimensions is prefetched: every version fails.
    const cases::Case c =
        case_of(algorithm({{"a", value::Type::i32, 0}}, {function("f", {value::Type::i32}, {"x"}, {access("a", {})})},
                          "f", {span(0, 4)}),
                {{{{"f", std::nullopt, std::nullopt}, schedule::halide::Prefetch{"a", "x", "x", 0}}}});
    const auto o = observe(c);
    REQUIRE(o.outcome == compiler::Outcome::internal_error);
    REQUIRE(o.failed_check.has_value());
    CHECK(o.failed_check->file == "Prefetch.cpp");
    CHECK(o.failed_check->words.empty());
    CHECK(o.message.starts_with("Internal Error at Prefetch.cpp:"));
}

TEST_CASE("the passes of this Halide stand in the order of all versions") {
    const auto halide = make_halide();
    const std::vector<std::string> all = halide->passes_of_all_versions();
    const cases::Case c = case_of(algorithm(
        {}, {function("f", {value::Type::i32}, {"x"}, {embed(value::Type::i32, var("x"))})}, "f", {span(0, 4)}));
    std::ptrdiff_t before = -1;
    compiler::ForkServer server(*halide, {});
    compiler::Request request;
    request.run = false;
    request.lower = request.snapshots = true;
    for (const compiler::Lowered& program : server.observe(c, request).lowered) {
        const auto at = std::ranges::find(all, program.pass);
        INFO(program.pass);
        REQUIRE(at != all.end());
        CHECK(at - all.begin() > before);
        before = at - all.begin();
    }
    CHECK(before + 1 == std::ssize(all));
}

}  // namespace haruspex::halide::test
