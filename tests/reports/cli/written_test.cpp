#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// A program and a schedule as text, given instead of a case.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

constexpr const char* program =
    "# comment\n"
    "sare p(W, H) assuming W >= 4 and H >= 1 {\n"
    "  input a : i32[2]\n"
    "  f(x, y) = a(x, y) + a(x + 1, y)\n"
    "  g(x, y) = f(x, y) * f(x, y + 1)\n"
    "  output g on { [x, y] : 0 <= x < W and 0 <= y < H }\n"
    "}\n";
constexpr const char* schedule =
    "# g in vectors\n"
    "g.vectorize(x, 4, GuardWithIf)   # of four\n"
    "\n"
    "f.compute_at(g, y)\n";

// A folder with both files.
class Pair : public WorkingFolder {
public:
    Pair(const std::string& sare = program, const std::string& halide = schedule) {
        write(*this / "p.sare", sare);
        write(*this / "p.halide", halide);
    }
};

}  // namespace

TEST_CASE("a program and a schedule as text are compiled, run and judged") {
    const Pair pair;
    const Ran ran = pair.run("run p.sare p.halide --size W=10,H=3");
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.starts_with("class     agrees\n"));
    // --size may be given once or repeatedly, before or after the files.
    for (const std::string arguments :
         {"p.sare p.halide --size W=10 --size H=3", "--size W=10 p.sare --size=H=3 p.halide", "p.sare --size H=3,W=10",
          "- p.halide --size W=10,H=3 < p.sare", "p.sare - --size W=10,H=3 < p.halide",
          "p.sare p.halide --size W=10,H=3 --seed 9 --target x86-64-linux --strict-float"}) {
        INFO(arguments);
        const Ran same = pair.run("run " + arguments);
        INFO(same.err);
        CHECK(same.exit_code == 0);
        CHECK(same.out == ran.out);
    }
    const Ran validated = pair.run("run p.sare p.halide --size W=10,H=3 --validate --trace-passes");
    CHECK(validated.exit_code == 0);
    CHECK(validated.out.find("all sizes validated for all sizes") != std::string::npos);
    CHECK(validated.out.find("no pass is known to be wrong") != std::string::npos);
}

TEST_CASE("a program and a schedule as text are shown as the case that they make") {
    const Pair pair;
    const auto shown = [&](const std::string& form) {
        return pair.run("show p.sare p.halide --size W=10,H=3 --seed 5 --as " + form).out;
    };
    const auto json = nlohmann::json::parse(shown("json"));
    CHECK(json["sizes"] == nlohmann::json{{"W", 10}, {"H", 3}});
    CHECK(json["input_seed"] == 5);
    CHECK(json["comparison"] == "exact");
    CHECK(json["schedule"].size() == 2);
    CHECK(json["inputs"]["a"]["max"] == 60);
    CHECK(shown("json") == shown("json"));
    CHECK(shown("schedule") == "g.vectorize(x, 4, GuardWithIf)\nf.compute_at(g, y)\n");
    CHECK(shown("program").find("g.vectorize(x, 4, TailStrategy::GuardWithIf)") != std::string::npos);
    // The case that is shown is the case that is run.
    write(pair / "case.json", shown("json"));
    CHECK(pair.run("run case.json --json").out == pair.run("run p.sare p.halide --size W=10,H=3 --seed 5 --json").out);
}

TEST_CASE("a finding of a program as text is minimised") {
    // Halide 14 and 19 crash on it. If a later version does not, there is nothing to minimise.
    const Scratch scratch;
    const std::string bug =
        std::string(HARUSPEX_SOURCE_DIR) + "/corpus/regress/open/min-accumulation-trimmed/case.json";
    for (const std::string form : {"sare", "schedule"}) {
        shell(scratch, haruspex + " show " + bug + " --as " + form + " > " + (scratch / "p.") + form);
    }
    const auto json = nlohmann::json::parse(content_of(bug));
    std::string sizes;
    for (const auto& [name, value] : json["sizes"].items()) { sizes += " --size " + name + "=" + value.dump(); }
    const std::string pair = (scratch / "p.sare") + " " + (scratch / "p.schedule") + sizes;
    const int expected = shell(scratch, haruspex + " run " + pair).exit_code;
    const Ran ran = shell(scratch, haruspex + " minimize " + pair + " --runs 5");
    CHECK(ran.exit_code == expected);
    CHECK(fs::exists(scratch / "minimized/verdict.json") == (expected == 1));
}

