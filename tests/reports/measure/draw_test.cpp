#include "reports/measure/draw.h"

#include <set>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "harness/transform/random_program.h"
#include "oracle/validator/counterexamples/replay.h"
#include "reports/measure/reassociation.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;

namespace {

std::string text(const Problem& problem) {
    const auto& written = std::get<Written>(problem.subject);
    return problem.detail + sare::print(written.sare) + sched::print(written.program) + problem.shown;
}

}  // namespace

TEST_CASE("problems are what they are made for, and the same for the same seed and index") {
    const Workplace workplace = test::workplace_without_compiler();
    std::set<std::string> seen;
    for (std::uint64_t index = 0; index < 36; ++index) {
        const auto problem = draw_problem(3, index, workplace);
        if (!problem) { continue; }  // this making needs a compiler
        INFO(index << " " << name(problem->making));
        CHECK(problem->is_wrong == (problem->making == Making::mutated));
        CHECK(problem->is_wrong == !problem->shown.empty());
        CHECK((problem->is_wrong || !problem->is_wrong_at_own));
        CHECK(text(*draw_problem(3, index, workplace)) == text(*problem));
        seen.insert(std::string(name(problem->making)));
    }
    CHECK(seen == std::set<std::string>{"transformed", "reordered", "laid out anew", "re-associated", "mutated"});
}

TEST_CASE("re-associated programs are well-typed and compute the same") {
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Choices choices(random_source(derive_seed(9, seed)));
        const transform::RandomProgram drawn = transform::random_program(choices);
        const sched::Program other = reassociate(drawn.program, choices);
        if (other == drawn.program) { continue; }
        ++changed;
        INFO(sched::print(drawn.program) << sched::print(other));
        CHECK(sched::check(other, sched::Rules::extended).has_value());
        for (std::int64_t size = 0; size < 12; size += 3) {
            Sizes sizes;
            for (const std::string& parameter : drawn.sare.parameters) { sizes[parameter] = size; }
            const auto trial = validator::replay(drawn.sare, other, sizes, {}, 400'000);
            CHECK_FALSE(trial.is_wrong);
        }
    }
    CHECK(changed > 10);
}

TEST_CASE("sums of i32 change sides but keep their order: another one may overflow where this one does not") {
    const auto program = sched::parse_program(
        "sched s(W) {\n  input a : i32[W];\n  output f : i32[W];\n"
        "  for x in [0, W) { f[x] {f(x)} := a[x] + 1i32 + (2i32 + a[x]); }\n}\n",
        "s");
    REQUIRE(program.has_value());
    std::set<std::string> forms;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        Choices choices(random_source(seed));
        const std::string text = sched::print(reassociate(*program, choices));
        const std::size_t at = text.find(":= ");
        forms.insert(text.substr(at + 3, text.find(';', at) - at - 3));
    }
    // The operands of each of three sums may be swapped.
    CHECK(forms.size() == 8);
    CHECK(forms.contains("2i32 + a[x] + (a[x] + 1i32)"));
}
