#include "oracle/pipeline/index_fit.h"
#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"

#include <algorithm>

#include "generators/base/choice.h"
#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "harness/halide/halide_compiler.h"
#include "harness/sched/text.h"
#include "harness/sched/unhiding.h"
#include "oracle/conversion/conversion.h"
#include "oracle/pipeline/prophecies.h"
#include "tests/oracle/pipeline/index_machine.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

const std::string plane =
    "sare s(W, H) assuming W >= 1 and H >= 1 {\n  input in : u8[2]\n  f(x, y) = in(x, y)\n"
    "  output f on { [x, y] : 0 <= x < W and 0 <= y < H }\n}\n";
const std::string head =
    "sched p(W, H, in.min, in.extent, in.stride, in.min.1, in.extent.1, in.stride.1, f.min, f.extent, f.stride, "
    "f.min.1, f.extent.1, f.stride.1) {\n"
    "  input in : u8[in.extent from in.min stride in.stride, in.extent.1 from in.min.1 stride in.stride.1];\n"
    "  output f : u8[f.extent from f.min stride f.stride, f.extent.1 from f.min.1 stride f.stride.1];\n";
// The input has W columns from 0 on, and H rows before 0.
const std::string asserted =
    "  assert in.min <= 0 \"\";\n  assert W <= in.min + in.extent \"\";\n"
    "  assert in.min.1 <= 0 - H \"\";\n  assert 0 <= in.min.1 + in.extent.1 \"\";\n";

std::int64_t largest(const std::string& body, int bits = 32, const std::string& of_input = asserted) {
    const auto sare = sare::parse_sare(plane, "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    const auto program = sched::parse_program(head + of_input + body + "}\n", "test");
    if (!program) { FAIL(to_string(program.error())); }
    return largest_fitting_size(*sare, *program, bits).value_or(0);
}

}  // namespace

TEST_CASE("a program without parameters of buffers has the sizes of its specification") {
    const auto specification = sare::parse_sare(
        "sare s(W) assuming W >= 0 {\n  F(x, y) = 1u8\n  output F on { [x, y] : 0 <= x < W and 0 <= y < 2 }\n}\n",
        "test");
    const auto at = [&](const std::string& subscript) {
        const auto program = sched::parse_program(
            "sched s(W) {\n  output f : u8[W, 2];\n  for x in [0, W) { f[" + subscript + ", 0] := 1u8; }\n}\n", "test");
        if (!specification || !program) { FAIL("not parsed"); }
        return largest_fitting_size(*specification, *program, 12);
    };
    CHECK(at("x") == 512);
    CHECK(at("8*x/8") == 256);
    CHECK(at("x*x") == 32);
}

TEST_CASE("the program's own arrays count: their extents, minima, ends and cells") {
    const auto specification = sare::parse_sare(
        "sare a(N, M) assuming N >= 1 and M >= 1 {\n  input A : i32[2]\n  B(x, y) = A(x, y)\n"
        "  output B on { [x, y] : 0 <= x < N and 0 <= y < M }\n}\n",
        "test");
    const auto with = [&](const std::string& arrays, const std::string& statement = "skip;") {
        const auto program = sched::parse_program("sched a(N, M) {\n" + arrays + "  " + statement + "\n}\n", "test");
        if (!specification || !program) { FAIL("not parsed"); }
        return largest_fitting_size(*specification, *program).value_or(0);
    };
    CHECK(with("  input a for A : i32[N, M];\n") == 1 << 15);
    CHECK(with("  output b for B : i32[N, M];\n") == 1 << 15);
    CHECK(with("  output b for B : i32[N, 4096];\n") == 1 << 18);
    CHECK(with("  output b for B : i32[N, 2048*M from 5];\n") == 1 << 9);
    CHECK(with("  output b for B : i32[2 from N*N];\n") == 1 << 15);
    CHECK(with("  output b for B : i32[1 from 2147483647];\n") == 0);
    CHECK(with("  output b for B : i32[1 from 2147483646];\n") == conversion::most_size);
    // The machine computes no index of its own in linear memory.
    CHECK(with("  output b for B : i32[N stride 1, M stride N];\n") == conversion::most_size);
    CHECK(with("", "allocate t : i32[N, M];") == 1 << 15);
    CHECK(with("", "allocate t : i32[2 from 2147483646];") == 0);
    CHECK(with("", "let n = N*M;") == 1 << 15);
    CHECK(with("", "for x in [N*M, N*M + 1) { skip; }") == 1 << 15);
    CHECK(with("", "for x in [0, N) { for y in [x*M, x*M + M) { skip; } }") == 1 << 15);
}