TEST_CASE("a program whose floats are rounded says that it is not compared, unless they are strict") {
    const Pair pair(
        "sare p(W) assuming W >= 1 {\n  input a : f32[1]\n  f(x) = a(x) / 3\n  output f on { [x] : 0 <= x < W }\n}\n",
        "f.vectorize(x, 4)\n");
    CHECK(pair.run("run p.sare p.halide --size W=8").out.starts_with("class     not_compared\n"));
    CHECK(pair.run("run p.sare p.halide --size W=8 --strict-float").out.starts_with("class     agrees\n"));
}

TEST_CASE("sizes that do not fit the program are refused where it has the parameters") {
    const Pair pair;
    const std::string line = "\n  sare p(W, H) assuming W >= 4 and H >= 1 {\n";
    for (const std::string command : {"run p.sare p.halide", "show p.sare", "minimize p.sare p.halide",
                                      "run --validate p.sare", "run --trace-passes p.sare"}) {
        INFO(command);
        CHECK(pair.refused(command) ==
              "haruspex: p.sare:2:8: no size for parameters W and H; add --size W=N,H=N" + line + "         ^\n");
        CHECK(pair.refused(command + " --size W=9") ==
              "haruspex: p.sare:2:11: no size for parameter H; add --size H=N" + line + "            ^\n");
        CHECK(pair.refused(command + " --size W=3,H=2") ==
              "haruspex: p.sare:2:14: the program does not allow the sizes W=3, H=2: it assumes W >= 4 and H >= 1" +
                  line + "               ^\n");
        CHECK(pair.refused(command + " --size W=9,K=2") ==
              "haruspex: --size: p.sare has no parameter K; it has W and H\n");
    }
    const auto sizes = [&](const std::string& text) { return pair.refused("run p.sare p.halide --size " + text); };
    CHECK(sizes("W=9,W=9") == "haruspex: --size: two sizes for W\n");
    CHECK(sizes("W=9 --size W=8") == "haruspex: --size: two sizes for W\n");
    for (const std::string text : {"W", "W=", "=9", "W=9x", "W=1e3", "W=99999999999999999999"}) {
        CHECK(sizes(text) == "haruspex: --size: expected a size such as W=16, found \"" + text + "\"\n");
    }
    CHECK(sizes("W=9,,H=2") == "haruspex: --size: expected a size such as W=16, found \"\"\n");
    CHECK(sizes("W=2147483648,H=2") == "haruspex: --size: expected a size of 32 bits, found \"W=2147483648\"\n");
}

TEST_CASE("interpret has the same sizes") {
    const Pair pair("sare p(W, H) {\n  f(x) = u8<x>\n  output f on { [x] : 0 <= x < W }\n}\n");
    write(pair / "p.sched", "sched p(W, H) {\n  output f : u8[W];\n  for x in [0, W) { f[x] {f(x)} := u8<x>; }\n}\n");
    CHECK(pair.run("interpret p.sare p.sched --size W=8,H=1").exit_code == 0);
    CHECK(pair.run("interpret --size W=8 --size H=1 p.sare p.sched").exit_code == 0);
    CHECK(pair.refused("interpret p.sare p.sched") ==
          "haruspex: p.sare:1:8: no size for parameters W and H; add --size W=N,H=N\n  sare p(W, H) {\n         ^\n");
}

