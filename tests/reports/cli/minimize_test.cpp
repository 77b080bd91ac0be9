#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex minimize`, as a user meets it, on a compiler that is wrong on purpose.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

// Three tensors and five directives; the mutant is wrong if a loop is vectorized.
constexpr const char* large_case = R"json({
  "haruspex_case": 1,
  "sare": [
    "sare large(W, H) assuming W >= 1 and H >= 1 {",
    "  input in : i16[2]",
    "  f(x, y) = in(x - 1, y) + in(x, y + 2)",
    "  g(x, y) = { f(x, y) * 3i16, [x > y] }",
    "  update g(x, y) = { g(x, y)[0] + f(x + k, y), g(x, y)[1] } over k in [0, 3)",
    "  h(x, y) = select(g(x, y)[1], g(x, y)[0], in(x, y))",
    "  output h on { [x, y] : 0 <= x < W and 0 <= y < H }",
    "}"
  ],
  "schedule": [
    "h.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)",
    "h.vectorize(xi)",
    "h.parallel(yo)",
    "g.compute_at(h, yi)",
    "f.compute_root()"
  ],
  "sizes": {"W": 13, "H": 9},
  "inputs": {"in": {"min": -9, "max": 9, "scale": 0, "special_values": false}},
  "input_seed": 5,
  "strict_float": false,
  "comparison": "exact",
  "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"
}
)json";

std::ptrdiff_t lines(const std::string& text) { return std::ranges::count(text, '\n'); }

}  // namespace

TEST_CASE("a mutant's finding is minimised to a finding of its pass, stored like any other") {
    Scratch scratch;
    write(scratch / "case.json", large_case);
    const std::string mutant = " --mutant last_lane_repeats";
    const std::string small = scratch / "small";
    const Ran ran =
        shell(scratch, haruspex + " minimize " + (scratch / "case.json") + " -o " + small + " --jobs 2" + mutant);
    INFO(ran.out);
    REQUIRE(ran.exit_code == 1);
    CHECK(ran.out.find("nothing smaller shows it") != std::string::npos);
    CHECK(ran.out.find("before    3 tensors, 5 directives") != std::string::npos);

    const Json c = Json::parse(content_of(small + "/case.json"));
    CHECK(c.at("schedule").size() == 1);
    CHECK(c.at("sare").size() <= 5);
    CHECK(lines(content_of(small + "/program.txt")) <= 12);
    const Json verdict = Json::parse(content_of(small + "/verdict.json")).at("verdict");
    CHECK(ran.out.find("symptom   wrong_lowering value") != std::string::npos);
    CHECK(verdict.at("pass").get<std::string>().ends_with("vectorize_loops]"));
    CHECK(fs::exists(small + "/reproduce.txt"));

    CHECK(shell(scratch, haruspex + " reproduce " + small + mutant).exit_code == 1);
    // The fault is the mutant's, not the compiler's.
    CHECK(shell(scratch, haruspex + " run " + small).exit_code == 0);
}

TEST_CASE("a budget of runs leaves the smallest case so far") {
    Scratch scratch;
    write(scratch / "case.json", large_case);
    const Ran ran = shell(scratch, "cd " + (scratch / "") + " && " + haruspex +
                                       " minimize case.json --runs 3 --mutant last_lane_repeats");
    CHECK(ran.exit_code == 1);
    CHECK(ran.out.find("runs      3; stopped there") != std::string::npos);
    CHECK(fs::exists(scratch / "minimized/case.json"));
}

TEST_CASE("a minimisation that is killed goes on where it was and ends as if nothing had happened") {
    Scratch scratch;
    write(scratch / "case.json", large_case);
    const std::string command =
        "exec " + haruspex + " minimize " + (scratch / "case.json") + " --mutant last_lane_repeats -o ";
    const Ran straight = shell(scratch, "(" + command + (scratch / "straight") + ")");
    REQUIRE(straight.exit_code == 1);
    const std::string journal = scratch / "killed.journal";
    std::ptrdiff_t noted = 0;
    std::int64_t smallest = 1000;
    // Kill it three times, each time after more runs; it needs 27 runs in all.
    for (int kills = 0; kills < 3; ++kills) {
        const std::string enough = std::to_string(noted + 5);
        const std::string is_enough = "[ $(cat " + journal + " 2>/dev/null | wc -l) -ge " + enough + " ]";
        shell(scratch, "(" + command + (scratch / "killed") + ") & pid=$!; " + "until " + is_enough +
                           " || ! kill -0 $pid; do sleep 0.01; done; kill -9 $pid; wait $pid; true");
        REQUIRE(fs::exists(journal));
        CHECK(lines(content_of(journal)) >= noted + 5);
        noted = lines(content_of(journal));
        if (!fs::exists(scratch / "killed")) { continue; }
        CHECK(shell(scratch, haruspex + " show " + (scratch / "killed") + " --as schedule").exit_code == 0);
        // A smaller case on disk is not replaced by a larger one.
        const std::int64_t now = lines(content_of(scratch / "killed/program.txt"));
        CHECK(now <= smallest);
        smallest = now;
    }
    const Ran rest = shell(scratch, "(" + command + (scratch / "killed") + ")");
    CHECK(rest.exit_code == 1);
    CHECK_FALSE(fs::exists(journal));
    for (const char* file : {"case.json", "verdict.json", "program.txt", "repro.cpp"}) {
        CHECK(content_of(scratch / ("killed/" + std::string(file))) ==
              content_of(scratch / ("straight/" + std::string(file))));
    }
    CHECK(rest.out.substr(0, rest.out.find("written")) == straight.out.substr(0, straight.out.find("written")));

    // When it is started again and killed, the earlier result remains.
    shell(scratch,
          "(" + command + (scratch / "killed") + ") & pid=$!; until [ $(cat " + journal +
              " 2>/dev/null | wc -l) -ge 3 ] || ! kill -0 $pid; do sleep 0.01; done; kill -9 $pid; wait $pid; true");
    CHECK(fs::exists(journal));
    CHECK(content_of(scratch / "killed/program.txt") == content_of(scratch / "straight/program.txt"));
}

TEST_CASE("what shows no finding is not minimised, and what is no finding's folder is not written over") {
    Scratch scratch;
    write(scratch / "case.json", large_case);
    const Ran right = shell(scratch, haruspex + " minimize " + (scratch / "case.json"));
    CHECK(right.exit_code == 0);
    CHECK(right.out.find("shows no finding") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "minimized"));
    CHECK_FALSE(fs::exists(scratch / "minimized.journal"));

    fs::create_directory(scratch / "mine");
    write(scratch / "mine/letter.txt", "dear all");
    const Ran taken = shell(scratch, haruspex + " minimize " + (scratch / "case.json") + " -o " + (scratch / "mine") +
                                         " --mutant last_lane_repeats");
    CHECK(taken.exit_code == 2);
    CHECK(taken.err.find("not a finding's folder") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "mine.journal"));
    CHECK(content_of(scratch / "mine/letter.txt") == "dear all");
}
