#include "oracle/judge/lowered.h"

#include "generators/sare/build.h"

#include "tests/support/catch.h"

namespace haruspex::judge {
namespace {

using value::Type;
using value::Value;
using verdict::Class;

Value i32(std::int64_t v) { return Value::integer(Type::i32, v); }

cases::Case a_case() {
    cases::Case c;
    c.compiler = "halide";
    c.sare.tensors = {{"A", {Type::i32}, {"x"}, {}}};
    return c;
}

const std::vector<interp::OutputValues> reference{{"A", 0, {3}, {2}, {i32(1), i32(2)}}};

interp::Execution with_cells(std::vector<Value> cells) {
    interp::Execution execution;
    execution.outputs.push_back({"A", "A", 0, {3}, {2}, std::move(cells)});
    return execution;
}

interp::Execution with_trouble(interp::TroubleKind kind) {
    interp::Execution execution = with_cells({i32(1), i32(2)});
    interp::Trouble trouble;
    trouble.kind = kind;
    trouble.what = "so";
    execution.troubles.push_back(trouble);
    return execution;
}

LoweredOutcome seen(LoweredState state) { return {state, {}, {}, "seen", {}}; }

Class combined(Class native, LoweredState state) {
    verdict::Verdict verdict;
    verdict.cls = native;
    return combine(verdict, seen(state)).cls;
}

}  // namespace

TEST_CASE("a lowered program is equal when every requested cell is") {
    CHECK(judge_lowered(a_case(), reference, with_cells({i32(1), i32(2)})).state == LoweredState::equal);
    const LoweredOutcome wrong = judge_lowered(a_case(), reference, with_cells({i32(1), i32(7)}));
    CHECK(wrong.state == LoweredState::differs);
    CHECK(to_string(wrong) == "A(4) is 7i32, expected 2i32; 1 of 2 cells differ");
    REQUIRE(wrong.difference);
    CHECK(wrong.difference->cell == std::vector<std::int64_t>{4});
}

TEST_CASE("cells of an array with another box are found by their coordinates") {
    const auto judged = [](std::vector<std::int64_t> min, std::vector<std::int64_t> extent, std::vector<Value> cells) {
        interp::Execution execution;
        execution.outputs.push_back({"A", "A", 0, std::move(min), std::move(extent), std::move(cells)});
        return judge_lowered(a_case(), reference, execution).state;
    };
    CHECK(judged({2}, {4}, {i32(9), i32(1), i32(2), i32(9)}) == LoweredState::equal);
    CHECK(judged({2}, {4}, {i32(1), i32(2), i32(9), i32(9)}) == LoweredState::differs);
    // Cell 4 is missing, and then cell 3.
    CHECK(judged({2}, {2}, {i32(9), i32(1)}) == LoweredState::troubled);
    CHECK(judged({4}, {2}, {i32(1), i32(2)}) == LoweredState::troubled);
    const std::vector<interp::OutputValues> wide{{"A", 0, {0, 3}, {2, 1}, {i32(1), i32(2)}}};
    interp::Execution execution;
    execution.outputs.push_back({"A", "A", 0, {-1, 2}, {3, 2}, {i32(0), i32(0), i32(0), i32(0), i32(1), i32(2)}});
    CHECK(judge_lowered(a_case(), wide, execution).state == LoweredState::equal);
}

TEST_CASE("a cell that was not written is trouble, one that overflowed an overflow") {
    CHECK(judge_lowered(a_case(), reference, with_cells({Value::uninit(Type::i32), i32(2)})).state ==
          LoweredState::troubled);
    CHECK(judge_lowered(a_case(), reference, with_cells({i32(1), Value::undef(Type::i32)})).state ==
          LoweredState::overflows);
    CHECK(judge_lowered(a_case(), reference, {}).state == LoweredState::troubled);
}

TEST_CASE("where the reference is Undef any value will do, but one there is") {
    const std::vector<interp::OutputValues> doubtful{{"A", 0, {3}, {2}, {Value::undef(Type::i32), i32(2)}}};
    for (const Value& any : {i32(7), Value::undef(Type::i32)}) {
        CHECK(judge_lowered(a_case(), doubtful, with_cells({any, i32(2)})).state == LoweredState::equal);
        CHECK(judge_lowered(a_case(), doubtful, with_cells({any, i32(3)})).state == LoweredState::differs);
    }
    const Value uninit = Value::uninit(Type::i32);
    CHECK(judge_lowered(a_case(), doubtful, with_cells({uninit, i32(2)})).state == LoweredState::troubled);
}

TEST_CASE("what tells more of what is wrong comes first, wherever it is") {
    const Value undef = Value::undef(Type::i32), uninit = Value::uninit(Type::i32);
    const auto judged = [](std::vector<Value> cells) {
        return judge_lowered(a_case(), reference, with_cells(std::move(cells)));
    };
    CHECK(judged({undef, i32(7)}).state == LoweredState::differs);
    CHECK(judged({i32(7), undef}).state == LoweredState::differs);
    CHECK(to_string(judged({undef, i32(7)})) == "A(4) is 7i32, expected 2i32; 2 of 2 cells differ");
    for (const Value& other : {undef, i32(7)}) {
        CHECK(judged({other, uninit}).state == LoweredState::troubled);
        CHECK(judged({uninit, other}).state == LoweredState::troubled);
    }
    CHECK(judged({undef, undef}).state == LoweredState::overflows);
    CHECK(to_string(judged({undef, undef})) == "A(3) is undef_i32, expected 1i32; 2 of 2 cells differ");
}

TEST_CASE("what goes wrong on the way counts before the values") {
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::read_write_race)).state ==
          LoweredState::troubled);
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::assertion_failed)).state ==
          LoweredState::refuses);
    const LoweredOutcome beyond =
        judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::out_of_bounds_write));
    CHECK(beyond.trouble == interp::TroubleKind::out_of_bounds_write);
    CHECK(to_string(beyond) == "out_of_bounds_write: so");
}

