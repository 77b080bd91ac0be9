#include <algorithm>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex tensor`, and programs of whole tensors in the place of SAREs.
namespace {

using namespace command_line;

constexpr const char* matmul =
    "// N rows, M columns\n"
    "program matmul(N, M) assuming N >= 1 and M >= 1\n"
    "var input A : i32[N M]\n"
    "var input B : i32[M N]\n"
    "var output C : i32[N N]\n"
    "C = (A # B) . [2 3]\n";

// A folder with the program p.tensor.
class Folder : public WorkingFolder {
public:
    Folder(const std::string& program = matmul) { write(*this / "p.tensor", program); }
};

}  // namespace

TEST_CASE("a program of whole tensors is evaluated on random inputs") {
    const Folder folder;
    const Ran ran = folder.run("tensor p.tensor --size N=2,M=3");
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    // The inputs are those of the published hash, the output their product.
    CHECK(ran.out ==
          "tensor  role    type      at these sizes\n"
          "A       input   i32[N M]  i32[2 3]\n"
          "B       input   i32[M N]  i32[3 2]\n"
          "C       output  i32[N N]  i32[2 2]\n"
          "\n"
          "input A : i32[2 3]\n"
          "  9 6 1\n"
          "  2 0 6\n"
          "\n"
          "input B : i32[3 2]\n"
          "  -2  6\n"
          "   6  0\n"
          "   0  0\n"
          "\n"
          "output C : i32[2 2]\n"
          "  18 54\n"
          "  -4 12\n");
    CHECK(folder.run("tensor - --size N=2,M=3 < p.tensor").out == ran.out);
    CHECK(folder.run("tensor p.tensor --size N=2,M=3 --seed 0").out == ran.out);
    CHECK(folder.run("tensor p.tensor --size N=2,M=3 --seed 1").out != ran.out);
}

TEST_CASE("a program of whole tensors is evaluated with padding, which is marked") {
    const Folder folder;
    const Ran ran = folder.run("tensor p.tensor --size N=2,M=3 --pad 4");
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out ==
          "tensor  role    type      at these sizes  padded\n"
          "A       input   i32[N M]  i32[2 3]        i32[4 4]\n"
          "B       input   i32[M N]  i32[3 2]        i32[4 4]\n"
          "C       output  i32[N N]  i32[2 2]        i32[4 4]\n"
          "\n"
          "input A : i32[2 3] in i32[4 4]\n"
          "  9 6 1 | 0\n"
          "  2 0 6 | 0\n"
          "  ------+--\n"
          "  0 0 0 | 0\n"
          "  0 0 0 | 0\n"
          "\n"
          "input B : i32[3 2] in i32[4 4]\n"
          "  -2  6 |  0  0\n"
          "   6  0 |  0  0\n"
          "   0  0 |  0  0\n"
          "  ------+------\n"
          "   0  0 |  0  0\n"
          "\n"
          "output C : i32[2 2] in i32[4 4]\n"
          "  18 54 |  0  0\n"
          "  -4 12 |  0  0\n"
          "  ------+------\n"
          "   0  0 |  0  0\n"
          "   0  0 |  0  0\n"
          "\n"
          "exact and padded evaluation agree on the original extents\n");
}

TEST_CASE("an output that depends on padding is a finding, with the first cell that differs") {
    const Folder folder;
    const Ran uninit = folder.run("tensor p.tensor --size N=2,M=3 --pad 4 --fill uninit");
    CHECK(uninit.exit_code == 1);
    CHECK(uninit.out.ends_with("\nexact and padded evaluation differ: C(0, 0) is 18, padded uninit\n"));
    const Ran noise = folder.run("tensor p.tensor --size N=2,M=3 --pad 4 --fill noise");
    CHECK(noise.exit_code == 1);
    CHECK(noise.out.find("\nexact and padded evaluation differ: C(0, 0) is 18, padded ") != std::string::npos);
    // The extent that is summed over is a multiple already.
    for (const std::string filling : {"zero", "uninit", "noise"}) {
        CHECK(folder.run("tensor p.tensor --size N=3,M=4 --pad 4 --fill " + filling).exit_code == 0);
    }
}

TEST_CASE("variables without qualifiers are inputs if they are read first, and divisions by zero have no value") {
    const Folder folder("var v : i32[3]\nvar w : i32[3]\nw = v / (v - v)\n");
    const Ran ran = folder.run("tensor p.tensor");
    CHECK(ran.exit_code == 0);
    // The quotient of zeros is zero.
    CHECK(ran.out ==
          "tensor  role    type\n"
          "v       input   i32[3]\n"
          "w       output  i32[3]\n"
          "\n"
          "input v : i32[3]\n"
          "   0 -4 -4\n"
          "\n"
          "output w : i32[3]\n"
          "      0 undef undef\n");
}

