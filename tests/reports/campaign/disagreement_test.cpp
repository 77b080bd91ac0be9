#include "reports/campaign/disagreement.h"

#include <optional>
#include <string>
#include <utility>

#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::campaign {
namespace {

using verdict::Class;

session::Answer of(Class cls, const std::string& lowered = {}, const std::string& pass = {}) {
    verdict::Verdict verdict;
    verdict.cls = cls;
    verdict.message = "in words";
    verdict.lowered = a_lowered(lowered);
    verdict.pass = a_pass(pass);
    return {verdict, {}};
}

session::Answer proved(std::optional<verdict::Validation> own_sizes, std::optional<verdict::Validation> all_sizes) {
    session::Answer answer = of(Class::agrees, "agrees");
    answer.verdict->own_sizes = own_sizes;
    answer.verdict->all_sizes = all_sizes;
    return answer;
}

verdict::Validation undecided(const char* why) {
    return verdict::obstructed(verdict::Outcome::undecided, verdict::Cause::budget, {why, {}});
}

std::optional<Disagreement> between(const session::Answer& before, const session::Answer& now,
                                    bool has_same_passes = true) {
    return disagreement(standing({}, before), standing({}, now), has_same_passes);
}

const std::string wrong = "f(3) is 7i32, expected 5i32; 3 of 20 cells differ";
const std::string race = "read_write_race: reads f[0]";
const std::string pass = "(simplify, unroll_loops]", other_pass = "(unroll_loops, vectorize_loops]";

}  // namespace

TEST_CASE("equal answers do not disagree, and words are not compared") {
    const session::Answer answers[] = {
        of(Class::agrees),         of(Class::wrong_lowering, wrong, pass),
        of(Class::rejected),       session::refused("no"),
        of(Class::not_compared),   of(Class::harness_failure),
        of(Class::compiler_crash), proved(verdict::proved(false), verdict::proved(true))};
    for (const session::Answer& answer : answers) { CHECK_FALSE(between(answer, answer)); }
    session::Answer reworded = answers[1];
    reworded.verdict->message = "in other words";
    CHECK_FALSE(between(answers[1], reworded));
    // The compiler refuses with an error, haruspex before it comes to the compiler.
    CHECK_FALSE(between(of(Class::rejected), session::refused("no")));
}

TEST_CASE("a failure where there was none is a new finding, and is mended where there is none any more") {
    const session::Answer failure = of(Class::wrong_lowering, wrong, pass);
    for (const session::Answer& none : {of(Class::agrees), of(Class::not_compared), of(Class::rejected),
                                        session::refused("no"), of(Class::outside_context)}) {
        CHECK(between(none, failure) == Disagreement::new_finding);
        CHECK(between(failure, none) == Disagreement::mended);
    }
    CHECK(between(of(Class::agrees), of(Class::translation_fault, wrong, pass)) == Disagreement::new_finding);
}

TEST_CASE("a failure of another class, pass or trouble is another finding") {
    const session::Answer failure = of(Class::wrong_lowering, wrong, pass);
    CHECK(between(failure, of(Class::wrong_code, "agrees")) == Disagreement::other_finding);
    CHECK(between(failure, of(Class::wrong_lowering, wrong, other_pass)) == Disagreement::other_finding);
    CHECK(between(failure, of(Class::wrong_lowering, race, pass)) == Disagreement::other_finding);
    CHECK(between(of(Class::harness_failure), failure) == Disagreement::other_finding);
    // Another version has other passes.
    CHECK_FALSE(between(failure, of(Class::wrong_lowering, wrong, other_pass), false));
    CHECK(between(failure, of(Class::wrong_code, "agrees"), false) == Disagreement::other_finding);
}

TEST_CASE("what the native run makes of a lowered program in trouble is an accident") {
    for (const std::string& lowered : {race, std::string("out_of_bounds_read: reads f[9]"),
                                       std::string("f(3) is uninit_i32, expected 5i32; 1 of 20 cells differ")}) {
        INFO(lowered);
        const session::Answer latent = of(Class::latent_bug, lowered, pass);
        for (const Class cls : {Class::wrong_lowering, Class::nondeterminism, Class::program_crash}) {
            CHECK_FALSE(between(latent, of(cls, lowered, pass)));
            CHECK_FALSE(between(of(cls, lowered, pass), latent));
        }
    }
    CHECK(between(of(Class::latent_bug, race, pass), of(Class::wrong_lowering, wrong, pass)) ==
          Disagreement::other_finding);
}

