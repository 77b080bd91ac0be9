#include "reports/render/words.h"

#include <set>

#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "reports/render/diff.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

using namespace haruspex;

namespace {

verdict::Verdict of(verdict::Class cls, const std::string& message, const std::string& pass = "") {
    verdict::Verdict v;
    v.cls = cls;
    v.message = message;
    v.lowered = a_lowered(message);
    v.pass = a_pass(pass);
    return v;
}

cases::Case split_case() {
    cases::Case c;
    c.compiler = "halide";
    c.sare = *sare::parse_sare("sare s() {\n  f(x) = i32<x>\n  output f on { [x] : 0 <= x < 5 }\n}\n", "test");
    c.schedule = *schedule::language("halide").parse("f.split(x, xo, xi, 4, GuardWithIf)\nf.vectorize(xi)\n", "test");
    return c;
}

}  // namespace

TEST_CASE("a position is what the loops' variables are") {
    verdict::LoweredOutcome lowered;
    CHECK(render::position_of(lowered).empty());
    lowered.position = {{"x", 0}, {"y", 1}};
    CHECK(render::position_of(lowered) == "x = 0, y = 1");
}

TEST_CASE("every kind of trouble of the interpreter has words") {
    std::set<std::string> rules;
    for (const verdict::TroubleKind kind : verdict::all_trouble_kinds) {
        verdict::Verdict v = of(verdict::Class::latent_bug, std::string(verdict::name(kind)) + ": what");
        INFO(verdict::name(kind));
        CHECK(render::title(split_case(), v).find("Wrong code (") == 0);
        rules.insert(render::broken_rule(v));
    }
    CHECK(rules.size() > 10);
}

TEST_CASE("a title says what breaks and where") {
    using verdict::Class;
    const cases::Case c = split_case();
    verdict::Verdict wrong = of(Class::wrong_lowering, "", "(simplify.4, partition_loops]");
    wrong.difference = verdict::Difference{
        "f", 0, {2}, value::Value::integer(value::Type::i32, 2), value::Value::integer(value::Type::i32, 7), 1, 5};
    CHECK(render::title(c, wrong) == "Wrong code: f(2) is 7, expected 2 (wrong after partition_loops)");
    wrong.pass = a_pass("(vectorize_loops, simplify.3]");
    CHECK(render::title(c, wrong) == "Wrong code: f(2) is 7, expected 2 (wrong between vectorize_loops and simplify)");
    wrong.cls = Class::wrong_code;
    wrong.pass.reset();
    CHECK(render::title(c, wrong) == "Wrong code: f(2) is 7, expected 2 (in code generation)");
    CHECK(render::title(c, of(Class::compiler_internal_error,
                              "Internal Error at Type.h:368 triggered by user code at : Condition failed: bits() != 1: "
                              "Attempting to narrow a 1-bit type\nmore")) ==
          "Internal error: Type.h:368: bits() != 1: Attempting to narrow a 1-bit type (with split, vectorize)");
    verdict::Verdict crash = of(Class::compiler_crash, "");
    crash.signal = 8;
    CHECK(render::title(c, crash) == "Compiler crash (SIGFPE) with split, vectorize");
    // The pass in which a compiler failed is not a wrong pass; a pass that leaves a free variable is.
    crash.pass = a_pass("(simplify.4, partition_loops]");
    CHECK(render::is_where_it_failed(crash));
    CHECK(render::title(c, crash) == "Compiler crash (SIGFPE) with split, vectorize");
    crash.pass = a_pass("(final, code generation]");
    crash.lowered = a_lowered("agrees");
    CHECK(render::is_where_it_failed(crash));
    crash.pass = a_pass("(simplify.4, partition_loops]");
    crash.lowered = a_lowered("unsupported: the free variable f.s0.x");
    crash.lowered->not_run = verdict::NotRun::free_variable;
    CHECK(render::has_free_variable(crash));
    CHECK_FALSE(render::is_where_it_failed(crash));
    CHECK(render::title(c, crash) == "Compiler crash (SIGFPE) wrong after partition_loops");
    CHECK(render::title(c, of(Class::latent_bug,
                              "read_write_race: reads f[0], which another branch writes in `f[0] := "
                              "1`, and neither happens first")) ==
          "Wrong code (race): reads f[0], which another branch writes, and neither happens first (with split, "
          "vectorize)");
    CHECK(render::title(c, of(Class::latent_bug, "deadlock: nobody runs")) ==
          "Wrong code (deadlock): nobody runs (with split, vectorize)");
}

TEST_CASE("an issue claims of the lowered program only what is known of it") {
    using verdict::Class;
    CHECK(render::outcome(of(Class::wrong_result, "f(0) is 1, expected 2")) ==
          "The compiled pipeline gives a wrong result.");
    CHECK(render::outcome(of(Class::wrong_lowering, "f(0) is 1, expected 2")) ==
          "The result is wrong, and so is the lowered program.");
}

TEST_CASE("passes are named as a reader counts") {
    CHECK(render::pass_name("vectorize_loops") == "vectorize_loops");
    CHECK(render::pass_name("simplify.2") == "simplify (2nd time)");
    CHECK(render::pass_name("simplify.3") == "simplify (3rd time)");
    CHECK(render::pass_name("simplify.11") == "simplify (11th time)");
}

TEST_CASE("a diff shows what differs with its context, whatever the indentation") {
    CHECK(render::diff("a\nb\nc\n", "a\n  b\nc\n").empty());
    CHECK(render::diff("a\nb\nc\n", "a\nx\nc\n", 1) == " a\n-b\n+x\n c\n");
    CHECK(render::diff("1\n2\n3\n4\n5\n6\n", "1\nx\n3\n4\n5\ny\n", 1) == " 1\n-2\n+x\n 3\n⋮\n 5\n-6\n+y\n");
    CHECK(render::diff("for {\n a\n b\n}\n", " a\n b\n", 0) == "-for {\n⋮\n-}\n");
    CHECK(render::diff("", "a\nb\nc\n", 3, 2) == "+a\n+b\n… 1 more line\n");
    CHECK(render::diff("", std::string(300, 'a') + "\n") == "+" + std::string(199, 'a') + " …\n");
    CHECK(render::diff("a\nb\nc\n", "") == "-a\n-b\n-c\n");
}

TEST_CASE("the beginning of a text counts what it leaves out") {
    CHECK(render::beginning("a\nb\n", 2) == "a\nb\n");
    CHECK(render::beginning("a\nb\nc\nd\n", 2) == "a\nb\n… 2 more lines\n");
}
