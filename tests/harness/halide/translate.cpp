#include "harness/halide/translate.h"
#include "harness/halide/loose_floats.h"
#include "harness/halide/version.h"

#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using value::Type;
using value::Value;

const Interface interface{"p", {"N"}, {{sched::Role::output, "f$0", "f", "f", 0, 1, Type::i32, 1}}, {{"f$0", "f"}}, {}};

Stmt store(int at, const Expr& value) { return Store::make("f$0", value, at, {}, const_true(), ModulusRemainder()); }

sched::Program translated(const Stmt& statement) {
    const auto program = translate(statement, interface, Dialect::linear);
    if (!program) { FAIL("no translation"); }
    INFO(sched::print(*program));
    REQUIRE(sched::check(*program, sched::Rules::extended));
    return *program;
}

// The final cells of f on [0, extent) with N = 7.
std::vector<Value> cells(const Stmt& statement, std::int64_t extent = 3) {
    const auto no_inputs = [](const std::string&, int, const std::vector<std::int64_t>&) {
        return Value::undef(Type::i32);
    };
    const auto execution = interp::run(
        translated(statement), {{"N", 7}, {"f.min.0", 0}, {"f.extent.0", extent}, {"f.stride.0", 1}}, no_inputs);
    REQUIRE(execution);
    CHECK(execution->troubles.empty());
    return execution->outputs.at(0).cells;
}

}  // namespace

TEST_CASE("a load that the simplifier has dropped has an arbitrary value, and harms only who depends on it") {
    const Expr n = Variable::make(Halide::Int(32), "N");
    const Expr narrow = Halide::cast<int>(Halide::undef(Halide::UInt(8)));
    const auto f = cells(Block::make({store(0, Halide::select(n == 7, 5, Halide::undef(Halide::Int(32)))),
                                      store(1, Halide::undef(Halide::Int(32)) + 1), store(2, narrow)}));
    REQUIRE(f.size() == 3);
    CHECK(f[0] == Value::integer(Type::i32, 5));
    CHECK(f[1].is_uninit());
    CHECK(f[2].is_uninit());
}

TEST_CASE("a lane whose guard does not hold reads nothing, also of what another lane takes") {
    const auto load = [](int at) {
        return Load::make(Halide::Int(32), "f$0", at, Halide::Buffer<>(), {}, const_true(), ModulusRemainder());
    };
    // f does not have a cell 3.
    const auto make = GENERATE(&Shuffle::make_concat, &Shuffle::make_interleave);
    const Expr first = Ramp::make(0, 1, 2) <= Broadcast::make(0, 2);
    const Expr guarded =
        Call::make(Halide::Int(32, 2), Call::if_then_else, {first, make({load(2), load(3)})}, Call::PureIntrinsic);
    const Stmt vector = Store::make("f$0", guarded, Ramp::make(0, 1, 2), {}, const_true(2), ModulusRemainder());
    const auto f = cells(Block::make(store(2, 6), vector));
    REQUIRE(f.size() == 3);
    CHECK(f[0] == Value::integer(Type::i32, 6));
    CHECK(f[1].is_uninit());
}

