#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex judge` and `haruspex fuzz --against`, as a user meets them.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

// The mutant last_lane_repeats is wrong if a loop is vectorized.
std::string case_with(const std::string& schedule) {
    return R"json({"haruspex_case":2,"compiler":"halide","sare":["sare p(W) assuming W >= 1 {","  input in : i16[1]",)json"
           R"json("  f(x) = in(x) + in(x + 1)","  output f on { [x] : 0 <= x < W }","}"],"schedule":[)json" +
           schedule +
           R"json(],"sizes":{"W":16},"inputs":{"in":{"min":-9,"max":9,"scale":0,"special_values":false}},)json"
           R"json("input_seed":1,"strict_float":false,"comparison":"exact",)json"
           R"json("target":"x86-64-linux-avx-avx2-f16c-fma-sse41"})json"
           "\n";
}
const std::string plain = case_with(""), vectorized = case_with("\"f.vectorize(x, 8)\"");

std::vector<Json> lines(const std::string& text) {
    std::vector<Json> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) { all.push_back(Json::parse(line)); }
    return all;
}

}  // namespace

TEST_CASE("judge answers each case with its verdict, after it has said who judges") {
    Scratch scratch;
    write(scratch / "cases.jsonl", plain + vectorized);
    const std::string judge = " judge < " + (scratch / "cases.jsonl");
    const Ran ran = shell(scratch, haruspex + judge);
    CHECK(ran.exit_code == 0);
    const auto answers = lines(ran.out);
    REQUIRE(answers.size() == 3);
    CHECK(answers[0]["haruspex_judge"] == 1);
    CHECK(answers[0]["compiler"] == "halide");
    CHECK(answers[0]["major"] == halide_major());
    for (const std::size_t k : {1, 2}) {
        CHECK(answers[k]["class"] == "agrees");
        CHECK_FALSE(answers[k].contains("own_sizes"));
    }
    const Ran mutated = shell(scratch, haruspex + judge + " --mutant last_lane_repeats");
    CHECK(mutated.exit_code == 1);
    const auto wrong = lines(mutated.out);
    REQUIRE(wrong.size() == 3);
    CHECK(wrong[0]["version"].get<std::string>().ends_with("+last_lane_repeats"));
    CHECK(wrong[1]["class"] == "agrees");
    CHECK(wrong[2]["class"] != "agrees");
    const auto validated = lines(shell(scratch, haruspex + judge + " --validate").out);
    REQUIRE(validated.size() == 3);
    CHECK(validated[1]["own_sizes"]["outcome"] == "validated");
}

TEST_CASE("judge refuses a case that it cannot put to its compiler, and ends at a line that is no case") {
    Scratch scratch;
    const std::string unknown = case_with("\"no_such.vectorize(x, 8)\"");
    write(scratch / "cases.jsonl", unknown + "no case\n" + plain);
    const Ran ran = shell(scratch, haruspex + " judge < " + (scratch / "cases.jsonl"));
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("standard input:2:") != std::string::npos);
    const auto answers = lines(ran.out);
    REQUIRE(answers.size() == 2);
    CHECK(answers[1].contains("refused"));
    const Ran all = shell(scratch, haruspex + " judge --keep-going < " + (scratch / "cases.jsonl"));
    CHECK(all.exit_code == 0);
    const auto more = lines(all.out);
    REQUIRE(more.size() == 4);
    CHECK(more[2].contains("refused"));
    CHECK(more[3]["class"] == "agrees");
}

TEST_CASE("fuzz --against lists the cases that another build judges otherwise, and nothing of the same build") {
    Scratch scratch;
    write(scratch / "cases.jsonl", plain + vectorized);
    const std::string fuzz = haruspex + " fuzz --cases-from " + (scratch / "cases.jsonl") + " --jobs 2";
    const Ran same = shell(scratch, fuzz + " --against self --out " + (scratch / "same"));
    CHECK(same.exit_code == 0);
    CHECK(same.out.find("2 cases: 0 worse, 0 better, 0 otherwise\n") != std::string::npos);
    CHECK(Json::parse(content_of(scratch / "same/against.json"))["disagreeing"].empty());

    // The other build is wrong: this one is better.
    const Ran better = shell(scratch, fuzz + " --against mutant:last_lane_repeats --out " + (scratch / "better"));
    CHECK(better.exit_code == 0);
    CHECK(better.out.find("2 cases: 0 worse, 1 better, 0 otherwise\n") != std::string::npos);
    const std::string mended = scratch / "better/better/mended/0-1";
    CHECK(Json::parse(content_of(mended + "/here.json"))["class"] == "agrees");
    CHECK(Json::parse(content_of(mended + "/there.json"))["class"] != "agrees");
    CHECK(shell(scratch, haruspex + " reproduce " + mended).exit_code == 0);
    CHECK(shell(scratch, haruspex + " reproduce " + mended + " --mutant last_lane_repeats").exit_code == 1);

    // This one is wrong: it is worse.
    const Ran worse =
        shell(scratch, fuzz + " --mutant last_lane_repeats --against " + haruspex + " --out " + (scratch / "worse"));
    CHECK(worse.exit_code == 1);
    CHECK(worse.out.find("2 cases: 1 worse, 0 better, 0 otherwise\n") != std::string::npos);
    CHECK(worse.out.find("new finding") != std::string::npos);
    const auto all = Json::parse(content_of(scratch / "worse/against.json"));
    CHECK(all["disagreeing"][0]["index"] == 1);
    CHECK(all["here"]["version"].get<std::string>().ends_with("+last_lane_repeats"));
    CHECK_FALSE(all["there"]["version"].get<std::string>().ends_with("+last_lane_repeats"));
    CHECK(fs::exists(scratch / "worse/worse/new-finding/0-1/repro.cpp"));
    CHECK(shell(scratch, haruspex + " run " + (scratch / "worse/worse/new-finding/0-1")).exit_code == 0);
}

TEST_CASE("fuzz --against refuses what is no build, a folder in use, and the options of a campaign's folder") {
    Scratch scratch;
    const std::string fuzz = haruspex + " fuzz --seed 7 --cases 1 --against ";
    CHECK(shell(scratch, fuzz + (scratch / "nowhere")).exit_code == 2);
    CHECK(shell(scratch, fuzz + "mutant:no_such").exit_code == 2);
    CHECK(shell(scratch, fuzz + "self --known " + (scratch / "known")).exit_code == 2);
    write(scratch / "used", "");
    CHECK(shell(scratch, fuzz + "self --out " + fs::path(scratch / "used").parent_path().string()).exit_code == 2);
}
