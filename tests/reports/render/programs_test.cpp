#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "generators/base/sizes.h"
#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "harness/halide/halide_compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "reports/render/evidence.h"
#include "reports/render/report.h"
#include "tests/reports/render/program_text.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

using namespace haruspex;

// Compiles and runs the programs written for maintainers, with the installed Halide and nothing else.
namespace {

namespace fs = std::filesystem;

cases::Case make(const std::string& sare, const std::string& schedule, const Sizes& sizes) {
    cases::Case c;
    auto parsed = sare::parse_sare(sare, "test");
    INFO((parsed ? std::string() : to_string(parsed.error())));
    REQUIRE(parsed.has_value());
    c.sare = *parsed;
    auto directives = schedule::language("halide").parse(schedule, "test");
    INFO((directives ? std::string() : to_string(directives.error())));
    REQUIRE(directives.has_value());
    c.schedule = *directives;
    c.sizes = sizes;
    c.input_seed = 0xfedcba9876543210U;
    for (const sare::Input& input : c.sare.inputs) {
        const bool is_float = value::is_float(input.type);
        c.inputs[input.name] = {is_float                               ? value::Range{input.type, -9, 9, 2}
                                : value::is_signed_integer(input.type) ? value::Range{input.type, -50, 50, 0}
                                                                       : value::Range{input.type, 0, 1, 0},
                                false};
    }
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

// A verdict with a difference at the last cell of the last output; `expected` is the reference's value.
verdict::Verdict claim(const cases::Case& c) {
    const auto outputs = interp::evaluate_outputs(c.sare, c.sizes, [&](const auto& name, const auto& indices) {
        return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
    });
    REQUIRE(outputs.has_value());
    const interp::OutputValues& output = outputs->back();
    REQUIRE(!output.cells.empty());
    verdict::Difference difference{output.tensor, output.component, {}, output.cells.back(), output.cells.back(), 1, 1};
    for (std::size_t d = 0; d < output.min.size(); ++d) {
        difference.cell.push_back(output.min[d] + output.extent[d] - 1);
    }
    verdict::Verdict claimed;
    claimed.cls = verdict::Class::wrong_result;
    claimed.message = "claimed by a test";
    claimed.difference = difference;
    return claimed;
}

struct Ran {
    int exit_code = -1;
    std::string output;
};

Ran compile_and_run(const std::string& program) {
    std::string folder = (fs::temp_directory_path() / "haruspex-render-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const fs::path source = fs::path(folder) / "repro.cpp";
    std::ofstream(source) << program;
    const std::string binary = (fs::path(folder) / "repro").string();
    const std::string output = (fs::path(folder) / "output").string();
    const std::string command = std::string(HARUSPEX_CXX) + " -std=c++17 -O0 " + source.string() + " -o " + binary +
                                " " + HARUSPEX_HALIDE_INCLUDES + " " + HARUSPEX_HALIDE_LIBRARY + " -Wl,-rpath," +
                                fs::path(HARUSPEX_HALIDE_LIBRARY).parent_path().string() + " > " + output +
                                " 2>&1 && " + binary + " > " + output + " 2>&1";
    const int status = std::system(command.c_str());
    Ran ran;
    ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::ifstream stream(output);
    ran.output.assign(std::istreambuf_iterator<char>(stream), {});
    fs::remove_all(folder);
    return ran;
}

// Checks that a case's program computes the reference's values, and detects a wrong value.
void check_agreement(const cases::Case& c) {
    const auto program = program_text(c, claim(c), halide::build_flags());
    INFO((program ? *program : to_string(program.error())));
    REQUIRE(program.has_value());
    const Ran ran = compile_and_run(*program);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
}

}  // namespace

TEST_CASE("a program with names of C++ and Halide, equal recurrence variables, and every kind of directive agrees") {
    check_agreement(
        make("sare names(W, H, new, select_) assuming W >= 16 and H >= 8 and new >= 1 and select_ >= 1 {\n"
             "  input in : i32[2]\n"
             "  Func(x, y) = in(x - 1, y) + in(x, y) * 3i32\n"
             "  int(x, y) = Func(x, y)\n"
             "  update int(x, y) = int(x, y) + Func(x + k, y) over k in [0, 5) where k <= x\n"
             "  double(x) = i64<x>\n"
             "  update double(x) = double(x) + i64(int(x, k)) over k in [0, H - 1)\n"
             "  update double(2*k) = double(k) - 1i64 over k in [0, 3)\n"
             "  fill(x, y) = {int(x, y) - int(y, 3), double(x + y) * 2i64}\n"
             "  output fill on { [x, y] : 2 <= x < W and 0 <= y < H }\n"
             "}\n",
             "int.compute_root()\n"
             "int.update(0).split(x, xo, xi, 4, GuardWithIf)\n"
             "int.update(0).reorder(xi, k, xo, y)\n"
             "Func.compute_at(int, y)\n"
             "Func.store_root()\n"
             "Func.align_storage(x, 8)\n"
             "Func.prefetch(in, x, y, 2, NonFaulting)\n"
             "int.update(0).prefetch(Func, k, k, 1, Clamp)\n"
             "double.compute_root()\n"
             "double.update(0).rfactor(k, u, partial)\n"
             "partial.compute_root()\n"
             "partial.update(0).vectorize(u, 4)\n"
             "fill.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)\n"
             "fill.vectorize(xi)\n"
             "fill.parallel(yo)\n"
             "fill.specialize(W >= 64)\n"
             "fill.specialize[0].unroll(yi)\n"
             "fill.reorder_storage(y, x)\n",
             {{"W", 19}, {"H", 9}, {"new", 1}, {"select_", 1}}));
}

TEST_CASE("a program of floats with special values, strict, with reductions, agrees") {
    cases::Case c = make(
        "sare floats(W) assuming W >= 4 {\n"
        "  input a : f32[1]\n"
        "  input b : f64[0]\n"
        "  input m : bool[1]\n"
        "  f(x) = sum over { [k, l] : 0 <= k < 3 and 0 <= l <= k } of (a(x + k) * f32<l - 1>)\n"
        "  g(x) = select(m(x) && [x % 3 != 1], f64(f(x)) + b(), f64(a(-x)))\n"
        "  output f on { [x] : 0 <= x < W }\n"
        "  output g on { [x] : 0 <= x < W }\n"
        "}\n",
        "f.split(x, xo, xi, 4, GuardWithIf)\nf.vectorize(xi)\ng.unroll(x, 2, GuardWithIf)\n", {{"W", 10}});
    c.strict_float = true;
    c.inputs.at("a").special_values = true;
    check_agreement(c);
}

TEST_CASE("every type's literals and inputs survive the way through C++") {
    std::string text = "sare literals() {\n";
    std::string sum = "0i32";
    for (const value::Type type : schedule::halide::language().types()) {
        const std::string name(value::name(type));
        const value::Value largest =
            value::is_float(type) ? value::Value::f64(0.1)
            : type == value::Type::boolean
                ? value::Value::boolean(true)
                : value::Value::from_bits(type, static_cast<std::uint64_t>(value::full_range(type).high));
        const value::Value smallest =
            value::is_float(type) ? value::Value::f64(-3.0e38)
            : type == value::Type::boolean
                ? value::Value::boolean(false)
                : value::Value::from_bits(type, static_cast<std::uint64_t>(value::full_range(type).low));
        text += "  input in_" + name + " : " + name + "[1]\n";
        text += "  f_" + name + "(x) = {select(in_" + name + "(x) != in_" + name + "(x + 1), " +
                value::to_string(value::cast(type, largest)) + ", " + value::to_string(value::cast(type, smallest)) +
                "), in_" + name + "(x - 5)}\n";
        sum += " ^ i32(f_" + name + "(x)[0] == f_" + name + "(x + 1)[0]) << " + std::to_string(static_cast<int>(type)) +
               "i32";
        sum += " ^ i32(f_" + name + "(x)[1] == f_" + name + "(x + 1)[1]) << " +
               std::to_string(static_cast<int>(type) + 11) + "i32";
    }
    text += "  all(x) = " + sum + "\n  output all on { [x] : 0 <= x < 6 }\n}\n";
    check_agreement(make(text, "", {}));
}

TEST_CASE("a program returns 1 while the cell differs, and says both values") {
    const cases::Case c = make("sare s() {\n  f(x) = i32<x> * 2i32\n  output f on { [x] : 0 <= x < 5 }\n}\n", "", {});
    verdict::Verdict v = claim(c);
    v.difference->expected = value::Value::integer(value::Type::i32, 9);
    const auto program = program_text(c, v, halide::build_flags());
    REQUIRE(program.has_value());
    const Ran ran = compile_and_run(*program);
    CHECK(ran.exit_code == 1);
    CHECK(ran.output == "f(4) is 8, expected 9\n");
}

namespace {

// Pretends that a healthy case with an input is a finding of the class.
verdict::Verdict pretended(verdict::Class cls, const cases::Case& c, const std::string& lowered = "") {
    verdict::Verdict v = claim(c);
    v.cls = cls;
    v.lowered = a_lowered(lowered);
    if (cls != verdict::Class::nondeterminism) { v.difference.reset(); }
    return v;
}

cases::Case healthy() {
    return make(
        "sare s(W) assuming W >= 4 {\n  input in : i32[2]\n  input unread : f32[1]\n"
        "  f(x, y) = {in(x, y + 1) + 1i32, i8<x>}\n  output f on { [x, y] : 2 <= x < W and 0 <= y < 3 }\n}\n",
        "f.parallel(y)\n", {{"W", 9}});
}

}  // namespace

TEST_CASE("a program whose bug is gone returns 0, by whatever the bug would have shown") {
    // g, computed at root, makes the program allocate memory.
    const cases::Case c = make(
        "sare s(W) assuming W >= 4 {\n  input in : i32[2]\n  input unread : f32[1]\n"
        "  g(x, y) = in(x, y + 1) + 1i32\n  f(x, y) = {g(x, y), i8<x>}\n"
        "  output f on { [x, y] : 2 <= x < W and 0 <= y < 3 }\n}\n",
        "f.parallel(y)\ng.compute_root()\n", {{"W", 9}});
    using verdict::Class;
    verdict::Verdict of_heap = pretended(Class::stray_write, c);
    of_heap.is_heap_write = true;
    for (const verdict::Verdict& v :
         {pretended(Class::nondeterminism, c), pretended(Class::stray_write, c), of_heap,
          pretended(Class::program_crash, c), pretended(Class::program_hang, c),
          pretended(Class::compiler_out_of_memory, c),
          pretended(Class::latent_bug, c, "read_write_race: reads f[0], which another thread writes")}) {
        INFO(verdict::name(v.cls));
        const auto program = program_text(c, v, halide::build_flags());
        REQUIRE(program.has_value());
        INFO(*program);
        const Ran ran = compile_and_run(*program);
        INFO(ran.output);
        CHECK(ran.exit_code == 0);
    }
}

TEST_CASE("a program that watches for a crash returns 0 when the pipeline refuses to run") {
    const cases::Case c = make("sare s(W) assuming W >= 4 {\n  f(x) = i32<x>\n  output f on { [x] : 0 <= x < W }\n}\n",
                               "f.split(x, xo, xi, 8, RoundUp)\n", {{"W", 9}});
    const auto program = program_text(c, pretended(verdict::Class::program_crash, c), halide::build_flags());
    REQUIRE(program.has_value());
    INFO(*program);
    const Ran ran = compile_and_run(*program);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(ran.output.find("is accessed at 15") != std::string::npos);
}

TEST_CASE("a program returns 1 when what it watches happens") {
    struct Happening {
        verdict::Class cls;
        std::string before, statement;  // the statement is put before this text of the program
        bool is_heap_write = false;
    };
    const cases::Case c = healthy();
    for (const auto& [cls, before, statement, is_heap_write] : std::vector<Happening>{
             {verdict::Class::stray_write, "f_out0.fill(1)", "f_all(1, 0) = 2; "},
             {verdict::Class::stray_write, "f.realize(",
              "char* p = (char*)allocate(nullptr, 40); p[40] = 1; release(nullptr, p); ", true},
             {verdict::Class::stray_write, "f.realize(",
              "char* p = (char*)allocate(nullptr, 40); p[-1] = 1; release(nullptr, p); ", true},
             {verdict::Class::nondeterminism, "found[run] =", "f_out1(8, 2) = garbage; "},
             {verdict::Class::latent_bug, "std::string now", "f_out1(8, 2) = run == 300; "},
             {verdict::Class::program_crash, "f.realize(", "((int32_t*)f_out0_guarded.data())[21] = 1; "},
             {verdict::Class::compiler_crash, "f.compile_jit(", "abort(); "},
             {verdict::Class::compiler_hang, "f.compile_jit(", "alarm(1); for (;;) { pause(); } "},
             {verdict::Class::compiler_out_of_memory, "f.compile_jit(", "memset(new char[3ul << 30], 1, 3ul << 30); "},
         }) {
        INFO(verdict::name(cls));
        verdict::Verdict v = pretended(cls, c);
        v.is_heap_write = is_heap_write;
        auto program = program_text(c, v, halide::build_flags());
        REQUIRE(program.has_value());
        const std::size_t place = program->find(before);
        REQUIRE(place != std::string::npos);
        program->insert(place, statement);
        INFO(*program);
        const Ran ran = compile_and_run(*program);
        INFO(ran.output);
        CHECK(ran.exit_code == 1);
        CHECK(ran.output.find("expected") != std::string::npos);
    }
}

TEST_CASE("what no run shows is told by the statement that is generated from") {
    const cases::Case c = make(
        "sare s(W) assuming W >= 4 {\n  input in : i32[1]\n  g(x) = in(x) + in(x + 1)\n"
        "  f(x) = g(x) * g(x + 2)\n  output f on { [x] : 0 <= x < W }\n}\n",
        "f.split(x, xo, xi, 8, GuardWithIf)\nf.vectorize(xi, 4)\ng.compute_at(f, xo)\n", {{"W", 9}});
    const verdict::Verdict v =
        pretended(verdict::Class::latent_bug, c, "read_write_race: reads g[0], which another thread writes");
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, {});
    const render::Evidence evidence = render::gather(c, v, server);
    REQUIRE(evidence.statement.find("produce f") != std::string::npos);
    std::string other = evidence.statement;
    other.replace(other.find("produce f"), 9, "produce h");
    for (const auto& [statement, code] : {std::pair(evidence.statement, 1), std::pair(other, 0)}) {
        const auto program = program_text(c, v, halide::build_flags(), statement);
        REQUIRE(program.has_value());
        INFO(*program);
        const Ran ran = compile_and_run(*program);
        INFO(ran.output);
        CHECK(ran.exit_code == code);
        CHECK(ran.output.find("produce f") != std::string::npos);
    }
    const auto report = render::report(c, v, evidence, {compiler->identity(), "package", ""});
    REQUIRE(report.has_value());
    const std::string& text = report->files.at("report.md");
    const auto first = text.find("No run shows this");
    CHECK(first == text.find("\n\n") + 2);
}

TEST_CASE("an input that is constant is filled with its value") {
    cases::Case c = make(
        "sare s() {\n  input a : i8[1]\n  input b : f64[1]\n  f(x) = f64(a(x)) + b(x)\n"
        "  output f on { [x] : 0 <= x < 3 }\n}\n",
        "", {});
    c.inputs.at("a").range.low = c.inputs.at("a").range.high = -7;
    c.inputs.at("b").range.low = c.inputs.at("b").range.high = 5;
    check_agreement(c);
}

TEST_CASE("without a verdict a program prints a checksum") {
    const auto program = program_text(random::campaign_case(7, 1, {}, schedule::halide::language(14)), std::nullopt,
                                      halide::build_flags());
    REQUIRE(program.has_value());
    const Ran ran = compile_and_run(*program);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(ran.output.starts_with("checksum "));
}
