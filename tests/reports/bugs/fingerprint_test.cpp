#include "reports/bugs/fingerprint.h"

#include <string>

#include "generators/case/json.h"
#include "reports/bugs/known.h"
#include "reports/triage/signature.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

Fingerprint print_of(const std::string& pass, const std::string& trouble, std::set<std::string> features) {
    return {a_symptom("wrong_lowering", pass, trouble), std::move(features)};
}

cases::Case a_case(const std::string& definitions, const std::string& output, const std::string& schedule) {
    auto c = cases::parse_case(R"({"haruspex_case": 1, "sare": ["sare s(W) { input in : i32[1] )" + definitions +
                                   " output " + output + R"( on { [x] : 0 <= x < W } }"], "schedule": [)" + schedule +
                                   R"(], "sizes": {"W": 8}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, )" +
                                   R"("special_values": false}}, "input_seed": 0, "strict_float": false, )" +
                                   R"("comparison": "exact", "target": "host"})",
                               "test");
    INFO((c ? std::string() : to_string(c.error())));
    REQUIRE(c.has_value());
    return std::move(*c);
}

}  // namespace

TEST_CASE("neither names nor the order of independent tensors tell findings apart") {
    const cases::Case one = a_case("f(x) = in(x) * 3i32 g(x) = in(x + 1) h(x) = f(x) + g(x)", "h",
                                   R"j("f.compute_root()", "g.compute_at(h, x)", "h.vectorize(x, 4)")j");
    const cases::Case two = a_case("a(y) = in(y + 1) b(y) = in(y) * 3i32 out(y) = b(y) + a(y)", "out",
                                   R"j("out.vectorize(y, 4)", "a.compute_at(out, y)", "b.compute_root()")j");
    verdict::Verdict of_one, of_two;
    of_one.cls = of_two.cls = verdict::Class::compiler_internal_error;
    of_one.message = "there is no loop of f$0 around h$0.s0.x";
    of_two.message = "there is no loop of b$1 around out$0.s0.y";
    CHECK(triage::signature(one, of_one) == triage::signature(two, of_two));
    const auto symptom_one = triage::symptom(one, of_one), symptom_two = triage::symptom(two, of_two);
    REQUIRE(symptom_one.has_value());
    REQUIRE(symptom_two.has_value());
    CHECK(fingerprint(one, *symptom_one) == fingerprint(two, *symptom_two));
}

TEST_CASE("a finding is another one of a bug when it goes wrong in the same pass and needs all that the bug needs") {
    const Fingerprint bug = print_of("(a, b]", "value", {"directive:unroll", "type:u8"});
    CHECK(is_another(bug, bug));
    CHECK(is_another(print_of("(a, b]", "value", {"directive:split", "directive:unroll", "type:u8"}), bug));
    CHECK_FALSE(is_another(print_of("(a, c]", "value", {"directive:unroll", "type:u8"}), bug));
    CHECK_FALSE(is_another(print_of("(a, b]", "value", {"directive:split", "type:u8"}), bug));
    CHECK_FALSE(is_another(print_of("(a, b]", "value", {"directive:unroll"}), bug));
    // The same bug without parallel loops would show as a wrong value.
    CHECK_FALSE(is_another(print_of("(a, b]", "out_of_bounds_read", {"directive:unroll", "type:u8"}), bug));
    Fingerprint latent = bug;
    latent.symptom.cls = verdict::Class::latent_bug;
    CHECK(is_another(latent, bug));
    CHECK(is_another(bug, latent));
}

TEST_CASE("a race of parallel loops is another case of what gives a wrong value without them in the same pass") {
    const Fingerprint bug = print_of("(a, b]", "value", {"directive:unroll"});
    const std::set<std::string> parallel{"directive:parallel", "directive:unroll"};
    CHECK(is_another(print_of("(a, b]", "write_write_race", parallel), bug));
    CHECK_FALSE(is_another(print_of("(a, b]", "out_of_bounds_read", parallel), bug));
    const auto more_by = [&](std::set<std::string> features) {
        features.insert(parallel.begin(), parallel.end());
        return is_another(print_of("(a, b]", "write_write_race", features), bug);
    };
    CHECK(more_by({"op:==", "type:bool"}));
    CHECK_FALSE(more_by({"op:==", "type:bool", "type:u8"}));
    CHECK_FALSE(is_another(print_of("(a, b]", "write_write_race", {"directive:parallel"}), bug));
    // A loop became parallel without a directive.
    CHECK_FALSE(is_another(print_of("(a, b]", "write_write_race", {"directive:unroll"}), bug));
    CHECK_FALSE(is_another(bug, print_of("(a, b]", "write_write_race", parallel)));
    // The interval starts at the source, so the pass is unknown, and many faults are possible.
    CHECK_FALSE(is_another(print_of("(source, b]", "write_write_race", parallel),
                           print_of("(source, b]", "value", {"directive:unroll"})));
}