TEST_CASE("a store's predicate is about what is stored, and not about what is read for it") {
    const auto load = [](const Expr& at, const Expr& predicate) {
        return Load::make(Halide::Int(32, at.type().lanes()), "f$0", at, Halide::Buffer<>(), {}, predicate,
                          ModulusRemainder());
    };
    const Expr ramp = Ramp::make(0, 1, 2), predicate = ramp <= Broadcast::make(0, 2);
    const auto troubles = [&](const Expr& value) {
        const auto no_inputs = [](const std::string&, int, const std::vector<std::int64_t>&) {
            return Value::undef(Type::i32);
        };
        const Stmt vector = Store::make("f$0", value, ramp, {}, predicate, ModulusRemainder());
        const auto execution = interp::run(translated(Block::make({store(0, 5), store(1, 6), vector})),
                                           {{"N", 7}, {"f.min.0", 0}, {"f.extent.0", 2}, {"f.stride.0", 1}}, no_inputs);
        REQUIRE(execution);
        return execution->troubles.size();
    };
    // f has only the cells 0 and 1.
    CHECK(troubles(load(ramp, predicate)) == 0);
    CHECK(troubles(load(ramp * 9, predicate)) == 0);
    CHECK(troubles(load(ramp * 9, const_true(2) && predicate)) == 0);
    CHECK(troubles(load(ramp * 9, const_true(2))) == 1);
    CHECK(troubles(Broadcast::make(load(1, const_true()), 2)) == 0);
    CHECK(troubles(Broadcast::make(load(9, const_true()), 2)) == 1);
    // The same for an index.
    const Stmt scattered =
        Store::make("f$0", Broadcast::make(5, 2), load(ramp, const_true(2)), {}, predicate, ModulusRemainder());
    CHECK(translate(scattered, interface, Dialect::linear).error() ==
          Untranslated(Feature{"an index that is read where a predicate does not hold", ""}));
}

TEST_CASE("products that are shifted are those of a wide type, and saturate") {
    const auto shifted = [](const char* name, Halide::Type type, std::int64_t a, std::int64_t b, int by) {
        const auto number = [&](std::int64_t n) { return Halide::Internal::make_const(type, n); };
        const Expr amount = Halide::Internal::make_const(Halide::UInt(type.bits()), by);
        const Expr product = Call::make(type, name, {number(a), number(b), amount}, Call::PureIntrinsic);
        return cells(store(0, Halide::cast<int>(product)), 1).at(0);
    };
    const auto plain = [&](Halide::Type type, std::int64_t a, std::int64_t b, int by) {
        return shifted("mul_shift_right", type, a, b, by);
    };
    const auto rounded = [&](Halide::Type type, std::int64_t a, std::int64_t b, int by) {
        return shifted("rounding_mul_shift_right", type, a, b, by);
    };
    const auto i32 = [](std::int64_t n) { return Value::integer(Type::i32, n); };
    CHECK(plain(Halide::UInt(8), 7, 9, 3) == i32(7));
    CHECK(plain(Halide::UInt(8), 200, 100, 3) == i32(255));
    CHECK(plain(Halide::Int(16), -32768, -32768, 15) == i32(32767));
    CHECK(plain(Halide::Int(16), -32768, 32767, 15) == i32(-32767));
    CHECK(rounded(Halide::UInt(8), 255, 255, 10) == i32(64));
    CHECK(rounded(Halide::UInt(8), 255, 255, 0) == i32(255));
    CHECK(rounded(Halide::UInt(8), 255, 255, 16) == i32(1));
    CHECK(rounded(Halide::UInt(8), 100, 100, 16) == i32(0));
    CHECK(rounded(Halide::UInt(8), 255, 255, 17).is_undef());
    CHECK(rounded(Halide::UInt(16), 65535, 65535, 18) == i32(16384));
    CHECK(rounded(Halide::Int(8), -128, -128, 7) == i32(127));
    CHECK(rounded(Halide::Int(8), -128, 127, 16) == i32(0));
    CHECK(rounded(Halide::Int(8), -3, 1, 1) == i32(-1));
}