TEST_CASE("a refusal where there was none is worse, and none where there was one is better") {
    for (const session::Answer& refusal : {of(Class::rejected), session::refused("no")}) {
        for (const session::Answer& none : {of(Class::agrees), of(Class::not_compared)}) {
            CHECK(between(none, refusal) == Disagreement::refused_now);
            CHECK(between(refusal, none) == Disagreement::accepted_now);
        }
    }
}

TEST_CASE("less of a proof is a proof lost, and more of it is one won") {
    verdict::Validation conditional = verdict::proved(true);
    conditional.premise = "4 <= W";
    verdict::Validation fitting = conditional;
    fitting.needs_fitting_sums = true;
    verdict::Validation of_reals = verdict::proved(true);
    of_reals.floats = verdict::Floats::real;
    const auto here = verdict::proved(false);
    const session::Answer ranked[] = {proved(undecided("steps"), std::nullopt),
                                      proved(here, undecided("steps")),
                                      proved(here, fitting),
                                      proved(here, conditional),
                                      proved(here, of_reals),
                                      proved(here, verdict::proved(true))};
    for (std::size_t less = 0; less < std::size(ranked); ++less) {
        for (std::size_t more = less + 1; more < std::size(ranked); ++more) {
            INFO(less << " " << more);
            CHECK(between(ranked[more], ranked[less]) == Disagreement::proof_lost);
            CHECK(between(ranked[less], ranked[more]) == Disagreement::proof_won);
        }
    }
    CHECK_FALSE(between(proved(undecided("steps"), std::nullopt), proved(undecided("terms"), std::nullopt)));
}

TEST_CASE("another class without a failure is neither better nor worse") {
    CHECK(between(of(Class::agrees), of(Class::not_compared)) == Disagreement::judged_otherwise);
    CHECK(change(Disagreement::judged_otherwise) == Change::other);
    CHECK(change(Disagreement::refused_now) == Change::worse);
    CHECK(change(Disagreement::mended) == Change::better);
}

TEST_CASE("what a build did not look at is neither mended nor the same") {
    const session::Answer right = of(Class::agrees, "agrees"), blind = of(Class::agrees, "unsupported: an intrinsic");
    CHECK(between(right, blind) == Disagreement::judged_otherwise);
    CHECK(between(blind, right) == Disagreement::judged_otherwise);
    CHECK_FALSE(between(blind, of(Class::agrees)));
    for (const session::Answer& failure : {of(Class::latent_bug, race, pass), of(Class::wrong_lowering, race, pass),
                                           of(Class::introduced_overflow), of(Class::translation_fault, wrong, pass)}) {
        CHECK(between(failure, right) == Disagreement::mended);
        CHECK(between(failure, blind) == Disagreement::judged_otherwise);
    }
    CHECK(between(of(Class::wrong_lowering, wrong, pass), blind) == Disagreement::mended);
    session::Answer refuted = of(Class::refuted_lowering, "agrees");
    refuted.verdict->own_sizes = verdict::proved(false);
    refuted.verdict->own_sizes->outcome = verdict::Outcome::refuted;
    const auto here = verdict::proved(false), everywhere = verdict::proved(true);
    CHECK(between(refuted, proved(undecided("steps"), std::nullopt)) == Disagreement::judged_otherwise);
    CHECK(between(refuted, proved(here, undecided("steps"))) == Disagreement::mended);
    // At other sizes, of which a proof at the case's own says nothing.
    refuted.verdict->all_sizes = std::exchange(refuted.verdict->own_sizes, here);
    CHECK(between(refuted, proved(here, undecided("steps"))) == Disagreement::judged_otherwise);
    CHECK(between(refuted, proved(here, everywhere)) == Disagreement::mended);
    CHECK(in_words(cases::Case{}, blind).find("agrees; lowered program: ") == 0);
}

TEST_CASE("the names of disagreements are read back") {
    for (const Disagreement one : disagreements) { CHECK(parse_disagreement(name(one)) == one); }
    CHECK_FALSE(parse_disagreement("no such"));
}

TEST_CASE("an answer is told in a line") {
    CHECK(in_words(cases::Case{}, of(Class::wrong_lowering, wrong, pass)) == "wrong_lowering value " + pass);
    CHECK(in_words(cases::Case{}, of(Class::agrees)) == "agrees");
    CHECK(in_words(cases::Case{}, session::refused("no\nmore")) == "refused: no");
    CHECK(in_words(cases::Case{}, proved(verdict::proved(false), verdict::proved(true))) ==
          "agrees; validated for all sizes");
    CHECK(in_words(cases::Case{}, proved(undecided("steps"), std::nullopt)).find("agrees; undecided") == 0);
}

}  // namespace haruspex::campaign