TEST_CASE("the size up to which indices fit is where an operation leaves 32 bits") {
    CHECK(largest("  for x in [0, W) { f[x] := 1u8; }\n") == conversion::most_size);
    CHECK(largest("  for y in [0, H) { f[y*f.stride.1] := 1u8; }\n") == 1 << 15);
    CHECK(largest("  for y in [0, H) { f[y*f.stride.1*4/4] := 1u8; }\n") == 1 << 14);
    CHECK(largest("  for y in [0, H) { f[f.min.1*f.stride.1 + y] := 1u8; }\n") == conversion::most_size);
    CHECK(largest("  for y in [0, H) { f[y] := in[y - in.min.1*in.stride.1]; }\n") == 1 << 15);
    CHECK(largest("  for y in [0, H) { f[min(y*y*y, 5)] := 1u8; }\n") == 1 << 10);
    CHECK(largest("  f[0] := 1u8;\n", 8) == 1 << 6);
    // The indices fit at no size.
    CHECK(largest("  f[65536*65536*W] := 1u8;\n") == 0);
    CHECK(largest("  f[2147483648] := 1u8;\n") == 0);
}

TEST_CASE("an input is as large as it is asserted to be") {
    const std::string body = "  for y in [0, H) { f[y] := in[in.min.1*in.stride.1]; }\n";
    const auto rows_from = [](const std::string& first) {
        return "  assert in.min <= 0 \"\";\n  assert 4*W - 3 <= in.min + in.extent \"\";\n  assert in.min.1 <= " +
               first + " \"\";\n  assert " + first + " + 1 <= in.min.1 + in.extent.1 \"\";\n";
    };
    CHECK(largest(body, 32, rows_from("0")) == conversion::most_size);
    CHECK(largest(body, 32, rows_from("3")) == conversion::most_size);
    CHECK(largest(body, 32, rows_from("1000")) == 1 << 19);
    CHECK(largest(body, 32, rows_from("H")) == 1 << 14);
    CHECK(largest(body, 32, rows_from("4*H")) == 1 << 13);
    CHECK(largest(body, 32, rows_from("65536*H")) == 1 << 6);
    // An input that is read, but has no asserted bounds, makes the size unknown; an input that is not read does not
    // matter.
    CHECK(largest(body, 32, "") == 0);
    CHECK(largest("  f[0] := 1u8;\n", 32, "") == conversion::most_size);
}

TEST_CASE("every place where an index is computed counts, and a prophecy does not") {
    const std::int64_t most = 1 << 10;
    for (const std::string body : {
             "  let t = W*W*W;\n",
             "  let v : u8 = u8<W*W*W>;\n",
             "  let t = 0 < W*W*W;\n",
             "  for x in [0, W*W*W) { skip; }\n",
             "  for x in [W*W*W, 3) { skip; }\n",
             "  if W*W*W < 3 { skip; }\n",
             "  if W < 3 { skip; } else { let t = W*W*W; }\n",
             "  assert W*W*W < 3 \"m\";\n",
             "  allocate a : u8[W, W, W];\n",
             "  allocate a : u8[W] if 3 < W*W*W;\n",
             "  lanes l < 4 do f[W*W*W] := 1u8;\n",
             "  lanes l < 4 do if l < W*W*W do f[l] := 1u8;\n",
             "  f[0] := in[W*W*W];\n",
             "  f[0] := in[0] ? (W*W*W < 3);\n",
             "  f[0] := in[select(0 < W, 1, W*W*W)];\n",
             "  f[0] := in[let t = W*W*W in 0];\n",
             "  f[0] := sum lanes l < 4 of (in[W*W*W]);\n",
             "  atomic { let t = W*W*W; }\n",
             "  fork { let t = W*W*W; } and { skip; }\n",
             "  for W in [0, W) { skip; }\n  let t = W*W*W;\n",
         }) {
        INFO(body);
        CHECK(largest(body) == most);
    }
    CHECK(largest("  f[0] {f(W*W*W, 0)} := 1u8;\n") == conversion::most_size);
}