TEST_CASE("a program of whole tensors that is malformed, or has no such size, is refused where that shows") {
    const Folder folder;
    CHECK(folder.refused("tensor p.tensor") ==
          "haruspex: p.tensor:2:16: no size for parameters N and M; add --size N=N,M=N\n"
          "  program matmul(N, M) assuming N >= 1 and M >= 1\n"
          "                 ^\n");
    CHECK(folder.refused("tensor p.tensor --size N=2,M=3,K=4").find("p.tensor has no parameter K") !=
          std::string::npos);
    CHECK(folder.refused("tensor p.tensor --size N=2,M=0").find("it assumes") != std::string::npos);
    CHECK(folder.refused("tensor missing.tensor").find("missing.tensor") != std::string::npos);
    write(folder / "bad.tensor", "var A : i32[2 3]\nvar B : i32[2 3]\nB = A ^ [1 2]\n");
    CHECK(folder.refused("tensor bad.tensor").starts_with("haruspex: bad.tensor:3:1: "));
    CHECK(folder.refused("run bad.tensor").starts_with("haruspex: bad.tensor:3:1: "));
    // Only the translation needs to know what is read.
    write(folder / "read.tensor", "var input A : i32[2]\nvar B : i32[2]\nvar output C : i32[2]\nC = A + B\n");
    CHECK(folder.run("tensor read.tensor").exit_code == 0);
    CHECK(folder.refused("tensor read.tensor --as sare").starts_with("haruspex: read.tensor:2:5: "));
    CHECK(folder.refused("tensor p.tensor --as sare --pad 4").starts_with("haruspex: --as sare: "));
    CHECK_FALSE(folder.refused("tensor p.tensor --size N=2,M=3 --fill noise").empty());
    CHECK_FALSE(folder.refused("tensor p.tensor --size N=2,M=3 --schedule s").empty());
}

TEST_CASE("a program of whole tensors is compiled and judged as its translation is") {
    const Folder folder;
    write(folder / "p.schedule", "C.vectorize(i1, 4)\n");
    CHECK(folder.run("tensor p.tensor --as sare > p.sare").exit_code == 0);
    const std::string options = " --size N=6,M=5 --seed 3";
    const Ran ran = folder.run("run p.tensor p.schedule" + options);
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.starts_with("class     agrees\n"));
    CHECK(ran.out == folder.run("run p.sare p.schedule" + options).out);
    for (const std::string form : {"sare", "json"}) {
        const std::string rest = " p.schedule" + options + " --as " + form;
        CHECK(folder.run("show p.tensor" + rest).out == folder.run("show p.sare" + rest).out);
    }
    const Ran both = folder.run("tensor p.tensor --run --schedule p.schedule" + options);
    CHECK(both.exit_code == 0);
    CHECK(both.out == folder.run("tensor p.tensor" + options).out + "\n" + ran.out);
    CHECK(folder.run("tensor - --run --schedule p.schedule" + options + " < p.tensor").out == both.out);
    // Whatever the compiler makes of the program, padding with noise changes it.
    CHECK(folder.run("tensor p.tensor --run --pad 4 --fill noise" + options).exit_code == 1);
    CHECK(folder.refused("run p.tensor p.schedule").starts_with("haruspex: p.tensor:2:16: no size"));
}

TEST_CASE("campaigns of programs of whole tensors are drawn, judged and resumed as such") {
    const Folder folder;
    const Ran tensors = folder.run("generate --programs tensor --seed 7 --count 5");
    CHECK(tensors.exit_code == 0);
    CHECK(std::ranges::count(tensors.out, '\n') == 5);
    CHECK(tensors.out != folder.run("generate --seed 7 --count 5").out);
    CHECK(folder.run("generate --programs affine --seed 7 --count 5").out ==
          folder.run("generate --seed 7 --count 5").out);
    CHECK_FALSE(folder.refused("generate --programs other --seed 7").empty());
    const std::string campaign = "fuzz --out c --triage-runs 0 --list";
    CHECK(folder.run(campaign + " --programs tensor --seed 7 --cases 5").exit_code <= 1);
    CHECK(folder.refused(campaign + " --programs affine --cases 6").find("a campaign with other programs") !=
          std::string::npos);
    CHECK(folder.run(campaign + " --cases 6").exit_code <= 1);
    const std::string sixth = folder.run("generate --programs tensor --seed 7 --first 5").out;
    CHECK(folder.run("generate --programs tensor --seed 7 --count 6").out == tensors.out + sixth);
}

TEST_CASE("a finding of a program of whole tensors is minimised to one, in which its issue shows it") {
    const Folder folder(
        "program chain(N, M) assuming N >= 1 and M >= 1\n"
        "var input A : i32[N M]\n"
        "var input B : i32[M N]\n"
        "var input s : i32[]\n"
        "var C : i32[N N]\n"
        "var output D : i32[N N]\n"
        "C = (A # B) . [2 3]\n"
        "D = s * (C - (C ^ [1 2])) + C\n");
    write(folder / "p.schedule",
          "C.compute_root()\nC.update(0).vectorize(i1, 4, RoundUp)\nD.unroll(i2, 2, GuardWithIf)\n");
    const std::string mutant = " --mutant last_lane_repeats";
    const Ran ran = folder.run("minimize p.tensor p.schedule --size N=9,M=5 -o small --jobs 2" + mutant);
    INFO(ran.out << ran.err);
    REQUIRE(ran.exit_code == 1);
    const Ran shown = folder.run("show small --as tensor");
    CHECK(shown.exit_code == 0);
    CHECK(shown.out.starts_with("program "));
    CHECK(std::ranges::count(shown.out, '\n') < 8);
    CHECK(content_of(folder / "small/program.tensor") == shown.out);
    // It is read, and evaluated, as any other.
    CHECK(folder.run("tensor small/program.tensor --size N=9,M=5 --as sare").out.starts_with("sare "));
    CHECK(folder.run("file small --to issues" + mutant).exit_code == 0);
    CHECK(shell(folder, "grep -c 'Over whole tensors' " + (folder / "issues") + "/*/report.md").out == "1\n");
    // What is no such program says why.
    write(folder / "other.sare", "sare s(N) assuming N >= 1 { f(x) = 1i32 output f on { [x] : 0 <= x < N } }\n");
    CHECK(folder.refused("show other.sare --size N=4 --as tensor").find("not a program of whole tensors") !=
          std::string::npos);
}