TEST_CASE("what is wrong with a program is shown in its file") {
    const std::string sizes = " --size W=9,H=2";
    const auto refused = [&](const std::string& text) {
        const Pair pair("sare p(W, H) {\n" + text + "  output f on { [x] : 0 <= x < W }\n}\n");
        return pair.refused("run p.sare p.halide" + sizes);
    };
    CHECK(refused("  f(x) = 1i32 +\n").starts_with("haruspex: p.sare:3:3: expected "));
    CHECK(refused("  f(x) = 1i32 + b(x)\n") ==
          "haruspex: p.sare:2:17: unknown tensor \"b\"; expected an input or a defined tensor\n    f(x) = 1i32 + "
          "b(x)\n                  ^\n");
    // Systems that are not Halide programs. Uses of "f" in comments and right-hand sides are not its definition.
    CHECK(refused("  # f(x)\n  tensor f : i32[1]\n  e(x) = f(x)\n  f(x) = 1i32 if x < 3\n  f(x) = 2i32 if x >= 3\n")
              .starts_with("haruspex: p.sare:5:3: not a program of the compiler: "));
    CHECK(refused("  tensor f : i32[1]\n  e(x) = f(x)\n  f(x) = e(x - 1) + 1i32\n")
              .starts_with("haruspex: p.sare:4:3: not a program of the compiler: "));
    CHECK(refused("  par(x) = 1i32\n  f(x) = par(x)\n") ==
          "haruspex: p.sare:2:3: par is a word of SCHED, and no name\n    par(x) = 1i32\n    ^\n");
}

TEST_CASE("what is wrong with a schedule is shown in its file") {
    const auto refused = [&](const std::string& text) {
        const Pair pair(program, text);
        const std::string said = pair.refused("run p.sare p.halide --size W=9,H=2");
        CHECK(pair.refused("show p.sare p.halide --size W=9,H=2 --as stmt") == said);
        CHECK(pair.refused("minimize p.sare p.halide --size W=9,H=2") == said);
        return said;
    };
    const std::string place = "haruspex: p.halide:";
    CHECK(refused("g.vectorize(x, 4\n") ==
          place + "1:17: expected \")\" after the last argument, found the end of the line\n  g.vectorize(x, 4\n" +
              std::string(18, ' ') + "^\n");
    CHECK(refused("# nothing\n\n\tg.split(q, a, b, 4)  # no such loop\n").starts_with(place + "3:2: "));
    CHECK(refused("g.parallel(y)\nnosuch.compute_root()\n").starts_with(place + "2:1: "));
    // Errors that depend on earlier directives or the whole schedule are located at the directive that causes them.
    CHECK(refused("f.compute_at(g, y)\ng.vectorize(x, 4)\ng.split(y, yo, yi, 2)\ng.parallel(yo)\n")
              .starts_with(place + "3:1: the schedule names what does not exist: "));
    CHECK(refused("f.compute_at(g, nosuch)\n").starts_with(place + "1:1: the schedule names what does not exist: "));
    CHECK(refused("f.compute_at(g, nosuch)").find("\n  f.compute_at(g, nosuch)\n  ^\n") != std::string::npos);
}

TEST_CASE("files and options that do not go together are refused") {
    const Pair pair;
    const std::string sizes = " --size W=9,H=2";
    CHECK(pair.refused("run p.sare nosuch.halide" + sizes) ==
          "haruspex: cannot open nosuch.halide: No such file or directory\n");
    CHECK(pair.refused("run nosuch.sare p.halide" + sizes) ==
          "haruspex: cannot open nosuch.sare: No such file or directory\n");
    CHECK(pair.refused("run p.halide p.sare" + sizes)
              .starts_with("haruspex: p.halide:2:1: expected \"sare\", found \"g\"\n"));
    CHECK(
        pair.refused("run - -" + sizes).starts_with("haruspex: standard input is either the program or the schedule"));
    CHECK(pair.refused("run p.sare p.halide --target nonsense" + sizes)
              .starts_with("haruspex: p.sare: cannot run what is compiled for nonsense: "));
    CHECK(pair.refused("run p.sare p.halide --target ''" + sizes).starts_with("haruspex: --target: expected a target"));
    CHECK(pair.run("run p.sare p.halide --seed -1" + sizes).exit_code == 2);
    CHECK(pair.run("run p.sare p.halide more" + sizes).exit_code == 2);
    // A case has its own sizes.
    write(pair / "case.json", pair.run("show p.sare" + sizes + " --as json").out);
    for (const std::string option : {"--size W=9", "--seed 1", "--target x86-64-linux", "--strict-float"}) {
        CHECK(pair.refused("run case.json " + option).starts_with("haruspex: case.json: a case has its own sizes"));
    }
}