TEST_CASE("a saturating cast is the nearest value that the type has") {
    const auto saturated = [](Halide::Type from, std::int64_t a, Halide::Type to) {
        const Expr value =
            Call::make(to, "saturating_cast", {Halide::Internal::make_const(from, a)}, Call::PureIntrinsic);
        return cells(store(0, Halide::cast<int>(value)), 1).at(0);
    };
    const auto i32 = [](std::int64_t n) { return Value::integer(Type::i32, n); };
    const Halide::Type i8 = Halide::Int(8), u8 = Halide::UInt(8), i16 = Halide::Int(16), u16 = Halide::UInt(16),
                       wide = Halide::Int(32), u32 = Halide::UInt(32);
    CHECK(saturated(i16, -1, u8) == i32(0));
    CHECK(saturated(i16, 256, u8) == i32(255));
    CHECK(saturated(i16, 200, u8) == i32(200));
    CHECK(saturated(i16, -129, i8) == i32(-128));
    CHECK(saturated(i16, 128, i8) == i32(127));
    CHECK(saturated(i16, -5, i8) == i32(-5));
    CHECK(saturated(u16, 40000, i8) == i32(127));
    CHECK(saturated(u8, 200, i8) == i32(127));
    CHECK(saturated(u8, 100, i8) == i32(100));
    CHECK(saturated(i8, -1, u16) == i32(0));
    CHECK(saturated(i8, -1, u8) == i32(0));
    CHECK(saturated(u8, 200, i16) == i32(200));
    CHECK(saturated(wide, -70000, u16) == i32(0));
    CHECK(saturated(wide, 70000, u16) == i32(65535));
    CHECK(saturated(u32, 70000, i16) == i32(32767));
}

TEST_CASE("the right operand of a right-widening operation is widened to the left one's type") {
    const auto computed = [](const char* name, Halide::Type left, std::int64_t a, Halide::Type right, std::int64_t b) {
        const Expr value =
            Call::make(left, name, {Halide::Internal::make_const(left, a), Halide::Internal::make_const(right, b)},
                       Call::PureIntrinsic);
        return cells(store(0, Halide::cast<int>(value)), 1).at(0);
    };
    const auto i32 = [](std::int64_t n) { return Value::integer(Type::i32, n); };
    CHECK(computed("widen_right_add", Halide::Int(16), 300, Halide::Int(8), -100) == i32(200));
    CHECK(computed("widen_right_add", Halide::UInt(16), 65535, Halide::UInt(8), 2) == i32(1));
    CHECK(computed("widen_right_sub", Halide::Int(16), 300, Halide::UInt(8), 255) == i32(45));
    CHECK(computed("widen_right_mul", Halide::Int(16), 300, Halide::Int(8), -100) == i32(-30000));
}

TEST_CASE("a signed sum that is computed without a sign overflows only where it overflows with one") {
    // As version 21 finds intrinsics.
    const Expr n = Variable::make(Halide::Int(32), "N");
    const auto computed = [](const char* name, const Expr& left, std::int64_t right) {
        const Expr b = Halide::Internal::make_const(Halide::UInt(16), right);
        return cells(store(0, Cast::make(Halide::Int(32),
                                         Call::make(Halide::UInt(32), name, {left, b}, Call::PureIntrinsic))),
                     1)
            .at(0);
    };
    const auto unsigned_of = [](const Expr& e) { return Cast::make(Halide::UInt(32), e); };
    const auto i32 = [](std::int64_t k) { return Value::integer(Type::i32, k); };
    CHECK(computed("widen_right_sub", unsigned_of(n), 9) == i32(-2));
    CHECK(computed("widen_right_add", unsigned_of(n - 9), 1) == i32(-1));
    CHECK(computed("widen_right_mul", unsigned_of(n - 9), 3) == i32(-6));
    CHECK(computed("widen_right_sub", Halide::Internal::make_const(Halide::UInt(32), 0xffffffffu), 2) == i32(-3));
    CHECK(computed("widen_right_mul", unsigned_of(n * 100000000), 4).is_undef());
    CHECK(computed("widen_right_sub", unsigned_of(unsigned_of(n)), 9).is_undef());
}

TEST_CASE("integers are reinterpreted as others that are as wide; floats have no translation") {
    const auto reinterpreted = [](const Expr& value, Halide::Type to) {
        return cells(store(0, Halide::cast<int>(Halide::reinterpret(to, value))), 1).at(0);
    };
    // The simplifier does not know that N is 7.
    const Expr n = Variable::make(Halide::Int(32), "N");
    CHECK(reinterpreted(Halide::cast<int8_t>(n - 8), Halide::UInt(8)) == Value::integer(Type::i32, 255));
    CHECK(reinterpreted(Halide::cast<uint8_t>(n + 248), Halide::Int(8)) == Value::integer(Type::i32, -1));
    const Expr bits = Halide::reinterpret(Halide::Int(32), Halide::cast<float>(n));
    CHECK(translate(store(0, bits), interface, Dialect::linear).error() ==
          Untranslated(Feature{"reinterpret of other types than integers that are as wide", ""}));
}

