#include "reports/campaign/proofs.h"

#include "tests/reports/campaign/campaign_support.h"

namespace haruspex::campaign {
namespace {

using verdict::Class;

std::string row(Class cls, const std::string& validator, const std::string& all_sizes = "", std::size_t unbounded = 2) {
    verdict::Verdict verdict;
    verdict.cls = cls;
    verdict.validator = verdict::parse_validation(validator);
    verdict.all_sizes = verdict::parse_validation(all_sizes);
    return row_of(verdict, unbounded).value_or("none");
}

const std::string here = "validated for the given sizes";

}  // namespace

TEST_CASE("every case that the compiler compiled has one row in the validator's table") {
    CHECK(row(Class::agrees, here, "validated for all sizes", 0) == "for all sizes: 0");
    CHECK(row(Class::agrees, here, "validated for all sizes", 1) == "for all sizes: 1");
    CHECK(row(Class::agrees, here, "validated for all sizes", 7) == "for all sizes: 2 or more");
    CHECK(row(Class::agrees, here, "validated when 4 <= W") == "when P: 2 or more");
    CHECK(row(Class::agrees, here, "undecided: evaluation: isl's budget of operations is spent") ==
          "at its sizes: undecided: evaluation");
    CHECK(row(Class::agrees, here, "unsupported: linear memory: f[7*x]") == "at its sizes: unsupported: linear memory");
    CHECK(row(Class::refuted_lowering, here, "refuted: value: f[x] := 1") == "refuted: at other sizes");
    CHECK(row(Class::wrong_lowering, "refuted: f(1) is 2i32, expected 1i32") == "refuted: at its sizes");
    CHECK(row(Class::agrees, "undecided: too many steps") == "undecided: too many steps");
    CHECK(row(Class::latent_bug, "unsupported: data-dependent index: a[b[x]]") == "unsupported: data-dependent index");
    // What is too large to be decided at its own sizes may be decided for all.
    const std::string large = "undecided: the program needs more than 12000000 steps";
    CHECK(row(Class::agrees, large, "validated for all sizes") == "for all sizes: 2 or more");
    CHECK(row(Class::agrees, large, "validated when 4 <= W") == "when P: 2 or more");
    CHECK(row(Class::refuted_lowering, large, "refuted: value: f[x] := 1") == "refuted: at other sizes");
    CHECK(row(Class::agrees, large, "undecided: refuted, not confirmed: value: f[x] := 1") ==
          "undecided: refuted, not confirmed");
    CHECK(row(Class::agrees, large, "undecided: evaluation: isl's budget of operations is spent") == large);
    CHECK(row(Class::agrees, "unsupported: data-dependent branch: a", "undecided: evaluation: spent") ==
          "unsupported: data-dependent branch");
    CHECK(row(Class::bad_case, "") == "not asked: bad_case");
    CHECK(row(Class::unsound_validator, here, "validated for all sizes") == "unsound");
}

TEST_CASE("what the compiler did not compile has no row") {
    for (const Class cls : {Class::rejected, Class::compiler_crash, Class::compiler_internal_error,
                            Class::compiler_hang, Class::compiler_out_of_memory}) {
        CHECK(row(cls, "") == "none");
    }
}

TEST_CASE("what a time limit stopped is kept apart from what the validator does not decide") {
    CHECK(row(Class::agrees, "unsupported: time limit: CPU limit of 15000 ms") == "time limit");
    CHECK(row(Class::agrees, here, "unsupported: time limit: CPU limit of 15000 ms") == "time limit");
}

TEST_CASE("the table adds up, and a refutation that is not confirmed is a false alarm") {
    const Proofs proofs = proofs_of({{"for all sizes: 1", {3}},
                                     {"for all sizes: 2 or more", {0, 4, 9}},
                                     {"when P: 1", {11}},
                                     {"at its sizes: undecided: evaluation", {1, 5, 7, 8}},
                                     {"at its sizes: undecided: refuted, not confirmed", {2, 6}},
                                     {"refuted: at its sizes", {12, 13, 14, 15, 16}},
                                     {"undecided: too many steps", {17}},
                                     {"undecided: refuted, not confirmed", {21}},
                                     {"time limit", {18}},
                                     {"unsound", {19, 20}}});
    const ProofTotals totals = totals_of(proofs);
    CHECK(totals.compiled == 21);
    CHECK(totals.decided == 16);
    CHECK(totals.false_alarms == 3);
    CHECK(totals.unsound == 2);
    CHECK(to_table(proofs) ==
          "validator                                                     cases    share\n"
          "compiled                                                         21   100.0%\n"
          "decided                                                          16    76.2%\n"
          "  for all sizes                                                   4    19.0%\n"
          "    unbounded parameters: 2 or more                               3    14.3%\n"
          "    unbounded parameters: 1                                       1     4.8%\n"
          "  when P                                                          1     4.8%\n"
          "    unbounded parameters: 1                                       1     4.8%\n"
          "  at its sizes                                                    6    28.6%\n"
          "    undecided: evaluation                                         4    19.0%\n"
          "    undecided: refuted, not confirmed                             2     9.5%\n"
          "  refuted                                                         5    23.8%\n"
          "    at its sizes                                                  5    23.8%\n"
          "  undecided                                                       2     9.5%\n"
          "    refuted, not confirmed                                        1     4.8%\n"
          "    too many steps                                                1     4.8%\n"
          "  time limit                                                      1     4.8%\n"
          "  unsound                                                         2     9.5%\n"
          "false alarms                                                      3    14.3%\n"
          "unsound                                                           2     9.5%\n"
          "for all sizes, of those not refuted                               4    25.0%\n"
          "of 2 or more unbounded parameters, of those for all sizes         3    75.0%\n");
}

TEST_CASE("a campaign with the validator says in its summary what became of every compiled case") {
    test::Scratch scratch;
    campaign::Options o = test::options(scratch / "with", 10, 2);
    o.validate = true;
    const auto summary = test::run(o, test::mixed_mischief);
    // The reference compiler lowers nothing.
    const auto tree = test::summary_of(o.out).at("results").at("validator");
    CHECK(tree.at("compiled") == summary.cases - summary.by_class.at("rejected"));
    CHECK(tree.at("decided") == 0);
    CHECK(tree.at("cases").at("not asked").at("agrees") == summary.by_class.at("agrees"));
    CHECK(campaign::to_table(summary).find("\n  not asked ") != std::string::npos);
    const auto without = test::run(test::options(scratch / "without", 10), test::mixed_mischief);
    CHECK(test::summary_of(scratch / "without").at("results").at("validator").is_null());
    CHECK(campaign::to_table(without).find("not asked") == std::string::npos);
}

}  // namespace haruspex::campaign