TEST_CASE("how cells are addressed, and what is plain, does not tell findings of one pass apart") {
    const Fingerprint one = print_of("(a, b]", "value",
                                     {"access:modulo", "access:tensor", "directive:vectorize", "embed", "rank:1",
                                      "rank:2", "tail:Auto", "type:i32"});
    const Fingerprint two =
        print_of("(a, b]", "value", {"access:self", "directive:vectorize", "op:+", "rank:0", "rank:2", "tail:RoundUp"});
    CHECK(is_another(two, one));
    CHECK_FALSE(is_another(one, two));
    for (const char* needed : {"access:modulo", "embed", "rank:2", "op:*", "type:bool", "update"}) {
        CAPTURE(needed);
        const bool is_incidental = std::string(needed).starts_with("access:") || std::string(needed) == "embed";
        CHECK(is_another(print_of("(a, b]", "value", {}), print_of("(a, b]", "value", {needed})) == is_incidental);
        // A crash says little about its cause.
        CHECK_FALSE(is_another({a_symptom("program_crash", "", "signal 11"), {}},
                               {a_symptom("program_crash", "", "signal 11"), {needed}}));
    }
}

TEST_CASE("forms do not tell findings apart, but a known bug may cover one") {
    const Fingerprint bug = print_of("(a, b]", "value", {"directive:split", "directive:vectorize"});
    Fingerprint joined = bug;
    joined.features.insert({"form:late-rfactor", "form:long-chain", "form:split-of-vectorized"});
    CHECK(is_another(joined, bug));
    CHECK(is_another(bug, joined));
    CHECK(is_nearly(joined, bug));
    CHECK(needs_beyond(joined, bug.features).empty());
    const Fingerprint cover = print_of("(a, b]", "value", {"directive:split", "form:split-of-vectorized"});
    CHECK(is_covered(joined, cover));
    CHECK_FALSE(is_covered(bug, cover));
}

TEST_CASE("what nothing can be taken from needs hardly more than the bug, and what the budget ended anything") {
    const Fingerprint bug = print_of("(a, b]", "value", {"directive:split"});
    const Fingerprint two = print_of("(a, b]", "value", {"access:self", "directive:split", "tuple", "update"});
    const Fingerprint three = print_of("(a, b]", "value", {"cast", "directive:split", "tuple", "update"});
    CHECK(is_another(two, bug));
    CHECK_FALSE(is_another(three, bug));
    CHECK(is_another(three, bug, {}, minimize::Ending::budget_spent));
    CHECK_FALSE(is_another(bug, two, {}, minimize::Ending::budget_spent));
}

TEST_CASE("a finding whose interval holds a bug's is another one of it") {
    const triage::PassOrder order({"a", "b", "c"});
    const Fingerprint bug = print_of("(a, b]", "value", {"directive:unroll"});
    const Fingerprint wide = print_of("(source, c]", "value", {"directive:split", "directive:unroll"});
    CHECK(is_another(wide, bug, order));
    CHECK_FALSE(is_another(wide, bug));
    CHECK_FALSE(is_another(print_of("(a, b]", "value", wide.features), print_of("(source, c]", "value", {}), order));
}

TEST_CASE("a compiler that fails goes wrong alike where it says the same in the same pass") {
    const triage::PassOrder order({"a", "b", "c"});
    const triage::Symptom crash = a_symptom("compiler_crash", "(a, b]", "signal 11 in compile");
    triage::Symptom other = crash;
    CHECK(goes_wrong_alike(other, crash, order));
    // Without a known pass, only the sign is compared.
    other.pass.reset();
    CHECK(goes_wrong_alike(other, crash, order));
    CHECK_FALSE(goes_wrong_alike(crash, other, order));
    other.pass = a_pass("(b, c]");
    CHECK_FALSE(goes_wrong_alike(other, crash, order));
    other = crash;
    other.sign = triage::parse_sign("signal 6 in compile");
    CHECK_FALSE(goes_wrong_alike(other, crash, order));
    const triage::Symptom value = a_symptom("wrong_lowering", "(a, b]", "value");
    CHECK_FALSE(goes_wrong_alike(value, crash, order));
    CHECK_FALSE(goes_wrong_alike(crash, value, order));
}