TEST_CASE("a loop ends one further than it runs, and one that never runs does nothing") {
    // The last iteration is at 126, the end at 127; one more would be 128.
    CHECK(largest("  for x in [0, 127) { skip; }\n", 8) == 64);
    CHECK(largest("  for x in [0, 128) { skip; }\n", 8) == 0);
    CHECK(largest("  for x in [1, 128) { skip; }\n", 8) == 0);
    CHECK(largest("  for x in [0, 0 - W) { let t = W*W*W; }\n") == conversion::most_size);
}

TEST_CASE("an index made of data is what its type can hold") {
    CHECK(largest("  f[int(in[0])*W*W] := 1u8;\n") == 1 << 11);
    CHECK(largest("  f[int(i32(in[0])) + 1] := 1u8;\n") == 0);
    CHECK(largest("  f[int(i32(in[0]))] := 1u8;\n") == conversion::most_size);
    CHECK(largest("  f[int(i64(in[0]))] := 1u8;\n") == 0);
}

TEST_CASE("what values compute of indices alone has to fit where an index is made of it") {
    const std::string lanes = "(max lanes l < 8 of (i32<W + l>))*65536i32";
    CHECK(largest("  let t : i32 = " + lanes + ";\n  for x in [0, int(t)/65536) { skip; }\n") == 1 << 14);
    CHECK(largest("  for x in [0, int(" + lanes + ")/65536) { skip; }\n") == 1 << 14);
    CHECK(largest("  f[0] := select(" + lanes + " < 0i32, 1u8, 2u8);\n") == 1 << 14);
    CHECK(largest("  f[0] := select(i64<W>*i64<W> < 0i64, 1u8, 2u8);\n") == conversion::most_size);
    CHECK(largest("  f[0] := select(i64<W>*i64<W>*i64<W> < 0i64, 1u8, 2u8);\n") == 1 << 20);
    CHECK(largest("  f[0] := u8(i32<W>*i32<W>*i32<W>);\n") == conversion::most_size);
}

TEST_CASE("the variable of fused loops, divided by the extent of one, is below the other's") {
    const std::string rows = "  let n = (W + 7)/8;\n  let m = H;\n";
    CHECK(largest(rows + "  for t in [0, n*m) { f[t/n*f.stride.1] := 1u8; }\n") == 1 << 15);
    CHECK(largest(rows + "  let all = m*n;\n  for t in [0, all) { f[t/((W + 7)/8)*f.stride.1] := 1u8; }\n") == 1 << 15);
    // Not with another start or another divisor.
    CHECK(largest(rows + "  for t in [1, n*m + 1) { f[t/n*f.stride.1] := 1u8; }\n") == 1 << 11);
    CHECK(largest(rows + "  for t in [0, n*m) { f[t/W*f.stride.1] := 1u8; }\n") == 1 << 11);
    // This let is out of scope.
    CHECK(largest("  if W < 1 { let n = H; }\n"
                  "  for n in [0, W) { for t in [0, H*W) { f[t/n*f.stride.1] := 1u8; } }\n") == 1 << 10);
}

