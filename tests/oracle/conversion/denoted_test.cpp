#include "oracle/conversion/denoted.h"

#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

const std::string text =
    "sched p(W, H) {\n  output out : i32[4 from 0];\n"
    "  let t : i32 = max(max lanes l < 8 of (i32<(let s = W + l in max(s, 5) - min(s, H))>), 0i32) + 1i32;\n"
    "  for x in [0, int(t)) { out[min(x, 0)] := t; }\n"
    "  if i32<H> - t < 4i32 { out[1] := i32<int(2i32*(min lanes m < 3 of (i32<min(W - 2*m, H)>)))>; }\n"
    "  out[2] := max lanes n < 3 of (i32<min(W + n, H - n)>);\n"
    "  out[3] := i32<int(max lanes n < 4 of (i32<(W + 3*n)%5>))>;\n}\n";

sched::Program parsed(const std::string& text) {
    auto program = sched::parse_program(text, "test");
    if (!program) { FAIL(to_string(program.error())); }
    return *std::move(program);
}

std::vector<value::Value> cells(const sched::Program& program, std::int64_t w, std::int64_t h) {
    const auto run = interp::run(program, {{"W", w}, {"H", h}}, {});
    if (!run) { FAIL(to_string(run.error())); }
    return run->outputs.at(0).cells;
}

}  // namespace

TEST_CASE("what values compute of indices becomes an index of the same number") {
    const sched::Program before = parsed(text);
    sched::Program after = before;
    denote_indices(after.body);
    const std::string printed = sched::print(after);
    INFO(printed);
    CHECK(printed.find("let t = ") != std::string::npos);
    CHECK(printed.find("int(") == std::string::npos);
    for (std::int64_t w = -6; w < 12; ++w) {
        for (std::int64_t h = -6; h < 12; ++h) {
            INFO("W = " << w << ", H = " << h);
            CHECK(cells(after, w, h) == cells(before, w, h));
        }
    }
}

TEST_CASE("what is convex has its maximum at one of the ends, and only that is looked at there") {
    const auto program = sched::parse_program(
        "sched p(W) {\n  output out : i32[1 from 0];\n"
        "  out[0] := i32<int(max lanes l < 8 of (i32<max(W + l, 5) - min(2*l, W)>))>;\n}\n",
        "test");
    REQUIRE(program);
    sched::Program after = *program;
    denote_indices(after.body);
    CHECK(sched::print(after).find("max(max(W, 5) - min(0, W), max(W + 7, 5) - min(14, W))") != std::string::npos);
}

TEST_CASE("a comparison that is computed in a narrow type is one of indices where nothing wraps") {
    const std::string narrow =
        "sched p(W, H) {\n  output out : i32[8 from 0];\n"
        "  let t : i8 = i8(min(max(i32<W>, i32(-128i8)), 127i32));\n"
        "  lanes l < 8 do out[l] := select(i8(i32<l>) <= t, 1i32, 0i32);\n"
        "  lanes l < 8 do out[l] := out[l] + select(u8(i32<7 - l>) > u8(max(i32<W - 3>, 0i32) % 256i32), 2i32, 0i32);\n"
        "  lanes l < 8 do out[l] := out[l] + select(5u8 - u8(i32<l>) < 3u8, 4i32, 0i32);\n"
        "  out[0] := out[0] + select(i8(i32<W>) < 3i8, 8i32, 0i32);\n"
        // A difference that saturates at 32 bits, and then at 8 bits.
        "  lanes l < 8 do out[l] := out[l] + select(i8(i32<l>) <= i8(min(max(i32(min(max(i64(i32<W>) - i64(i32<H + "
        "1>), "
        "i64(-2147483648i32)), i64(2147483647i32))), i32(-128i8)), i32(127i8))), 16i32, 0i32);\n}\n";
    const sched::Program before = parsed(narrow);
    sched::Program after = before;
    denote_indices(after.body);
    const std::string printed = sched::print(after);
    INFO(printed);
    CHECK(printed.find("[l <= t]") != std::string::npos);
    CHECK(printed.find("[7 - l > max(W - 3, 0)%256]") != std::string::npos);
    CHECK(printed.find("[l <= W - (H + 1)]") != std::string::npos);
    // These wrap: five lanes of the first, and most sizes of the second.
    CHECK(printed.find("5u8 - u8(i32<l>) < 3u8") != std::string::npos);
    CHECK(printed.find("i8(i32<W>) < 3i8") != std::string::npos);
    for (const std::int64_t w : {-300, -129, -128, -1, 0, 2, 3, 5, 7, 8, 127, 128, 129, 260, 1000}) {
        INFO("W = " << w);
        CHECK(cells(after, w, 3) == cells(before, w, 3));
    }
}

TEST_CASE("in a type of 32 bits that wraps, a comparison is one of indices where nothing wraps") {
    const sched::Program before = parsed(
        "sched p(W, H) {\n  output out : i32[8 from 0];\n"
        "  lanes l < 8 do out[l] := select(w32<l> * 3w32 <= w32<5>, 1i32, 0i32);\n"
        "  lanes l < 8 do out[l] := out[l] + select(w32<l> + 2147483640w32 > 0w32, 2i32, 0i32);\n"
        "  lanes l < 8 do out[l] := out[l] + select(w64<l> + 1099511627776w64 > 0w64, 4i32, 0i32);\n"
        "  lanes l < 8 do out[l] := out[l] + select(w32<W> < w32<2*l>, 8i32, 0i32);\n}\n");
    sched::Program after = before;
    denote_indices(after.body);
    const std::string printed = sched::print(after);
    INFO(printed);
    CHECK(printed.find("3w32") == std::string::npos);
    CHECK(printed.find("w32<l> + 2147483640w32 > 0w32") == std::string::npos);
    CHECK(printed.find("w64<l> + 1099511627776w64 > 0w64") == std::string::npos);
    // The parameter may be larger than the type's numbers.
    CHECK(printed.find("w32<W> < w32<2*l>") != std::string::npos);
    for (const std::int64_t w : {-3, 0, 5, 9, 14}) {
        INFO("W = " << w);
        CHECK(cells(after, w, 3) == cells(before, w, 3));
    }

    const sched::Program wraps = parsed(
        "sched p(W, H) {\n  output out : i32[8 from 0];\n"
        "  lanes l < 8 do out[l] := select(w32<l> + 2147483645w32 > 0w32, 1i32, 0i32);\n}\n");
    sched::Program same = wraps;
    denote_indices(same.body);
    CHECK(sched::print(same) == sched::print(wraps));
    CHECK(cells(same, 5, 3) == cells(wraps, 5, 3));
}

TEST_CASE("what reads memory stays a value") {
    const auto program = sched::parse_program(
        "sched p(W) {\n  input in : i32[W from 0];\n  output out : i32[1 from 0];\n"
        "  let t : i32 = in[0] + 1i32;\n  out[0] := i32<int(t)>;\n}\n",
        "test");
    REQUIRE(program);
    sched::Program after = *program;
    denote_indices(after.body);
    CHECK(after == *program);
}

}  // namespace haruspex::conversion
