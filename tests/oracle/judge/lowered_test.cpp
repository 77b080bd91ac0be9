#include "oracle/judge/lowered.h"

#include "tests/support/catch.h"

namespace haruspex::judge {
namespace {

using value::Type;
using value::Value;
using verdict::Class;

Value i32(std::int64_t v) { return Value::integer(Type::i32, v); }

cases::Case a_case() {
    cases::Case c;
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
    trouble.message = "so";
    execution.troubles.push_back(trouble);
    return execution;
}

Class combined(Class native, LoweredState state) {
    verdict::Verdict verdict;
    verdict.cls = native;
    return combine(verdict, {state, "seen", {}}).cls;
}

}  // namespace

TEST_CASE("a lowered program is equal when every requested cell is") {
    CHECK(judge_lowered(a_case(), reference, with_cells({i32(1), i32(2)})).state == LoweredState::equal);
    const LoweredFinding wrong = judge_lowered(a_case(), reference, with_cells({i32(1), i32(7)}));
    CHECK(wrong.state == LoweredState::differs);
    CHECK(wrong.message == "A(4) is 7i32, expected 2i32; 1 of 2 cells differ");
    REQUIRE(wrong.difference);
    CHECK(wrong.difference->cell == std::vector<std::int64_t>{4});
}

TEST_CASE("a cell that was not written is trouble, one that overflowed an overflow") {
    CHECK(judge_lowered(a_case(), reference, with_cells({Value::uninit(Type::i32), i32(2)})).state ==
          LoweredState::troubled);
    CHECK(judge_lowered(a_case(), reference, with_cells({i32(1), Value::undef(Type::i32)})).state ==
          LoweredState::overflows);
    CHECK(judge_lowered(a_case(), reference, {}).state == LoweredState::troubled);
}

TEST_CASE("what goes wrong on the way counts before the values") {
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::read_write_race)).state ==
          LoweredState::troubled);
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::assertion_failed)).state ==
          LoweredState::refuses);
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::out_of_bounds_write)).message ==
          "out_of_bounds_write: so");
}

TEST_CASE("an array without cells is no trouble as long as nobody accesses it") {
    CHECK(judge_lowered(a_case(), reference, with_trouble(interp::TroubleKind::negative_extent)).state ==
          LoweredState::equal);
    interp::Execution accessed = with_trouble(interp::TroubleKind::negative_extent);
    accessed.troubles.push_back(with_trouble(interp::TroubleKind::out_of_bounds_write).troubles.front());
    CHECK(judge_lowered(a_case(), reference, accessed).state == LoweredState::troubled);
}

TEST_CASE("both columns together: the table of DESIGN section 6") {
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
}

TEST_CASE("a verdict of another class keeps it, with what was seen beside it") {
    for (const Class cls : {Class::program_crash, Class::nondeterminism, Class::over_rejection, Class::stray_write,
                            Class::compiler_crash, Class::rejected}) {
        verdict::Verdict verdict;
        verdict.cls = cls;
        verdict.message = "native";
        const verdict::Verdict both = combine(verdict, {LoweredState::troubled, "seen", {}});
        CHECK(both.cls == cls);
        CHECK(both.message == "native");
        CHECK(both.lowered == "seen");
    }
}

}  // namespace haruspex::judge