TEST_CASE("a shift that rounds is one of its own type: by more bits than that has it is Undef") {
    const auto shifted = [](Halide::Type type, std::int64_t a, const Expr& amount) {
        const Expr value = Call::make(type, "rounding_shift_right", {Halide::Internal::make_const(type, a), amount},
                                      Call::PureIntrinsic);
        return cells(store(0, Halide::cast<int>(value)), 1).at(0);
    };
    const Expr n = Variable::make(Halide::Int(32), "N");  // 7
    const auto by = [](Halide::Type type, int amount) { return Halide::Internal::make_const(type, amount); };
    for (const bool is_literal : {true, false}) {
        INFO(is_literal);
        const auto amount = [&](Halide::Type type, int bits) {
            return is_literal ? by(type, bits) : Halide::cast(type, n + (bits - 7));
        };
        CHECK(shifted(Halide::UInt(8), 255, amount(Halide::UInt(8), 7)) == Value::integer(Type::i32, 2));
        CHECK(shifted(Halide::UInt(8), 200, amount(Halide::UInt(8), 9)).is_undef());
        CHECK(shifted(Halide::Int(8), -127, amount(Halide::Int(8), 9)).is_undef());
        CHECK(shifted(Halide::UInt(8), 3, amount(Halide::Int(8), -2)) == Value::integer(Type::i32, 12));
        CHECK(shifted(Halide::UInt(8), 3, amount(Halide::Int(8), -8)).is_undef());
        CHECK(shifted(Halide::UInt(8), 200, amount(Halide::UInt(8), 8)).is_undef() == !is_literal);
    }
    CHECK(shifted(Halide::UInt(8), 200, by(Halide::UInt(8), 8)) == Value::integer(Type::i32, 1));
}

TEST_CASE("an amount without a sign shifts no value the other way") {
    const auto shifted = [](int by) {
        const Expr amount = Halide::cast<uint8_t>(Variable::make(Halide::Int(32), "N") + (by - 7));
        const Expr value = Call::make(Halide::Int(8), "shift_right",
                                      {Halide::Internal::make_const(Halide::Int(8), 64), amount}, Call::PureIntrinsic);
        return cells(store(0, Halide::cast<int>(value)), 1).at(0);
    };
    CHECK(shifted(5) == Value::integer(Type::i32, 2));
    CHECK(shifted(8).is_undef());
    CHECK(shifted(255).is_undef());
}

TEST_CASE("floats outside strict_float are loose where all are meant to be strict") {
    Interface strict = interface;
    strict.buffers.front().type = Type::f32;
    const Expr x = Variable::make(Halide::Float(32), "x");
    const auto is_loose = [&](const Expr& bound, const Expr& value, bool has_strict_floats = true) {
        strict.has_strict_floats = has_strict_floats;
        const auto program = translate(LetStmt::make("x", bound, store(0, value)), strict, Dialect::linear);
        if (!program) { FAIL("no translation"); }
        return program->has_loose_floats;
    };
    const Expr one = 1.0f,
               load = Load::make(Halide::Float(32), "f$0", 0, Halide::Buffer<>(), {}, const_true(), ModulusRemainder());
    const auto strictly = [](const Expr& e) { return Halide::strict_float(e); };
    CHECK_FALSE(is_loose(load, strictly(x + 1.0f)));
    CHECK_FALSE(is_loose(load, strictly(x * x - x / 3.0f)));
    CHECK_FALSE(is_loose(load, Halide::likely(x)));
    CHECK_FALSE(is_loose(load, Halide::cast<float>(Halide::cast<int>(x))));
    CHECK(is_loose(strictly(load + 1.0f), x + 1.0f));
    CHECK(is_loose(load, strictly(x + 1.0f) + x));
    CHECK(is_loose(load, Halide::select(strictly(x < 2.0f), x, one)));
    CHECK(is_loose(load, Halide::abs(x)));
    const Expr is_nan = Call::make(Halide::Bool(), "is_nan_f32", {x}, Call::PureExtern);
    CHECK(has_loose_floats(Evaluate::make(is_nan)));
    // Later than version 19 a strict_float is one of its operators, of which a select and a call are none.
    const bool wraps = version_major <= 19;
    CHECK(is_loose(one, strictly(Halide::select(strictly(x * x) < 2.0f, x, x + 1.0f))) != wraps);
    CHECK(is_loose(load, Halide::cast<float>(strictly(x) < 2.0f)));
    CHECK(is_loose(load, strictly(Halide::abs(x))) != wraps);
    CHECK(has_loose_floats(Evaluate::make(strictly(is_nan))) != wraps);
    CHECK_FALSE(is_loose(load, x + 1.0f, false));
}

