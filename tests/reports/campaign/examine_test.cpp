#include "reports/campaign/examine.h"

#include <cstdlib>
#include <fstream>

#include "generators/case/json.h"
#include "oracle/pipeline/judge_case.h"
#include "reports/campaign/second_solver.h"
#include "reports/session/judging.h"
#include "tests/support/catch.h"
#include "tests/support/inconstant.h"
#include "tests/support/scratch.h"

namespace haruspex::campaign {

TEST_CASE("what compiled code does wrong at another size is filed as a case of that size, which no index draws") {
    const cases::Case c = test::case_of_numbers();
    const std::string right = "for x in [0, W) { f[x] {f(x)} := u8<x>; }";
    test::Inconstant compiler(8, right, right, [](compiler::Observation& seen) { seen.first[0].bits[0] ^= 1U; });
    compiler::ForkServer server(compiler, {});
    pipeline::Options options;
    options.validate = true;
    const store::Record silent = examine(3, c, server, compiler.identity(), options);
    CHECK(verdict::name(silent.verdict.cls) == "agrees");
    CHECK(silent.case_json.empty());
    options.other_sizes = 3;
    const store::Record record = examine(3, c, server, compiler.identity(), options);
    CHECK(verdict::name(record.verdict.cls) == "wrong_code");
    CHECK(record.features.contains("all sizes:validated"));
    CHECK_FALSE(record.seeded);
    const auto filed = cases::parse_case(record.case_json, "filed");
    REQUIRE(filed);
    CHECK(filed->sizes != c.sizes);
    CHECK(cases::at_sizes(c, filed->sizes) == *filed);
    // At these sizes the finding shows at once, and the case can be drawn again.
    const store::Record again = examine(4, *filed, server, compiler.identity(), {});
    CHECK(verdict::name(again.verdict.cls) == "wrong_code");
    CHECK(again.group == record.group);
    CHECK(again.seeded);
}

TEST_CASE("an unsound proof is filed as a case of the size that contradicts it, and shows there again") {
    const cases::Case c = test::case_of_numbers();
    test::Deceptive compiler("for x in [0, W) { f[x] {f(x)} := u8<x>; }",
                             "for x in [0, W) { f[x] {f(x)} := u8<x + 1>; }");
    compiler::ForkServer server(compiler, {});
    pipeline::Options options;
    options.validate = true;
    options.other_sizes = 3;
    const store::Record record = examine(3, c, server, compiler.identity(), options);
    CHECK(verdict::name(record.verdict.cls) == "unsound_validator");
    CHECK_FALSE(record.seeded);
    const auto filed = cases::parse_case(record.case_json, "filed");
    REQUIRE(filed);
    CHECK(filed->sizes != c.sizes);
    // As `haruspex reproduce` judges it, and as triage and `haruspex minimize` do.
    const auto compared = session::judging_to_compare(record.verdict);
    CHECK(pipeline::judge_case(*filed, server, compiler.identity(), compared).verdict == record.verdict);
    const store::Record again = examine(4, *filed, server, compiler.identity(), session::judging_again(record.verdict));
    CHECK(verdict::name(again.verdict.cls) == "unsound_validator");
    CHECK(again.group == record.group);
}

TEST_CASE("queries on which the solvers contradict each other are a fault, or kept beside the finding") {
    const tests::ScratchFolder scratch;
    const std::string liar = (scratch.path() / "liar").string();
    std::ofstream(liar) << "#!/bin/sh\ncat > /dev/null\necho sat\n";
    REQUIRE(std::system(("chmod +x " + liar).c_str()) == 0);
    const cases::Case c = test::case_of_numbers();
    // Only a solver shows this for all sizes.
    const std::string program = "for x in [0, W) { f[x] {f(x)} := (u8<x> & 15u8) + (u8<x> & 240u8); }";
    test::Inconstant compiler(8, program, program);
    compiler::ForkServer server(compiler, {});
    pipeline::Options options;
    options.validate = true;
    const store::Record silent = examine(3, c, server, compiler.identity(), options);
    CHECK(verdict::name(silent.verdict.cls) == "agrees");
    CHECK(silent.features.contains("all sizes:validated"));
    options.solvers = {.solver = smt::Solver::both, .cvc5 = {.program = liar}};
    const store::Record record = examine(3, c, server, compiler.identity(), options);
    CHECK(verdict::name(record.verdict.cls) == "solver_contradiction");
    CHECK(record.verdict.message == "z3 says unsat, cvc5 says sat");
    CHECK_FALSE(record.features.contains("all sizes:validated"));
    const auto contradicted = record.features.lower_bound("second solver:contradicted ");
    REQUIRE(contradicted != record.features.end());
    CHECK(contradicted->starts_with("second solver:contradicted "));
    REQUIRE(record.attachments.contains("contradiction-1.smt2"));
    CHECK(record.attachments.at("contradiction-1.smt2").starts_with("; z3 says unsat, cvc5 says sat\n; Does the "));
    CHECK_FALSE(record.case_json.empty());
    CHECK(session::judging_again(record.verdict).solvers.solver == smt::Solver::both);
    CHECK(cross_check_totals({{"second solver:contradicted 2", 3}, {"second solver:agreed 10", 2}, {"f:g", 4}}) ==
          CrossCheckTotals{.agreed = 20, .contradicted = 6});
    // A finding stays one.
    test::Inconstant wrong(9, program, program, [](compiler::Observation& seen) { seen.first[0].bits[0] ^= 1U; });
    compiler::ForkServer wrong_server(wrong, {});
    const store::Record finding = examine(3, c, wrong_server, wrong.identity(), options);
    CHECK(verdict::name(finding.verdict.cls) == "wrong_code");
    CHECK(finding.attachments.contains("contradiction-1.smt2"));
}

}  // namespace haruspex::campaign