namespace {

// The values of a lowered program's parameters at the case's sizes, with dense rows; nullopt if an input has no region.
std::optional<Sizes> dense_parameters(const cases::Case& c, const sched::Program& program,
                                      const std::vector<compiler::InputRegion>& regions) {
    Sizes values = c.sizes;
    const auto bind = [&](const sched::Expr& expr, std::int64_t n) {
        if (const auto* name = std::get_if<sched::Variable>(&expr.node)) { values[name->name] = n; }
    };
    for (const sched::Array& array : program.arrays) {
        std::vector<std::int64_t> min, extent;
        if (array.role == sched::Role::input) {
            const auto region = std::ranges::find(regions, array.tensor, &compiler::InputRegion::input);
            if (region == regions.end()) { return std::nullopt; }
            min = region->min;
            extent = region->extent;
        } else {
            const auto output = std::ranges::find(c.sare.outputs, array.tensor, &sare::Output::tensor);
            for (const sare::Span& span : output->box) {
                min.push_back(sare::evaluate(span.min, c.sizes));
                extent.push_back(sare::evaluate(span.extent, c.sizes));
            }
        }
        std::int64_t stride = 1;
        for (std::size_t d = 0; d < min.size(); ++d) {
            bind(array.dimensions[d].min, min[d]);
            bind(array.dimensions[d].extent, extent[d]);
            if (array.dimensions[d].stride) { bind(*array.dimensions[d].stride, stride); }
            stride *= std::max<std::int64_t>(extent[d], 0);
        }
    }
    return values;
}

}  // namespace

TEST_CASE("what random programs compute of indices stays within the bits that they are said to fit") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    compiler::Request request;
    request.run = false;
    request.lower = true;
    Choices choices(random_source(5));
    int within = 0, beyond = 0;
    for (std::uint64_t index = 0; index < 40; ++index) {
        cases::Case c = random::campaign_case(31, index, {}, compiler::language_of(halide->identity()));
        const auto lowered = last_lowered(server.observe(c, request));
        if (!lowered) { continue; }
        const sched::Program program = sched::without_hiding(lowered->program);
        const int bits = static_cast<int>(choices.integer(8, 10));
        const std::int64_t limit = std::int64_t{1} << (bits - 1);
        const auto largest = largest_fitting_size(c.sare, program, bits);
        // The largest size is unknown.
        if (!largest) { continue; }
        const std::int64_t size = *largest;
        for (int attempt = 0; attempt < 8; ++attempt) {
            // Beyond this size the indices of many programs exceed the bits.
            const bool is_within = attempt % 2 == 0;
            const std::int64_t most = is_within ? size : 2 * size;
            for (auto& [name, n] : c.sizes) { n = choices.integer(std::min<std::int64_t>(most, 1), most); }
            if (!sare::evaluate(c.sare.assumptions, c.sizes)) { continue; }
            const auto parameters = dense_parameters(c, program, server.observe(c, request).input_regions);
            if (!parameters) { continue; }
            test::IndexMachine machine(*parameters);
            machine.run(program.body);
            const bool fits = -limit <= machine.least() && machine.greatest() < limit;
            INFO("case " << index << ", " << bits << " bits, size " << size << " of " << most << ": from "
                         << machine.least() << " to " << machine.greatest());
            CHECK((fits || !is_within));
            within += is_within ? 1 : 0;
            beyond += is_within || fits ? 0 : 1;
        }
    }
    INFO(within << " runs within the size, " << beyond << " beyond it that do not fit");
    CHECK(within >= 20);
    CHECK(beyond >= 3);
}

TEST_CASE("of one value of each parameter it is said whether the indices fit there") {
    const auto program = sched::parse_program(
        "sched p(W, f.min, f.extent, f.stride) {\n  output f : u8[f.extent from f.min stride f.stride];\n"
        "  for x in [0, W) { f[x*f.stride] := 1u8; }\n}\n",
        "test");
    if (!program) { FAIL(to_string(program.error())); }
    const auto at = [&](std::int64_t stride) {
        return index_fit(*program, {{"W", 1 << 15}, {"f.min", 0}, {"f.extent", 1 << 15}, {"f.stride", stride}});
    };
    CHECK(to_string(at(1 << 16)) == "fit 32 bits at these sizes");
    CHECK(to_string(at(1 << 17)) == "are not known to fit 32 bits at these sizes");
}

}  // namespace haruspex::pipeline
