#include "tests/oracle/interp/sched_support.h"

namespace haruspex::interp {
namespace {

// The messages of a program over in, g and f with N = 0, one a line.
std::string messages(const std::string& statements) {
    const Run run(over_f(statements), {{"N", 0}});
    std::string text;
    for (const Trouble& trouble : run.troubles()) {
        text += std::string(name(trouble.kind)) + ": " + to_string(trouble) + "\n";
    }
    return text;
}

TEST_CASE("out_of_bounds_read gives Uninit, and the run goes on") {
    const Run run(over_f("for x in [0, 2) { f[x] := in[12*x]; }\nf[2] := 5i32;"), {{"N", 0}});
    REQUIRE(run.troubles().size() == 1);
    const Trouble& trouble = run.troubles().front();
    CHECK(trouble.kind == TroubleKind::out_of_bounds_read);
    CHECK(trouble.array == "in");
    CHECK(trouble.cell == std::vector<std::int64_t>{12});
    CHECK(trouble.statement == "f[x] := in[12*x]");
    CHECK(trouble.position == std::vector<std::pair<std::string, std::int64_t>>{{"x", 1}});
    CHECK(to_string(trouble) == "reads in[12], which is out of bounds [0, 12): `f[x] := in[12*x]` at x = 1");
    CHECK(run.cells("f").starts_with("0 uninit_i32 5 "));
    CHECK(messages("f[0] := in[-1];") ==
          "out_of_bounds_read: reads in[-1], which is out of bounds [0, 12): `f[0] := in[-1]`\n");
}

TEST_CASE("out_of_bounds_write is dropped, and its message has the lane") {
    CHECK(messages("for x in [0, 2) { lanes lane < 8 do f[x*8 + lane] := 1i32; }") ==
          "out_of_bounds_write: writes f[12], which is out of bounds [0, 12): `lanes lane < 8 do f[x*8 + lane] := "
          "1i32` at x = 1, lane = 4\n");
    CHECK(messages("allocate t : i32[3 from -1, 2]; t[-1, 0] := 1i32; t[1, 1] := 1i32; t[0, 2] := 1i32;") ==
          "out_of_bounds_write: writes t[0, 2], which is out of bounds [-1, 2) × [0, 2): `t[0, 2] := 1i32`\n");
    CHECK(messages("allocate t : i32[0]; t[0] := 1i32;") ==
          "out_of_bounds_write: writes t[0], which is out of bounds [0, 0): `t[0] := 1i32`\n");
}

TEST_CASE("a gap between the cells of a strided array is out of bounds") {
    const std::string t = "allocate t : i32[3 stride 1, 2 stride 5]; ";
    CHECK(messages(t + "for x in [0, 3) { t[x] := 1i32; t[5 + x] := t[x]; }").empty());
    CHECK(messages(t + "t[3] := 1i32;") ==
          "out_of_bounds_write: writes t[3], which lies in a gap between its cells: `t[3] := 1i32`\n");
    CHECK(messages(t + "f[0] := t[4];").starts_with("out_of_bounds_read: reads t[4], which lies in a gap"));
    CHECK(messages(t + "t[8] := 1i32;") ==
          "out_of_bounds_write: writes t[8], which is out of bounds [0, 8): `t[8] := 1i32`\n");
    CHECK(messages("allocate t : i32[3 stride -2]; t[-4] := 1i32; t[0] := 1i32; t[-2] := 1i32; t[1] := 1i32;") ==
          "out_of_bounds_write: writes t[1], which is out of bounds [-4, 1): `t[1] := 1i32`\n");
}

TEST_CASE("read_after_free and write_after_free, also of what was not allocated") {
    const std::string t = "allocate t : i32[3]; t[0] := 1i32; free t; ";
    CHECK(messages(t + "f[0] := t[0];") == "read_after_free: reads t[0], which is freed: `f[0] := t[0]`\n");
    CHECK(messages(t + "t[0] := 2i32;") == "write_after_free: writes t[0], which is freed: `t[0] := 2i32`\n");
    const std::string none = "allocate t : i32[3] if N > 0; ";
    CHECK(messages(none + "f[0] := t[0];") == "read_after_free: reads t[0], which was not allocated: `f[0] := t[0]`\n");
    CHECK(messages(none + "t[0] := 2i32;") ==
          "write_after_free: writes t[0], which was not allocated: `t[0] := 2i32`\n");
    CHECK(messages("for x in [0, 3) { allocate t : i32[3] if x < 2; t[x] := 1i32; free t; }") ==
          "write_after_free: writes t[2], which was not allocated: `t[x] := 1i32` at x = 2\n");
}

TEST_CASE("free_after_free, also of what was not allocated; an allocation starts anew") {
    const std::string t = "allocate t : i32[3]; ";
    CHECK(messages(t + "free t; free t;") == "free_after_free: frees t, which is freed: `free t`\n");
    CHECK(messages(t + "for x in [0, 3) { free t; }") ==
          "free_after_free: frees t, which is freed: `free t` at x = 1\n");
    CHECK(messages(t + "if N > 0 { free t; } if N = 0 { free t; }").empty());
    CHECK(messages("for x in [0, 3) { allocate t : i32[3]; free t; }").empty());
    CHECK(messages("allocate t : i32[3] if N > 0; free t; free t;") ==
          "free_after_free: frees t, which is freed: `free t`\n");
    CHECK(messages("for x in [0, 3) { allocate t : i32[3] if x = 1; free t; }").empty());
    // Either branch may run, but not both.
    CHECK(messages(t + "allocate u : i32[1]; if u[0] > 0i32 { free t; } else { free t; }").find("free_after_free") ==
          std::string::npos);
}

TEST_CASE("write_to_input is dropped") {
    // The typing rules reject such a program as text.
    sched::Program program =
        parse_sched("sched p() { output in : i32[4]; output f : i32[4]; in[2] := 7i32; f[0] := in[2]; }");
    program.arrays.front().role = sched::Role::input;
    const Run run(program);
    REQUIRE(run.kinds() == "write_to_input");
    CHECK(to_string(run.troubles().front()) == "writes in[2], which belongs to an input: `in[2] := 7i32`");
    CHECK(run.cells("f").starts_with("2 "));
}

TEST_CASE("read_write_race") {
    CHECK(messages("for x in [0, 3) { f[x] := 0i32; } par x in [0, 2) { f[x + 1] := f[x] + 1i32; }") ==
          "read_write_race: iteration x = 1 reads f[1], which iteration x = 0 writes: `f[x + 1] := f[x] + 1i32` at x "
          "= 1\n");
    CHECK(messages("f[0] := 0i32; f[1] := 0i32; par x in [0, 2) { f[1 - x] := f[2 - 2*x]; }").empty());
    CHECK(messages("f[0] := 0i32; par x in [5, 7) { if x = 5 { f[1] := f[0]; } else { f[0] := 1i32; } }") ==
          "read_write_race: iteration x = 6 writes f[0], which iteration x = 5 reads: `f[0] := 1i32` at x = 6\n");
}

TEST_CASE("write_write_race") {
    CHECK(messages("par y in [0, 3) { for x in [0, 2) { f[x + y] := i32<y>; } }") ==
          "write_write_race: iteration y = 1 leaves 1i32 in f[1], which iteration y = 0 leaves as 0i32: `f[x + y] := "
          "i32<y>` at y = 1\n");
}

TEST_CASE("lane_conflict: lanes that write different values to one cell") {
    CHECK(messages("lanes l < 4 do f[l / 2] := i32<l>;") ==
          "lane_conflict: writes 1i32 in f[0], where lane 0 writes 0i32: `lanes l < 4 do f[l/2] := i32<l>` at l = 1\n");
    CHECK(messages("lanes l < 4 do f[l / 2] := i32<l / 2>;").empty());
    CHECK(messages("lanes l < 4 do if l % 2 = 0 do f[l / 2] := i32<l>;").empty());
    CHECK(messages("f[0] := 0i32; lanes l < 2 do f[0] += {l} 1i32;") ==
          "lane_conflict: accumulates 1i32 in f[0], where lane 0 accumulates 1i32: `lanes l < 2 do f[0] += {l} 1i32` "
          "at l = 1\n");
    CHECK(messages("lanes l < 3 do f[l] := 1i32, f[l + 1] := 2i32;").starts_with("lane_conflict: writes 1i32 in f[1]"));
    CHECK(messages("lanes l < 3 do f[2*l] := 1i32, f[2*l + 1] := 2i32;").empty());
}

TEST_CASE("lane_conflict: what two lanes leave in a cell, each by its last write to it") {
    CHECK(messages("lanes l < 2 do f[0] := i32<1 + l>, f[0] := i32<2 - l>;") ==
          "lane_conflict: writes 1i32 in f[0], where lane 0 writes 2i32: `lanes l < 2 do f[0] := i32<1 + l>, f[0] := "
          "i32<2 - l>` at l = 1\n");
    CHECK(messages("lanes l < 2 do f[0] := i32<l>, f[0] := 3i32;").empty());
    CHECK(messages("lanes l < 3 do f[0] := i32<l>, f[l] := 3i32;").starts_with("lane_conflict: writes 1i32 in f[0]"));
    CHECK(messages("lanes l < 2 do f[0] := 1i32, f[0] += {} 1i32, f[0] := 1i32;").starts_with("lane_conflict"));
    CHECK(messages("lanes l < 3 do f[l/2] := 1i32, f[0] := 1i32;").empty());
    CHECK(messages("lanes l < 2 do f[l] := 1i32, f[l] := 2i32, f[l] += {} 3i32;").empty());
}

TEST_CASE("depends_on_uninit: indices, bounds and assertions") {
    const std::string t = "allocate t : i32[3]; ";
    const std::string because = " depends on memory that was not written: ";
    CHECK(messages(t + "f[0] := in[int(t[0])];").starts_with("depends_on_uninit: an index of in"));
    CHECK(messages(t + "f[int(t[0])] := 1i32;").starts_with("depends_on_uninit: an index of f"));
    CHECK(messages(t + "f[0] := in[0] ? (t[0] == 0i32);").starts_with("depends_on_uninit: the guard of a read of in"));
    const std::string v = t + "let v : i32 = t[0]; let i = int(v); ";
    CHECK(messages(v + "f[0] := i32<i>;").empty());
    CHECK(messages(v + "for x in [0, i) { skip; } f[99] := 0i32;") ==
          "depends_on_uninit: a bound of the loop over x" + because + "`for x in [0, i)`\n");
    CHECK(messages(v + "allocate s : i32[i]; f[99] := 0i32;").starts_with("depends_on_uninit: an extent of s"));
    CHECK(messages(v + "allocate s : i32[3] if i < 2;").starts_with("depends_on_uninit: whether s is allocated"));
    CHECK(messages(t + "assert t[0] == 0i32 \"zero\"; f[99] := 0i32;").starts_with("depends_on_uninit: an assertion"));
    CHECK(messages("let v[l < 2] : i32 = i32<l>; " + t + "f[0] := v[int(t[0])];")
              .starts_with("depends_on_uninit: the lane of a family of values"));
}

TEST_CASE("control that depends on Uninit spoils what it writes, and nothing else") {
    // Any trouble, followed by f[0] and f[1], which were 1, as "1", or "?" for Uninit.
    const auto after = [](const std::string& body) {
        const std::string text = "f[0] := 1i32; f[1] := 1i32; allocate t : i32[3]; " + body;
        std::string cells = Run(over_f(text), {{"N", 0}}).cells("f");
        for (auto at = cells.find("uninit_i32"); at != std::string::npos; at = cells.find("uninit_i32")) {
            cells.replace(at, 10, "?");
        }
        return messages(text) + cells.substr(0, 3);
    };
    CHECK(after("if t[0] == 0i32 { f[0] := 1i32; } else { t[1] := 1i32; }") == "? 1");
    CHECK(after("if t[0] == 0i32 { t[1] := 1i32; } else { f[1] := 1i32; }") == "1 ?");
    CHECK(after("if t[0] == 0i32 do f[1] := 1i32;") == "1 ?");
    CHECK(after("if t[0] == 0i32 { f[0] := 1i32; } f[0] := 2i32;") == "2 1");
    CHECK(after("if t[0] == 0i32 { f[0] += {} 1i32; }") == "? 1");
    // A loop whose bounds are clamped garbage, as in updates with RoundUp.
    const std::string trimmed = "let v : i32 = max(min(t[0], 2i32), 0i32); let n = int(2i32 - v); for x in [0, n) ";
    CHECK(after(trimmed + "{ t[1] := i32<x>; }") == "1 1");
    CHECK(after(trimmed + "{ f[x] := 1i32; }") == "? ?");
    CHECK(after(trimmed + "{ f[2*x] := 1i32; }") == "? 1");
    CHECK(after(trimmed + "{ f[12*x] := 1i32; }").starts_with("out_of_bounds_write: writes f[12]"));
    CHECK(after("for x in [0, int(t[0]) % 2) { f[x] := 1i32; }") == "? 1");
    CHECK(after("for x in [0, int(select(in[0] == 0i32, t[0] & 1i32, 2i32))) { f[x] := 1i32; }") == "? ?");
    CHECK(after("for x in [0, int(u16(t[0]))) { f[0] := 1i32; }") == "? 1");
    CHECK(after("for x in [0, int(min(t[0], 2i32))) { f[0] := 1i32; }") == "? 1");
    CHECK(after("for x in [0, int(max(t[0], 2i32))) { f[0] := 1i32; }").starts_with("depends_on_uninit: a bound"));
    // An array allocated in the branch can be read there.
    CHECK(after("if t[0] == 0i32 { allocate q : i32[1]; q[0] := 1i32; f[int(q[0])] := 2i32; }") == "1 ?");
    CHECK(after("if t[0] == 0i32 { allocate q : i32[1]; q[0] := 1i32; assert q[0] == 1i32 \"one\"; }") == "1 1");
    CHECK(after(trimmed + "{ allocate q : i32[1]; q[0] := in[0] & 1i32; f[int(q[0])] := 1i32; }") == "? 1");
    CHECK(after("if t[0] == 0i32 { allocate q : i32[1]; if t[1] == 0i32 { q[0] := 1i32; } f[int(q[0])] := 2i32; }")
              .starts_with("depends_on_uninit: an index of f"));
    // A value that is Undef if the branch runs stays Undef.
    CHECK(messages("allocate t : i32[3]; if t[0] == 0i32 { t[1] := 2147483647i32 + in[1]; } if t[1] == 0i32 { skip; }")
              .starts_with("depends_on_undef: which branch"));
}

TEST_CASE("depends_on_undef: likewise") {
    const std::string v = "let v : i32 = 2147483647i32 + in[1]; ";
    CHECK(messages(v + "f[0] := v;").empty());
    CHECK(messages(v + "if v == 0i32 { f[0] := 1i32; }") ==
          "depends_on_undef: which branch is taken depends on undefined behaviour: `if v == 0i32`\n");
    CHECK(messages(v + "f[0] := in[int(v)];").starts_with("depends_on_undef: an index of in"));
    CHECK(messages(v + "let i = int(v); for x in [i, 4) { skip; }").starts_with("depends_on_undef: a bound"));
    CHECK(messages(v + "assert v == 0i32 \"zero\";").starts_with("depends_on_undef: an assertion"));
}

TEST_CASE("assertion_failed ends the run") {
    CHECK(messages("for x in [0, 3) { assert x < 1 \"x is small\"; } f[99] := 0i32;") ==
          "assertion_failed: fails with \"x is small\": `assert x < 1 \"x is small\"` at x = 1\n");
}

TEST_CASE("index_overflow: where something depends on an index beyond 64 bits") {
    const std::string big = "for b in [9223372036854775807 - 1 + N, 9223372036854775807 + N) { ";
    CHECK(messages(big + "let x = b*b; f[0] := 1i32; }").empty());
    CHECK(messages(big + "let x = b*b; f[x] := 1i32; }") ==
          "index_overflow: an index of f, which it writes there, leaves 64 bits: `f[x] := 1i32` at b = "
          "9223372036854775806\n");
    CHECK(messages(big + "if b + 2 < 0 { skip; } }").starts_with("index_overflow: which branch is taken"));
    CHECK(messages(big + "f[0] := i32<b - (0 - b)>; }").starts_with("index_overflow: a value leaves"));
    CHECK(messages(big + "for x in [b, b + b) { skip; } }").starts_with("index_overflow: a bound of the loop over x"));
    CHECK(messages(big + "f[select(b = 0, b*b, 1)] := 1i32; }").empty());
    CHECK(messages("allocate t : i32[4 from 9223372036854775807];") ==
          "index_overflow: gives t bounds that leave 64 bits: `allocate t : i32[4 from 9223372036854775807]`\n");
}

TEST_CASE("negative_extent: the array has no cells") {
    CHECK(messages("for x in [0, 3) { allocate t : i32[1 - x]; if x < 1 { t[0] := 1i32; } }") ==
          "negative_extent: gives t a negative extent: `allocate t : i32[1 - x]` at x = 2\n");
    CHECK(messages("allocate t : i32[N - 1]; t[0] := 1i32;") ==
          "negative_extent: gives t a negative extent: `allocate t : i32[N - 1]`\nout_of_bounds_write: writes t[0], "
          "which has no cells: `t[0] := 1i32`\n");
    const Run outside(over_f("f[0] := 1i32;"), {{"N", -13}});
    CHECK(outside.kinds() == "negative_extent negative_extent negative_extent out_of_bounds_write");
    CHECK(to_string(outside.troubles().at(2)) == "gives f a negative extent: `output f`");
    CHECK(outside.cells("f").empty());
}

TEST_CASE("each kind is noted once for each statement, and only as many as asked for") {
    const std::string many = "for x in [0, 9) { f[12 + x] := in[12 + x]; f[0] := in[-1]; }";
    CHECK(Run(over_f(many), {{"N", 0}}).kinds() == "out_of_bounds_read out_of_bounds_write out_of_bounds_read");
    Options options;
    options.most_troubles = 2;
    CHECK(Run(over_f(many), {{"N", 0}}, options).kinds() == "out_of_bounds_read out_of_bounds_write");
}

TEST_CASE("every kind of trouble has a name") {
    CHECK(name(TroubleKind::out_of_bounds_read) == "out_of_bounds_read");
    CHECK(name(TroubleKind::write_write_race) == "write_write_race");
    CHECK(name(TroubleKind::lane_conflict) == "lane_conflict");
    CHECK(name(TroubleKind::negative_extent) == "negative_extent");
}

}  // namespace
}  // namespace haruspex::interp
