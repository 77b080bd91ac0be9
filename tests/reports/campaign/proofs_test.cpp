#include "reports/campaign/proofs.h"

#include "tests/reports/campaign/campaign_support.h"

namespace haruspex::campaign {
namespace {

using verdict::Cause;
using verdict::Class;
using verdict::Outcome;

using Said = std::optional<verdict::Validation>;

std::string row(Class cls, const Said& own_sizes, const Said& all_sizes = {}, std::size_t unbounded = 2) {
    verdict::Verdict verdict;
    verdict.cls = cls;
    verdict.own_sizes = own_sizes;
    verdict.all_sizes = all_sizes;
    const auto row = row_of(verdict, unbounded);
    if (!row) { return "none"; }
    const std::string text = to_string(*row);
    CHECK(parse_row(text) == row);
    return text;
}

const Said here = verdict::proved(false), everywhere = verdict::proved(true);

Said conditional() {
    Said said = everywhere;
    said->premise = "4 <= W";
    return said;
}

Said spent(const std::string& work) {
    return verdict::obstructed(Outcome::undecided, Cause::budget, {work, "isl's budget of operations is spent"});
}

Said unsupported(const std::string& kind, const std::string& detail) { return verdict::unsupported({kind, detail}); }

Said refuted() { return verdict::obstructed(Outcome::refuted, verdict::ObligationKind::value, "f[x] := 1"); }

Said because(Outcome outcome, Cause cause) {
    Said said = refuted();
    said->outcome = outcome;
    said->cause = cause;
    return said;
}

}  // namespace

TEST_CASE("every case that the compiler compiled has one row in the validator's table") {
    CHECK(row(Class::agrees, here, everywhere, 0) == "for all sizes: 0");
    CHECK(row(Class::agrees, here, everywhere, 1) == "for all sizes: 1");
    CHECK(row(Class::agrees, here, everywhere, 7) == "for all sizes: 2 or more");
    CHECK(row(Class::agrees, here, conditional()) == "when P: 2 or more");
    CHECK(row(Class::agrees, here, spent("evaluation")) == "at its sizes: undecided: evaluation");
    CHECK(row(Class::agrees, here, unsupported("linear memory", "f[7*x]")) ==
          "at its sizes: unsupported: linear memory");
    CHECK(row(Class::refuted_lowering, here, refuted()) == "refuted: at other sizes");
    CHECK(row(Class::wrong_lowering, verdict::obstructed(Outcome::refuted, Cause::run, {"value", "f(1) is 2i32"})) ==
          "refuted: at its sizes");
    CHECK(row(Class::agrees, spent("steps")) == "undecided: steps");
    CHECK(row(Class::latent_bug, unsupported("data-dependent index", "a[b[x]]")) ==
          "unsupported: data-dependent index");
    // A program that is too large to decide at its own sizes may be decided for all sizes.
    const Said large = spent("steps");
    CHECK(row(Class::agrees, large, everywhere) == "for all sizes: 2 or more");
    CHECK(row(Class::agrees, large, conditional()) == "when P: 2 or more");
    CHECK(row(Class::refuted_lowering, large, refuted()) == "refuted: at other sizes");
    CHECK(row(Class::agrees, large, because(Outcome::undecided, Cause::not_confirmed)) ==
          "undecided (false alarm): refuted, not confirmed");
    CHECK(row(Class::agrees, here, because(Outcome::undecided, Cause::not_confirmed)) ==
          "at its sizes (false alarm): undecided: refuted, not confirmed");
    CHECK(row(Class::agrees, large, spent("evaluation")) == "undecided: steps");
    CHECK(row(Class::agrees, unsupported("data-dependent branch", "a"), spent("evaluation")) ==
          "unsupported: data-dependent branch");
    CHECK(row(Class::bad_case, {}) == "not asked: bad_case");
    CHECK(row(Class::unsound_validator, here, everywhere) == "unsound");
}

TEST_CASE("only a row that the table has is read") {
    for (const char* text : {"", "decided", "for all sizes of it: 1", "At its sizes", "not compiled", " (false alarm)",
                             "refuted (false alarm): at other sizes", "undecided (alarm): steps"}) {
        INFO(text);
        CHECK_FALSE(parse_row(text).has_value());
    }
    CHECK(parse_row("time limit") == Row{Proof::time_limit});
    // Whether it is a false alarm is not read from its reason.
    CHECK_FALSE(parse_row("at its sizes: undecided: refuted, not confirmed")->is_false_alarm);
    CHECK(parse_row("at its sizes (false alarm): in other words")->is_false_alarm);
    CHECK(parse_row("undecided (false alarm)") == Row{Proof::undecided, "", true});
}

TEST_CASE("what the compiler did not compile has no row") {
    for (const Class cls : {Class::rejected, Class::compiler_crash, Class::compiler_internal_error,
                            Class::compiler_hang, Class::compiler_out_of_memory}) {
        CHECK(row(cls, {}) == "none");
    }
}

TEST_CASE("what a time limit stopped is kept apart from what the validator does not decide") {
    CHECK(row(Class::agrees, because(Outcome::unsupported, Cause::compiler_limit)) == "time limit");
    CHECK(row(Class::agrees, here, because(Outcome::unsupported, Cause::compiler_limit)) == "time limit");
}

TEST_CASE("the table adds up, and a refutation that is not confirmed is a false alarm") {
    const Rows rows = test::rows({{"for all sizes: 1", {3}},
                                  {"for all sizes: 2 or more", {0, 4, 9}},
                                  {"when P: 1", {11}},
                                  {"at its sizes: undecided: evaluation", {1, 5, 7, 8}},
                                  {"at its sizes (false alarm): undecided: refuted, not confirmed", {2, 6}},
                                  {"refuted: at its sizes", {12, 13, 14, 15, 16}},
                                  {"undecided: steps", {17}},
                                  {"undecided (false alarm): refuted, not confirmed", {21}},
                                  {"time limit", {18}},
                                  {"unsound", {19, 20}}});
    const ProofTotals totals = totals_of(rows);
    CHECK(totals.compiled == 21);
    CHECK(totals.decided == 16);
    CHECK(totals.false_alarms == 3);
    CHECK(totals.unsound == 2);
    CHECK(to_table(rows) ==
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
          "    steps                                                         1     4.8%\n"
          "  time limit                                                      1     4.8%\n"
          "  unsound                                                         2     9.5%\n"
          "false alarms                                                      3    14.3%\n"
          "unsound                                                           2     9.5%\n"
          "for all sizes, of those not refuted                               4    25.0%\n"
          "of 2 or more unbounded parameters, of those for all sizes         3    75.0%\n");
}

TEST_CASE("a campaign with the validator says in its summary what became of every compiled case") {
    test::Scratch scratch;
    campaign::Options o = test::options(scratch / "with", 30, 2);
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