TEST_CASE("a lane has a name that the specification does not have") {
    const Stmt vector = Store::make("f$0", Ramp::make(Variable::make(Halide::Int(32), "lane"), 1, 2),
                                    Ramp::make(0, 1, 2), {}, const_true(2), ModulusRemainder());
    for (const bool is_parameter : {true, false}) {
        Interface named = interface;
        named.parameters = {is_parameter ? "lane" : "N"};
        if (!is_parameter) { named.functions.emplace("lane$0", "lane"); }
        const auto program = translate(is_parameter ? vector
                                                    : Store::make("f$0", Ramp::make(4, 1, 2), Ramp::make(0, 1, 2), {},
                                                                  const_true(2), ModulusRemainder()),
                                       named, Dialect::linear);
        REQUIRE(program);
        CHECK(sched::print(*program).find("lanes vector.lane < 2") != std::string::npos);
    }
}

TEST_CASE("lanes that are put together regularly are arithmetic of the lane, others are chosen one by one") {
    const Expr n = Variable::make(Halide::Int(32), "N");
    const auto ramp = [](const Expr& base, int lanes) { return Ramp::make(base, 1, lanes); };
    struct Put {
        Expr vector;
        std::vector<int> lanes;
        bool is_regular;
    };
    const std::vector<Put> puts{
        {Shuffle::make_concat({Broadcast::make(n, 2), Broadcast::make(n + 3, 2), Broadcast::make(n + 6, 2)}),
         {7, 7, 10, 10, 13, 13},
         true},
        {Shuffle::make_concat({ramp(n, 3), ramp(n, 3)}), {7, 8, 9, 7, 8, 9}, true},
        {Shuffle::make({Ramp::make(n, 2, 3)}, {0, 1, 2, 0, 1, 2}), {7, 9, 11, 7, 9, 11}, true},
        {Shuffle::make({Ramp::make(n, 2, 3)}, {0, 0, 1, 1, 2, 2}), {7, 7, 9, 9, 11, 11}, true},
        {Shuffle::make_interleave({ramp(n, 3), ramp(n + 4, 3)}), {7, 11, 8, 12, 9, 13}, true},
        {Shuffle::make_concat({ramp(n, 2), ramp(n + 4, 2), ramp(n + 5, 2)}), {7, 8, 11, 12, 12, 13}, false},
        {Shuffle::make({Ramp::make(n, 2, 3)}, {0, 1, 2, 0, 1, 1}), {7, 9, 11, 7, 9, 9}, false},
        {Shuffle::make_concat({ramp(n, 2), ramp(2 * n, 2), ramp(3 * n, 2)}), {7, 8, 14, 15, 21, 22}, false},
    };
    for (const Put& put : puts) {
        const Stmt vector = Store::make("f$0", put.vector, ramp(0, 6), {}, const_true(6), ModulusRemainder());
        const std::string text = sched::print(translated(vector));
        INFO(text);
        CHECK((text.find("select") == std::string::npos) == put.is_regular);
        const std::vector<Value> f = cells(vector, 6);
        for (std::size_t k = 0; k < 6; ++k) { CHECK(f.at(k) == Value::integer(Type::i32, put.lanes[k])); }
    }
}