TEST_CASE("of several troubles the first one counts") {
    using interp::TroubleKind;
    const auto state = [](TroubleKind first, TroubleKind second) {
        interp::Execution execution = with_trouble(first);
        execution.troubles.push_back(with_trouble(second).troubles.front());
        return judge_lowered(a_case(), reference, execution).state;
    };
    CHECK(state(TroubleKind::out_of_bounds_write, TroubleKind::assertion_failed) == LoweredState::troubled);
    CHECK(state(TroubleKind::assertion_failed, TroubleKind::out_of_bounds_write) == LoweredState::refuses);
    CHECK(state(TroubleKind::negative_extent, TroubleKind::assertion_failed) == LoweredState::refuses);
}

TEST_CASE("an array without cells is no trouble as long as nobody accesses it") {
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::negative_extent)).state ==
          LoweredState::equal);
    interp::Execution accessed = with_trouble(interp::TroubleKind::negative_extent);
    accessed.troubles.push_back(with_trouble(interp::TroubleKind::out_of_bounds_write).troubles.front());
    CHECK(judge_lowered(a_case(), reference, accessed).state == LoweredState::troubled);
}

TEST_CASE("both columns together: the table of lowered.h") {
    using enum LoweredState;
    CHECK(combined(Class::agrees, equal) == Class::agrees);
    CHECK(combined(Class::agrees, differs) == Class::translation_fault);
    CHECK(combined(Class::agrees, troubled) == Class::latent_bug);
    CHECK(combined(Class::agrees, overflows) == Class::introduced_overflow);
    CHECK(combined(Class::agrees, refuses) == Class::translation_fault);
    CHECK(combined(Class::agrees, malformed) == Class::translation_fault);
    CHECK(combined(Class::wrong_result, malformed) == Class::translation_fault);
    CHECK(combined(Class::agrees, unknown) == Class::agrees);
    CHECK(combined(Class::wrong_result, equal) == Class::wrong_code);
    CHECK(combined(Class::wrong_result, differs) == Class::wrong_lowering);
    CHECK(combined(Class::wrong_result, troubled) == Class::wrong_lowering);
    CHECK(combined(Class::wrong_result, overflows) == Class::introduced_overflow);
    CHECK(combined(Class::wrong_result, unknown) == Class::wrong_result);
    CHECK(combined(Class::not_compared, differs) == Class::not_compared);
    CHECK(combined(Class::not_compared, troubled) == Class::latent_bug);
    CHECK(combined(Class::agrees, too_large) == Class::agrees);
    CHECK(combined(Class::wrong_result, too_large) == Class::wrong_result);
}

