#include "reports/triage/exclusion.h"

#include <string>

#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::triage {
namespace {

using verdict::Class;
using verdict::Outcome;

verdict::Verdict of(Class cls, const std::string& lowered = {}) {
    verdict::Verdict verdict;
    verdict.cls = cls;
    verdict.lowered = a_lowered(lowered);
    return verdict;
}

const std::string race = "read_write_race: reads f[0]";

}  // namespace

TEST_CASE("a finding that native code shows is excluded by code that agrees") {
    CHECK(excludes(of(Class::agrees), of(Class::wrong_code, "agrees")));
    CHECK(excludes(of(Class::agrees), of(Class::compiler_crash)));
}

TEST_CASE("a finding of the lowered program is excluded only by a lowered program that is right") {
    for (const auto& earlier : {of(Class::latent_bug, race), of(Class::wrong_lowering, race),
                                of(Class::program_crash, race), of(Class::translation_fault)}) {
        CHECK(excludes(of(Class::agrees, "agrees"), earlier));
        CHECK_FALSE(excludes(of(Class::agrees, "unsupported: an intrinsic"), earlier));
        CHECK_FALSE(excludes(of(Class::agrees), earlier));
    }
}

TEST_CASE("a refutation is excluded by a proof for its sizes") {
    const Class cls = GENERATE(Class::refuted_lowering, Class::introduced_overflow);
    const auto refuted = verdict::obstructed(Outcome::refuted, verdict::ObligationKind::value, "f[x] := 1");
    verdict::Verdict here = of(cls, "agrees"), elsewhere = here, now = of(Class::agrees, "agrees");
    here.own_sizes = refuted;
    elsewhere.own_sizes = verdict::proved(false);
    elsewhere.all_sizes = refuted;
    CHECK(is_by_validator(here));
    CHECK_FALSE(excludes(now, here));
    now.own_sizes = verdict::proved(false);
    CHECK(excludes(now, here));
    CHECK_FALSE(excludes(now, elsewhere));
    now.all_sizes = verdict::proved(true);
    CHECK(excludes(now, elsewhere));
    now.all_sizes->premise = "4 <= W";
    CHECK_FALSE(excludes(now, elsewhere));
}

}  // namespace haruspex::triage