TEST_CASE("vectors of one array that are put together regularly are one read at an index of the lane") {
    const Expr n = Variable::make(Halide::Int(32), "N");
    const auto read = [&](const Expr& base, int stride) {
        const Expr index = Ramp::make(base, stride, 2);
        return Load::make(Halide::Int(32, 2), "f$0", index, {}, {}, const_true(2), ModulusRemainder());
    };
    const auto put = [&](const std::vector<Expr>& vectors) {
        const Stmt store = Store::make("f$0", Shuffle::make_concat(vectors), Ramp::make(0, 1, 6), {}, const_true(6),
                                       ModulusRemainder());
        return sched::print(translated(store));
    };
    const auto reads = [](const std::string& text) {
        int count = -1;  // but for the store
        for (std::size_t at = text.find("f["); at != std::string::npos; at = text.find("f[", at + 1)) { ++count; }
        return count;
    };
    CHECK(reads(put({read(n, 3), read(n + 1, 3), read(n + 2, 3)})) == 1);
    CHECK(reads(put({read(n, 1), read(n, 1), read(n, 1)})) == 1);
    CHECK(reads(put({read(n, 3), read(n + 1, 3), read(n + 3, 3)})) == 3);
    CHECK(reads(put({read(n, 3), read(2 * n, 3), read(3 * n, 3)})) == 3);
}

TEST_CASE("what only fetches into the cache has no meaning") {
    const Expr base = Variable::make(Halide::Handle(), "f$0");
    const Stmt fetch = Evaluate::make(Call::make(Halide::Int(32), Call::prefetch, {base, 3, 1, 1}, Call::Intrinsic));
    // Not even the condition, which need not be one that can be said.
    const Stmt guarded = IfThenElse::make(Variable::make(Halide::Bool(), "unknown"), Block::make(fetch, fetch));
    const Stmt named = LetStmt::make("t", Variable::make(Halide::Int(32), "unknown"), guarded);
    const auto plain = cells(Block::make({store(0, 1), store(1, 2), store(2, 3)}));
    CHECK(cells(Block::make({named, store(0, 1), fetch, store(1, 2), guarded, store(2, 3)})) == plain);
    CHECK(translated(Block::make({store(0, 1), named})).body.size() == 1);
    const auto fetch_from = [&](const Expr& offset) {
        const Expr t = Variable::make(Halide::Int(32), "t");
        const Expr call = Call::make(Halide::Int(32), Call::prefetch, {base, t + t, 1, 1}, Call::Intrinsic);
        return Evaluate::make(Let::make("t", offset, call));
    };
    CHECK(translated(Block::make({store(0, 1), fetch_from(3)})).body.size() == 1);
    CHECK(translate(IfThenElse::make(Variable::make(Halide::Bool(), "unknown"), Block::make(fetch, store(0, 1))),
                    interface, Dialect::linear)
              .error() == Untranslated(compiler::FreeVariable{"unknown"}));
    // Reading is more than fetching: it may be out of bounds.
    const Expr read = Load::make(Halide::Int(32), "f$0", 99, Halide::Buffer<>(), {}, const_true(), ModulusRemainder());
    const Stmt far = Evaluate::make(Call::make(Halide::Int(32), Call::prefetch, {base, read, 1, 1}, Call::Intrinsic));
    CHECK_FALSE(translate(Block::make(store(0, 1), far), interface, Dialect::linear));
    CHECK_FALSE(translate(Block::make(store(0, 1), fetch_from(read)), interface, Dialect::linear));
    for (const Stmt& reading : {IfThenElse::make(read < 3, fetch), LetStmt::make("t", read, fetch)}) {
        CHECK(translated(Block::make(store(0, 1), reading)).body.size() == 2);
    }
}