TEST_CASE("init writes a pair that runs and agrees, with the command that runs it") {
    const Scratch scratch;
    const auto in_folder = [&](const std::string& command) {
        return shell(scratch, "cd " + (scratch / "") + " && " + command);
    };
    for (const std::string folder : {"mine", "deep/er/", "."}) {
        INFO(folder);
        const Ran made = in_folder(haruspex + " init " + folder);
        CHECK(made.exit_code == 0);
        REQUIRE(made.out.starts_with("haruspex run "));
        const Ran ran = in_folder(haruspex + made.out.substr(8, made.out.size() - 9));
        CHECK(ran.exit_code == 0);
        CHECK(ran.out == "class     agrees\nlowered   agrees\n");
    }
    // The program can be proved, and agrees at any sizes within the assumptions.
    for (const std::string sizes : {"W=1,H=1", "W=61,H=13"}) {
        const Ran ran = in_folder(haruspex + " run mine/prog.sare mine/prog.schedule --validate --size " + sizes);
        CHECK(ran.exit_code == 0);
        CHECK(ran.out.find("validated for all sizes") != std::string::npos);
    }
    // Every line that is offered as a comment works when it is enabled.
    for (const auto& [file, line, with] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"prog.sare", "general(x, y) =", "output general on { [x, y] : 0 <= x < W and 0 <= y < H }"},
             {"prog.sare", "edge(x, y) =", "output edge on { [x, y] : 0 <= x < W and 0 <= y < H }"},
             {"prog.sare", "most(y) =", "output most on { [y] : 0 <= y < H }"},
             {"prog.sare", "update total(0) =", ""},
             {"prog.schedule", "across.store_at(", ""},
             {"prog.schedule", "total.update(0).reorder(", ""},
             {"prog.schedule", "blur.specialize(", ""},
             {"prog.schedule", "blur.bound(", ""},
         }) {
        INFO(line);
        std::string text = content_of(scratch / ("mine/" + file));
        const std::size_t at = text.find("# " + line);
        REQUIRE(at != std::string::npos);
        // A remark after a line is separated by at least two spaces.
        const std::size_t remark = text.find("   ", at), end = text.find('\n', at);
        text.replace(at, end - at, text.substr(at + 2, std::min(remark, end) - at - 2) + "\n" + with);
        fs::create_directories(scratch / "tried");
        for (const std::string name : {"prog.sare", "prog.schedule"}) {
            write(scratch / ("tried/" + name), name == file ? text : content_of(scratch / ("mine/" + name)));
        }
        const Ran ran = in_folder(haruspex + " run tried/prog.sare tried/prog.schedule --size W=64,H=32");
        INFO(ran.err);
        INFO(ran.out);
        CHECK(ran.exit_code == 0);
    }
}

TEST_CASE("init overwrites nothing, and leaves nothing half-written") {
    const Scratch scratch;
    const auto init = [&](const std::string& folder) {
        return shell(scratch, haruspex + " init " + (scratch / folder));
    };
    const std::string file = scratch / "mine/prog.schedule";
    fs::create_directory(scratch / "mine");
    write(file, "precious");
    const Ran ran = init("mine");
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err == "haruspex: " + file + " exists already; it is not overwritten\n");
    CHECK(content_of(file) == "precious");
    CHECK_FALSE(fs::exists(scratch / "mine/prog.sare"));
    // A dangling link is not overwritten either.
    fs::create_directory(scratch / "linked");
    fs::create_symlink("nowhere", scratch / "linked/prog.sare");
    CHECK(init("linked").exit_code == 2);
    CHECK_FALSE(fs::exists(scratch / "linked/prog.schedule"));
    write(scratch / "file", "");
    CHECK(init("file").exit_code == 2);
    CHECK(init("file/below").exit_code == 2);
    CHECK(shell(scratch, haruspex + " init /proc/haruspex").exit_code == 2);
    CHECK(shell(scratch, haruspex + " init ''").exit_code == 2);
    CHECK(shell(scratch, haruspex + " init").exit_code == 2);
}
