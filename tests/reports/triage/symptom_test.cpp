#include "reports/triage/symptom.h"

#include <vector>

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::triage {
namespace {

using verdict::Class;

verdict::Verdict wrong(Class cls, const std::string& lowered, const std::string& pass) {
    verdict::Verdict v;
    v.cls = cls;
    v.message = "f(3) is 7i32, expected 5i32; 3 of 20 cells differ";
    v.lowered = a_lowered(lowered);
    v.pass = a_pass(pass);
    return v;
}

Symptom of(const verdict::Verdict& verdict) {
    const auto found = symptom({}, verdict);
    REQUIRE(found.has_value());
    return *found;
}

const std::string interval = "(unroll_loops, vectorize_loops]";

}  // namespace

TEST_CASE("what a wrong lowered program does natively is no part of the symptom") {
    const Symptom expected = a_symptom("wrong_lowering", interval, "value");
    const std::string lowered = "g(8) is uninit_i32, expected 7i32; 4 of 16 cells differ";
    for (const Class cls : {Class::wrong_lowering, Class::nondeterminism, Class::program_crash, Class::program_hang,
                            Class::stray_write, Class::program_out_of_memory}) {
        CHECK(of(wrong(cls, lowered, interval)) == expected);
    }
    // A latent bug computes the right result, so it does not show by running.
    CHECK(of(wrong(Class::latent_bug, lowered, interval)).cls == Class::latent_bug);
    CHECK(of(wrong(Class::translation_fault, lowered, interval)).cls == Class::translation_fault);
}

TEST_CASE("a program that deadlocks is none that computes without end") {
    verdict::Verdict hang;
    hang.cls = Class::program_hang;
    hang.message = "deadlock: every thread waits";
    hang.hang = verdict::Hang::deadlock;
    const Symptom deadlock = of(hang);
    CHECK(to_string(deadlock.sign) == "deadlock");
    hang.message = "CPU limit of 20000 ms";
    hang.hang = verdict::Hang::limit;
    CHECK(to_string(of(hang).sign) == "limit");
    CHECK_FALSE(still_shows(of(hang), deadlock));
}

TEST_CASE("a latent bug may begin to show, and one that shows may not become latent") {
    const std::string lowered = "read_write_race: reads f0[83], which another branch writes";
    const Symptom latent = of(wrong(Class::latent_bug, lowered, interval));
    const Symptom shown = of(wrong(Class::wrong_lowering, lowered, interval));
    CHECK(still_shows(latent, latent));
    CHECK(still_shows(shown, latent));
    CHECK_FALSE(still_shows(latent, shown));
    CHECK_FALSE(still_shows(of(wrong(Class::wrong_lowering, lowered, "(a, b]")), latent));
    CHECK_FALSE(still_shows(of(wrong(Class::wrong_lowering, "agrees", interval)), latent));
}

TEST_CASE("what only compiled code shows may be located by a case whose lowered program is run") {
    const std::string not_run = "not run: steps", lowered = "f(0) is 1i32";
    const verdict::Verdict result = wrong(Class::wrong_result, not_run, "");
    CHECK(locates(wrong(Class::wrong_lowering, lowered, interval), result));
    CHECK(locates(wrong(Class::wrong_code, "agrees", ""), result));
    CHECK(locates(wrong(Class::introduced_overflow, "f(0) is undef", interval), result));
    CHECK_FALSE(locates(wrong(Class::latent_bug, lowered, interval), result));
    CHECK_FALSE(locates(wrong(Class::stray_write, lowered, interval), result));
    CHECK_FALSE(locates(result, result));
    CHECK_FALSE(locates(wrong(Class::wrong_lowering, lowered, interval), wrong(Class::wrong_code, "agrees", "")));
    for (const Class cls :
         {Class::nondeterminism, Class::program_crash, Class::stray_write, Class::program_out_of_memory}) {
        const verdict::Verdict sought = wrong(cls, not_run, "");
        CHECK(locates(wrong(cls, lowered, interval), sought));
        CHECK_FALSE(locates(wrong(Class::wrong_lowering, lowered, interval), sought));
        CHECK_FALSE(locates(wrong(cls, lowered, "(a, b]"), wrong(cls, lowered, interval)));
    }
    CHECK_FALSE(locates(wrong(Class::over_rejection, lowered, interval), wrong(Class::over_rejection, not_run, "")));
}

TEST_CASE("where it goes wrong may become known better") {
    const PassOrder order({"split_tuples", "unroll_loops", "vectorize_loops", "simplify.2"});
    const PassOrder twice({"simplify", "unroll_loops", "simplify.2", "vectorize_loops"});
    CHECK(twice.holds(a_pass("(source, simplify]"), a_pass("(unroll_loops, simplify.2]")));
    CHECK(twice.holds(a_pass("(unroll_loops, simplify.2]"), a_pass("(source, simplify]")));
    CHECK_FALSE(twice.holds(a_pass("(simplify, unroll_loops]"), a_pass("(source, simplify]")));
    CHECK_FALSE(twice.holds(a_pass("(simplify, simplify.2]"), a_pass("(source, simplify]")));
    CHECK_FALSE(twice.holds(a_pass("(unroll_loops, simplify.2]"), a_pass("(simplify, simplify.2]")));
    const Symptom found = a_symptom("wrong_lowering", interval, "value");
    const auto sought = [&](const char* pass) { return a_symptom("wrong_lowering", pass, "value"); };
    for (const char* wide : {"(source, vectorize_loops]", "(unroll_loops, simplify.2]", "(split_tuples, simplify.2]"}) {
        CHECK(still_shows(found, sought(wide), order));
        CHECK_FALSE(still_shows(found, sought(wide)));
        CHECK_FALSE(still_shows(sought(wide), found, order));
    }
    for (const char* other : {"(source, unroll_loops]", "(vectorize_loops, simplify.2]", "(source, partition_loops]",
                              "(unknown, simplify.2]", "", "source, simplify.2"}) {
        CAPTURE(other);
        CHECK_FALSE(still_shows(found, sought(other), order));
    }
    CHECK_FALSE(still_shows(found, a_symptom("latent_bug", "(source, simplify.2]", "read_write_race"), order));
    CHECK(still_shows(found, a_symptom("latent_bug", "(source, simplify.2]", "value"), order));
}

TEST_CASE("an interval precedes those that begin where it ends or later") {
    const PassOrder order({"a", "b", "c"});
    CHECK(order.precedes(a_pass("(source, a]"), a_pass("(a, b]")));
    CHECK(order.precedes(a_pass("(source, a]"), a_pass("(b, c]")));
    CHECK_FALSE(order.precedes(a_pass("(a, b]"), a_pass("(a, b]")));
    CHECK_FALSE(order.precedes(a_pass("(source, b]"), a_pass("(a, c]")));
    CHECK_FALSE(order.precedes(a_pass("(b, c]"), a_pass("(source, a]")));
    CHECK_FALSE(order.precedes(a_pass(""), a_pass("(a, b]")));
    CHECK_FALSE(order.precedes(a_pass("(source, a]"), a_pass("(x, y]")));
    CHECK_FALSE(PassOrder().precedes(a_pass("(source, a]"), a_pass("(a, b]")));
}

TEST_CASE("intervals of two versions of a compiler are compared by the passes of all versions") {
    const std::vector<std::string> own{"skip", "uniquify", "vectorize", "partition"};
    const PassOrder order(own, {"skip", "fold", "unroll", "uniquify", "vectorize", "rewrite", "partition"});
    const auto older = a_pass("(unroll, vectorize]");
    CHECK(order.holds(older, a_pass("(uniquify, vectorize]")));
    CHECK_FALSE(order.holds(a_pass("(uniquify, vectorize]"), older));
    CHECK_FALSE(PassOrder(own).holds(older, a_pass("(uniquify, vectorize]")));
    for (const char* other : {"(uniquify, vectorize]", "(source, vectorize]", "(vectorize, partition]",
                              "(skip, unroll]", "(partition, x]", ""}) {
        CAPTURE(other);
        const bool may_be_there = std::string(other).ends_with(" vectorize]");
        CHECK(order.overlap(older, a_pass(other)) == may_be_there);
        CHECK(order.overlap(a_pass(other), older) == may_be_there);
    }
    // Neither holds the other.
    CHECK(order.overlap(a_pass("(skip, unroll]"), a_pass("(fold, uniquify]")));
    CHECK_FALSE(order.holds(a_pass("(skip, unroll]"), a_pass("(fold, uniquify]")));
    CHECK(PassOrder().overlap(older, older));
    CHECK_FALSE(PassOrder().overlap(older, a_pass("(uniquify, vectorize]")));
    CHECK_FALSE(PassOrder::drawn_by_cases().overlap(a_pass("(a, b]"), a_pass("(a, c]")));
}

TEST_CASE("a wrong value shows a fault more plainly than a race, an access out of bounds or an overflow") {
    const Symptom value = a_symptom("wrong_lowering", interval, "value");
    const Symptom latent = a_symptom("latent_bug", interval, "value");
    const Symptom race = a_symptom("wrong_lowering", interval, "read_write_race");
    const Symptom hidden = a_symptom("latent_bug", interval, "read_write_race");
    const Symptom overflow = a_symptom("introduced_overflow", interval, "value");
    for (const Symptom& sought : {race, hidden, overflow}) {
        CHECK_FALSE(is_plain(sought));
        CHECK(shows_plainly(value, sought));
        CHECK(shows_plainly(sought, sought));
        CHECK_FALSE(shows_plainly(sought, value));
    }
    CHECK(is_plain(value));
    CHECK(is_plain(latent));
    CHECK(shows_plainly(latent, hidden));
    CHECK_FALSE(shows_plainly(latent, race));
    CHECK_FALSE(shows_plainly(latent, overflow));
    CHECK_FALSE(shows_plainly(a_symptom("wrong_lowering", interval, "out_of_bounds_read"), race));
    CHECK_FALSE(shows_plainly(a_symptom("wrong_lowering", "(a, b]", "value"), race));
    const PassOrder order({"unroll_loops", "vectorize_loops"});
    // The interval spans many passes, which may have several faults.
    CHECK_FALSE(
        shows_plainly(value, a_symptom("wrong_lowering", "(source, vectorize_loops]", "out_of_bounds_read"), order));
    CHECK(shows_plainly(value, a_symptom("wrong_lowering", "(source, vectorize_loops]", "write_write_race"), order));
    // A rejection at run time, a crash and a refutation never change their symptom.
    for (const char* cls : {"over_rejection", "program_crash", "refuted_lowering", "translation_fault"}) {
        const Symptom other = a_symptom(cls, interval, "something");
        CHECK(is_plain(other));
        CHECK_FALSE(shows_plainly(value, other));
    }
}

TEST_CASE("the interpreter's trouble and the pass are part of the symptom, values and cells are not") {
    const Symptom value =
        of(wrong(Class::wrong_lowering, "f(3) is 7i32, expected 5i32; 3 of 20 cells differ", interval));
    CHECK(to_string(value.sign) == "value");
    CHECK(of(wrong(Class::wrong_lowering, "g(0)[1] is 1u8, expected 0u8; 1 of 2 cells differ", interval)) == value);
    CHECK(of(wrong(Class::wrong_lowering, "g(0) is uninit_u8, expected 0u8; 1 of 2 cells differ", interval)) == value);
    const Symptom bounds = of(wrong(Class::wrong_lowering, "out_of_bounds_read: reads in0[8], which is …", interval));
    CHECK(to_string(bounds.sign) == "out_of_bounds_read");
    CHECK(of(wrong(Class::wrong_lowering, "f(3) is 7i32, expected 5i32; …", "(a, b]")) != value);
    const auto rejection = of(wrong(Class::over_rejection, "refuses: halide_error_bad_fold", interval));
    CHECK(to_string(rejection.sign) == "halide_error_bad_fold");
}

TEST_CASE("native classes stay apart where the lowered program is right") {
    std::vector<Symptom> seen;
    for (const Class cls : {Class::wrong_code, Class::nondeterminism, Class::stray_write, Class::program_crash}) {
        seen.push_back(of(wrong(cls, "agrees", "")));
        for (std::size_t i = 0; i + 1 < seen.size(); ++i) { CHECK(seen[i] != seen.back()); }
    }
}

TEST_CASE("a crash is its signal and its phase, whatever warnings came before") {
    verdict::Verdict v;
    v.cls = Class::compiler_crash;
    v.signal = 11;
    v.phase = "compile";
    v.message = "SIGSEGV: Warning: In update definition 0 of Func \"f\"";
    const Symptom crash = of(v);
    v.message = "SIGSEGV";
    CHECK(of(v) == crash);
    v.lowered = a_lowered("agrees");
    CHECK(of(v) != crash);
    v.lowered.reset();
    v.signal = 6;
    CHECK(of(v) != crash);
    v.signal = 11;
    v.phase = "build";
    CHECK(of(v) != crash);
    v.phase = "compile";
    CHECK(of(v) == crash);
    v.pass = a_pass("(simplify, unroll_loops]");
    CHECK(of(v) != crash);
    CHECK(of(v).pass == v.pass);
}

TEST_CASE("the compiler's own words count without the names of the case") {
    cases::Case c = random::campaign_case(1, 0, {}, schedule::halide::language(14));
    verdict::Verdict v;
    v.cls = Class::compiler_internal_error;
    v.message = "Internal Error at CodeGen_LLVM.cpp:1302: Symbol not found: f0.s1.x";
    const auto first = symptom(c, v);
    v.message = "Internal Error at CodeGen_LLVM.cpp:1302: Symbol not found: g.s0.y_1";
    CHECK(symptom(c, v) == first);
    v.message = "Internal Error at Simplify.cpp:12: Condition failed";
    CHECK(symptom(c, v) != first);
}

TEST_CASE("an internal error is known by the check that failed, as far as each version tells it") {
    cases::Case c = random::campaign_case(1, 0, {}, schedule::halide::language(14));
    verdict::Verdict v;
    v.cls = Class::compiler_internal_error;
    v.pass = a_pass("(a, b]");
    v.message = "Internal Error at CodeGen_LLVM.cpp:1302 triggered by user code at : Symbol not found: f0.s1.x";
    v.failed_check = FailedCheck{"CodeGen_LLVM.cpp", {}, "", "Symbol not found: f0.s1.x"};
    const Symptom older = symptom(c, v).value();
    CHECK(to_string(older.sign) == "CodeGen_LLVM.cpp: Symbol not found: <name>");
    v.message = "Error: Symbol not found: g.s0.y_1";
    v.failed_check = FailedCheck{{}, {}, {}, "Symbol not found: g.s0.y_1"};
    const Symptom newer = symptom(c, v).value();
    CHECK(newer != older);
    CHECK((newer < older) != (older < newer));
    CHECK(are_alike(newer.sign, older.sign));
    CHECK(may_be_one_check(newer, older));
    CHECK(still_shows(newer, older));
    v.failed_check->words = "no such name";
    CHECK_FALSE(still_shows(symptom(c, v).value(), older));
    v.failed_check->words = "Symbol not found: x0";
    v.pass = a_pass("(b, c]");
    CHECK_FALSE(still_shows(symptom(c, v).value(), older));
    CHECK_FALSE(are_alike(Sign("signal 11"), newer.sign));
    CHECK(are_alike(Sign("signal 11"), Sign("signal 11")));
}

TEST_CASE("what is no finding has no symptom") {
    for (const Class cls : {Class::agrees, Class::rejected, Class::outside_context, Class::not_compared,
                            Class::too_large, Class::bad_case, Class::harness_failure}) {
        CHECK_FALSE(symptom({}, wrong(cls, "agrees", "")).has_value());
    }
}

}  // namespace haruspex::triage