TEST_CASE("forks, and semaphores where they get their units") {
    const Halide::Type handle = Halide::type_of<halide_semaphore_t*>();
    const Expr n = Variable::make(Halide::Int(32), "N");
    const Expr full = Variable::make(handle, "f$0.semaphore_0");
    const auto call = [](const char* name, const Expr& semaphore, const Expr& units) {
        return Evaluate::make(Call::make(Halide::Int(32), name, {semaphore, units}, Call::Extern));
    };
    const Stmt fork = Fork::make(Block::make(store(0, 1), call("halide_semaphore_release", full, n - 6)),
                                 Block::make(Acquire::make(full, 1, store(1, 2)), store(2, 3)));
    const std::string branches =
        "fork {\n  f[0] := 1i32;\n  release N - 6 of f.semaphore_0;\n} and {\n  acquire 1 of f.semaphore_0;\n"
        "  f[1] := 2i32;\n  f[2] := 3i32;\n}\n";
    const auto text = [](const Stmt& statement) {
        std::string lines;
        for (const sched::Stmt& s : translated(statement).body) { lines += sched::print(s); }
        return lines;
    };
    const Expr space = Call::make(handle, Call::alloca, {16}, Call::Intrinsic);
    const Stmt initialised =
        LetStmt::make("f$0.semaphore_0", space, Block::make(call("halide_semaphore_init", full, n - 7), fork));
    CHECK(text(initialised) == "semaphore f.semaphore_0 = N - 7;\n" + branches);
    CHECK(cells(initialised)[2] == Value::integer(Type::i32, 3));
    // Semaphores without space of their own yet.
    const Expr made = Call::make(handle, "halide_make_semaphore", {4}, Call::Extern);
    CHECK(text(LetStmt::make("f$0.semaphore_0", made, fork)) == "semaphore f.semaphore_0 = 4;\n" + branches);
    CHECK(translate(fork, interface, Dialect::linear).error() ==
          Untranslated(Feature{"a semaphore of unknown origin", ""}));
}

TEST_CASE("a let is over where its statement ends, also when it hides another, or a loop's variable, or a parameter") {
    const auto variable = [](const char* name) { return Variable::make(Halide::Int(32), name); };
    const Expr n = variable("N");
    // For::make has different parameters in every version.
    const auto within = [](const Stmt& body, const char* name) {
        auto* loop = new For;
        loop->name = name;
        loop->min = 0;
        loop->extent = 1;
        loop->for_type = ForType::Serial;
        loop->body = body;
        return Stmt(loop);
    };
    // In a block of SCHED, a let would extend to the end.
    const auto twice = [&](const char* name) {
        return Block::make(LetStmt::make(name, n + 4, store(0, variable(name))), store(1, variable(name)));
    };
    const Stmt of_let = LetStmt::make("x", n + 1, within(twice("x"), "i"));
    CHECK(cells(of_let, 2) == std::vector{Value::integer(Type::i32, 11), Value::integer(Type::i32, 8)});
    CHECK(cells(within(twice("x"), "x"), 2) ==
          std::vector{Value::integer(Type::i32, 11), Value::integer(Type::i32, 0)});
    CHECK(cells(twice("N"), 2) == std::vector{Value::integer(Type::i32, 11), Value::integer(Type::i32, 7)});
    // A name can be used again after its scope.
    const Stmt beside = Block::make(within(twice("y"), "y"), within(twice("y"), "y"));
    CHECK(sched::print(translated(beside)).find("y$2") == std::string::npos);
}

TEST_CASE("an assertion is called by the error that it raises, also within lets") {
    const Expr n = Variable::make(Halide::Int(32), "N");
    const Expr error = Call::make(Halide::Int(32), "halide_error_it",
                                  {Expr("the buffer"), Variable::make(Halide::Int(32), "t")}, Call::Extern);
    const sched::Program program = translated(AssertStmt::make(n < 9, Let::make("t", n + 1, error)));
    REQUIRE(program.body.size() == 1);
    const auto* assertion = std::get_if<sched::Assert>(&program.body[0].node);
    REQUIRE(assertion != nullptr);
    CHECK(assertion->message == "halide_error_it: the buffer");
}

}  // namespace haruspex::halide
