#include "harness/transform/naive.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "harness/transform/specification.h"
#include "tests/harness/transform/judged.h"
#include "tests/support/catch.h"

namespace haruspex::transform {
namespace {

TEST_CASE("naive programs of random algorithms are right, and so are their prophecies") {
    constexpr int programs = 1000;
    int cells = 0, prophesied = 0;
    for (int p = 0; p < programs; ++p) {
        Choices choices(random_source(derive_seed(1, static_cast<std::uint64_t>(p))));
        const sare::Algorithm algorithm = draw_algorithm(choices, {});
        const auto sound = sare::check(algorithm);
        const sare::Sare sare = sare::stage(algorithm);
        Names names;
        const sched::Program program = naive_program(algorithm, names);
        INFO(p << "\n" << sare::print(sare) << "\n" << sched::print(program));
        INFO((sound ? "" : sound.error().message));
        REQUIRE(sound);
        REQUIRE(sched::check(program, sched::Rules::extended));
        for (int s = 0; s < 3; ++s) {
            const Judged judged = judge(sare, program, draw_sizes(sare, s, choices), static_cast<std::uint64_t>(s));
            INFO(judged.wrong);
            REQUIRE(judged.wrong.empty());
            cells += judged.cells;
            prophesied += judged.prophesied;
        }
    }
    CHECK(cells > programs * 10);
    CHECK(prophesied > cells);
}

}  // namespace
}  // namespace haruspex::transform