TEST_CASE("what is large takes long, and that is nobody's fault") {
    for (const Class cls :
         {Class::compiler_hang, Class::program_hang, Class::compiler_out_of_memory, Class::program_out_of_memory}) {
        CHECK(combined(cls, LoweredState::too_large) == Class::too_large);
        CHECK(combined(cls, LoweredState::equal) == cls);
        CHECK(combined(cls, LoweredState::unknown) == cls);
    }
    CHECK(combined(Class::compiler_crash, LoweredState::too_large) == Class::compiler_crash);
    verdict::Verdict deadlock;
    deadlock.cls = Class::program_hang;
    deadlock.message = "deadlock: every thread waits";
    deadlock.hang = verdict::Hang::deadlock;
    CHECK(combine(deadlock, seen(LoweredState::too_large)).cls == Class::program_hang);
}

TEST_CASE("the lowered program alone: the table's column without a native run") {
    using enum LoweredState;
    const auto alone = [](LoweredState state, bool is_excused = false,
                          cases::Comparison comparison = cases::Comparison::exact) {
        cases::Case c = a_case();
        c.comparison = comparison;
        std::vector<std::string> excuses;
        if (is_excused) { excuses.emplace_back("too small"); }
        const verdict::Verdict verdict = without_native(c, seen(state), excuses);
        CHECK(verdict.message.ends_with("native code was not run"));
        CHECK(verdict.lowered == seen(state));
        // If only a native run could tell a fault of ours from the compiler's, it is not classed as ours.
        CHECK((verdict.cls == Class::translation_fault) == (state == malformed));
        return verdict;
    };
    CHECK(alone(unknown).cls == Class::not_compared);
    CHECK(alone(unknown).message == "not run: seen; native code was not run");
    CHECK(alone(too_large).cls == Class::not_compared);
    CHECK(alone(too_large).message == "not run: seen; native code was not run");
    CHECK(alone(equal).cls == Class::agrees);
    CHECK(alone(equal).message == "native code was not run");
    CHECK(alone(differs).cls == Class::wrong_lowering);
    CHECK(alone(differs).message == "seen; native code was not run");
    CHECK(alone(troubled).cls == Class::latent_bug);
    CHECK(alone(overflows).cls == Class::introduced_overflow);
    CHECK(alone(refuses).cls == Class::over_rejection);
    CHECK(alone(refuses, true).cls == Class::outside_context);
    CHECK(alone(refuses, true).message == "seen; documented: too small; native code was not run");
    CHECK(alone(malformed).cls == Class::translation_fault);
    const auto inexact = cases::Comparison::not_compared;
    for (const LoweredState state : {equal, differs, overflows}) {
        CHECK(alone(state, false, inexact).cls == Class::not_compared);
        CHECK(alone(state, false, inexact).message == "the result cannot be exact; native code was not run");
    }
    CHECK(alone(troubled, false, inexact).cls == Class::latent_bug);
    CHECK(alone(refuses, false, inexact).cls == Class::over_rejection);
    CHECK(alone(malformed, false, inexact).cls == Class::translation_fault);
}

TEST_CASE("a verdict of another class keeps it, with what was seen beside it") {
    for (const Class cls : {Class::program_crash, Class::nondeterminism, Class::over_rejection, Class::stray_write,
                            Class::compiler_crash, Class::rejected}) {
        verdict::Verdict verdict;
        verdict.cls = cls;
        verdict.message = "native";
        const verdict::Verdict both = combine(verdict, seen(LoweredState::troubled));
        CHECK(both.cls == cls);
        CHECK(both.message == "native");
        CHECK(both.lowered == seen(LoweredState::troubled));
    }
}

}  // namespace haruspex::judge