TEST_CASE("a compiler that fails at one place of its code has one bug there") {
    const auto crash = [](const char* pass, std::set<std::string> features) {
        return Fingerprint{a_symptom("compiler_crash", pass, "signal 11 in compile"), std::move(features)};
    };
    const char* place = "(simplify.4, partition_loops]";
    const Fingerprint bug = crash(place, {"directive:fuse", "directive:split", "tail:PredicateStores"});
    CHECK(is_another(crash(place, {"directive:unroll", "tail:PredicateStores", "tuple", "op:*", "op:+"}), bug));
    CHECK(is_another(crash(place, {"directive:fuse", "op:*"}), bug));
    CHECK_FALSE(is_another(crash(place, {"directive:unroll", "tail:RoundUp"}), bug));
    CHECK_FALSE(is_another(crash("(unroll_loops, vectorize_loops]", {"directive:fuse", "op:*"}), bug));
    CHECK_FALSE(
        is_another({a_symptom("compiler_crash", place, "signal 8 in compile"), {"directive:fuse", "op:*"}}, bug));
    // Neither before the first observed pass nor in code generation is the place unique.
    for (const char* pass : {"(source, allocation_bounds_inference]", "(final, code generation]"}) {
        CHECK_FALSE(is_another(crash(pass, {"directive:fuse", "op:*"}), crash(pass, bug.features)));
    }
}

TEST_CASE("what hangs a compiler and is not minimal is taken for another case of what does") {
    const Fingerprint slow{a_symptom("compiler_hang", "", "limit in compile"), {"directive:split"}};
    const Fingerprint large{a_symptom("compiler_hang", "", "limit in compile"),
                            {"directive:unroll", "directive:vectorize"}};
    CHECK(is_another(large, slow, {}, minimize::Ending::budget_spent));
    CHECK_FALSE(is_another(large, slow, {}, minimize::Ending::fixpoint));
    const Fingerprint late{a_symptom("compiler_hang", "", "limit in compile, lowered"), large.features};
    CHECK_FALSE(is_another(late, slow, {}, minimize::Ending::budget_spent));
    const Fingerprint dead{a_symptom("program_hang", "", "limit"), large.features};
    const Fingerprint busy{a_symptom("program_hang", "", "limit"), {}};
    CHECK(is_another(dead, busy, {}, minimize::Ending::budget_spent));
    CHECK_FALSE(is_another(busy, dead, {}, minimize::Ending::budget_spent));
}

TEST_CASE("a wrong lowering may come of one in an earlier pass that needs no more") {
    const triage::PassOrder order({"a", "b", "c"});
    const std::set<std::string> few{"directive:compute_root", "rank:2", "access:stencil"};
    const std::set<std::string> more{"directive:compute_root", "directive:vectorize", "rank:2"};
    const Fingerprint early{a_symptom("latent_bug", "(source, a]", "value"), few};
    const Fingerprint late{a_symptom("wrong_lowering", "(b, c]", "lane_conflict"), more};
    CHECK(may_come_of(late, early, order));
    CHECK(may_come_of({a_symptom("over_rejection", "(b, c]", "halide_error_bad_fold"), more}, early, order));
    CHECK(may_come_of(
        {a_symptom("over_rejection", "(b, c]", "halide_error_bad_fold"), {"directive:compute_at", "rank:2"}}, early,
        order));
    CHECK_FALSE(may_come_of(early, late, order));
    CHECK_FALSE(may_come_of({a_symptom("wrong_lowering", "(source, a]", "lane_conflict"), more}, early, order));
    CHECK_FALSE(
        may_come_of({a_symptom("wrong_lowering", "(b, c]", "lane_conflict"), {"directive:vectorize"}}, early, order));
    CHECK_FALSE(may_come_of({a_symptom("compiler_crash", "(b, c]", "signal 11"), more}, early, order));
    CHECK_FALSE(may_come_of({a_symptom("wrong_code", "", ""), more}, early, order));
    CHECK_FALSE(may_come_of(late, early, {}));
}

TEST_CASE("without a pass, what shows has to be the same") {
    const Fingerprint crash{a_symptom("compiler_crash", "", "signal 11 in compile"), {"type:i32"}};
    Fingerprint other = crash;
    CHECK(is_another(other, crash));
    other.symptom.sign = triage::parse_sign("signal 6 in compile");
    CHECK_FALSE(is_another(other, crash));
    other = print_of("(a, b]", "value", {"type:i32"});
    CHECK_FALSE(is_another(other, crash));
    CHECK_FALSE(is_another(crash, other));
}

TEST_CASE("no two of the corpus's known bugs are taken for one") {
    const auto known = load_known(std::string(HARUSPEX_SOURCE_DIR) + "/corpus/known");
    REQUIRE(known.has_value());
    REQUIRE(known->size() > 40);
    for (const Known& bug : *known) {
        for (const Known& other : *known) {
            if (bug.name == other.name) { continue; }
            for (const Fingerprint& a : bug.fingerprints) {
                for (const Fingerprint& b : other.fingerprints) {
                    INFO(bug.name << " and " << other.name);
                    CHECK_FALSE(is_another(a, b, {}, minimize::Ending::budget_spent));
                    CHECK_FALSE(is_nearly(a, b));
                }
            }
        }
    }
}

}  // namespace haruspex::bugs
