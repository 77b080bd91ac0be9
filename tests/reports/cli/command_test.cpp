#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// The built command, as a user meets it.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

constexpr const char* correct_case = R"json({
  "haruspex_case": 2,
  "compiler": "halide",
  "sare": [
    "sare twice(W) assuming W >= 1 {",
    "  input in : i32[1]",
    "  f(x) = in(x) * 2i32",
    "  output f on { [x] : 0 <= x < W }",
    "}"
  ],
  "schedule": ["f.vectorize(x, 4, GuardWithIf)"],
  "sizes": {"W": 7},
  "inputs": {"in": {"min": -9, "max": 9, "scale": 0, "special_values": false}},
  "input_seed": 5,
  "strict_float": false,
  "comparison": "exact",
  "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"
}
)json";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("every command explains itself with examples") {
    Scratch scratch;
    const Ran all = shell(scratch, haruspex + " --help");
    CHECK(all.exit_code == 0);
    for (const std::string command :
         {"fuzz", "generate", "run", "judge", "reproduce", "minimize", "triage", "recheck", "compare", "known", "file",
          "show", "interpret", "validate", "equivalence", "init", "completion", "manual"}) {
        INFO(command);
        CHECK(all.out.find(command) != std::string::npos);
        const Ran help = shell(scratch, haruspex + " " + command + " --help");
        CHECK(help.exit_code == 0);
        CHECK(help.out.find("Example") != std::string::npos);
        CHECK(help.out.find("haruspex " + command) != std::string::npos);
    }
}

TEST_CASE("the versions are those of haruspex and of the compiler under test") {
    Scratch scratch;
    const Ran ran = shell(scratch, haruspex + " --version");
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.starts_with("haruspex "));
    CHECK(ran.out.find("\nhalide ") != std::string::npos);
}

TEST_CASE("wrong usage is exit code 2 with a word about it") {
    Scratch scratch;
    for (const std::string arguments : {"",
                                        "fuz",
                                        "fuzz --cases many",
                                        "fuzz --cases -3",
                                        "fuzz --jobs 0",
                                        "fuzz --time 5y --out x",
                                        "fuzz --seed 1.5",
                                        "generate",
                                        "generate --seed",
                                        "run",
                                        "run /nowhere/case.json",
                                        "show /nowhere --as c++",
                                        "reproduce /nowhere",
                                        "minimize /nowhere",
                                        "minimize x --runs 0",
                                        "file /nowhere --to x",
                                        "file",
                                        "file .",
                                        "triage",
                                        "triage /nowhere",
                                        "fuzz --cases 1 --out /proc/haruspex"}) {
        INFO(arguments);
        const Ran ran = shell(scratch, "cd " + (scratch / "") + " && " + haruspex + " " + arguments);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.size() > 10);
    }
    const auto error = [&](const std::string& arguments) { return shell(scratch, haruspex + " " + arguments).err; };
    CHECK(error("fuz --cases 3") == "haruspex: unknown command \"fuz\"; see haruspex --help\n");
    CHECK(error("--nosuch") == "haruspex: unknown option \"--nosuch\"; see haruspex --help\n");
    CHECK(error("known remove x") == "haruspex: unknown command \"remove\"; see haruspex known --help\n");
    CHECK(error("show ''") == "haruspex: \"\": no such file or folder\n");
}

TEST_CASE("a campaign that cannot be meant is refused before it begins, with the option and what was found") {
    Scratch scratch;
    struct Refused {
        std::string arguments, words;
    };
    const std::string whole = "expected a whole number from 0 to 2^64 - 1, found ";
    for (const auto& [arguments, words] : std::vector<Refused>{
             {"--cases -3", "--cases: " + whole + "-3"},
             {"--cases=-3", "--cases: " + whole + "-3"},
             {"--cases 18446744073709551616", "--cases: " + whole + "18446744073709551616"},
             {"--cases ''", "--cases: " + whole},
             {"--first -1", "--first: expected a whole number from 0 to 9223372036854775807, found -1"},
             {"--first 9223372036854775808",
              "--first: expected a whole number from 0 to 9223372036854775807, found 92"},
             {"--stop-when-quiet 0", "--stop-when-quiet: expected a whole number from 1 to 2^64 - 1, found 0"},
             {"--jobs 0", "--jobs: expected a whole number from 1 to 1024, found 0"},
             {"--jobs -1", "--jobs: expected a whole number from 1 to 1024, found -1"},
             {"--jobs 1025", "--jobs: expected a whole number from 1 to 1024, found 1025"},
             {"--jobs 1.5", "--jobs: expected a whole number from 1 to 1024, found 1.5"},
             {"--time 5x", "--time: malformed duration \"5x\"; expected a positive number with s, m or h"},
             {"--time -5s", "--time: malformed duration \"-5s\""},
             {"--time 0", "--time: malformed duration \"0\""},
             {"--time ''", "--time: malformed duration \"\""},
             {"--disk-quota 5X", "--disk-quota: malformed size \"5X\"; expected a number with K, M, G or T"},
             {"--disk-quota -5M", "--disk-quota: malformed size \"-5M\""},
             {"--disk-quota 16777216T", "--disk-quota: malformed size"},
             {"--seed abc", "--seed: " + whole + "abc"},
         }) {
        INFO(arguments);
        // Without an error the campaign would run until it is stopped.
        const Ran ran = shell(scratch, "timeout 30 " + haruspex + " fuzz --out " + (scratch / "out") + " " + arguments);
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        CHECK(ran.err.starts_with(words));
        CHECK_FALSE(fs::exists(scratch / "out"));
    }
}

TEST_CASE("generate gives the same bytes every time, and any part of them alone") {
    Scratch scratch;
    const Ran first = shell(scratch, haruspex + " generate --seed 7 --count 50");
    CHECK(first.exit_code == 0);
    CHECK(shell(scratch, haruspex + " generate --seed 7 --count 50").out == first.out);
    const Ran part = shell(scratch, haruspex + " generate --seed 7 --first 20 --count 10");
    CHECK(first.out.find(part.out) != std::string::npos);
    CHECK(shell(scratch, haruspex + " generate --seed 8 --count 50").out != first.out);
    CHECK(std::count(first.out.begin(), first.out.end(), '\n') == 50);
}

TEST_CASE("run judges a case from a file, from standard input, for people and as JSON") {
    Scratch scratch;
    write(scratch / "case.json", correct_case);
    const Ran people = shell(scratch, haruspex + " run " + (scratch / "case.json"));
    CHECK(people.exit_code == 0);
    CHECK(people.out.starts_with("class     agrees\n"));
    const Ran json = shell(scratch, haruspex + " run - --json < " + (scratch / "case.json"));
    CHECK(json.exit_code == 0);
    CHECK(Json::parse(json.out).at("class") == "agrees");
    const Ran passes = shell(scratch, haruspex + " run - --json --trace-passes < " + (scratch / "case.json"));
    CHECK(passes.exit_code == 0);
    const Json traced = Json::parse(passes.out);
    CHECK(traced.at("class") == "agrees");
    CHECK(traced.at("passes").size() > 10);
    CHECK(traced.at("passes").back().at("pass") == "final");
    CHECK(traced.at("passes").back().at("program") == "right");
}

TEST_CASE("show prints each form of a case, and its own JSON reads back") {
    Scratch scratch;
    write(scratch / "case.json", correct_case);
    const std::string show = haruspex + " show " + (scratch / "case.json") + " --as ";
    CHECK(shell(scratch, show + "sare").out.find("f(x) = in(x) * 2i32") != std::string::npos);
    CHECK(shell(scratch, show + "expanded").out.find("f(x) = in(x) * 2i32") != std::string::npos);
    CHECK(shell(scratch, show + "schedule").out == "f.vectorize(x, 4, GuardWithIf)\n");
    CHECK(shell(scratch, show + "program").out.find("f.vectorize(x, 4, TailStrategy::GuardWithIf);") !=
          std::string::npos);
    const Ran json = shell(scratch, show + "json");
    CHECK(Json::parse(json.out) == Json::parse(correct_case));
    CHECK(shell(scratch, show + "json | " + haruspex + " show - --as json").out == json.out);
}

TEST_CASE("what does not exist is said of the name that was given, and nothing else is taken for it") {
    Scratch scratch;
    file_as("narrow-one-bit-type", fs::path(scratch / "finding"));
    const std::string inside = "cd " + (scratch / "finding") + " && " + haruspex;
    for (const std::string command :
         {"reproduce typo.json", "reproduce -", "file typo --to issues", "known add typo --to known --reason none"}) {
        INFO(command);
        const Ran ran = shell(scratch, inside + " " + command);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find("no such file or folder") != std::string::npos);
        CHECK(ran.out.empty());
    }
    CHECK_FALSE(fs::exists(scratch / "finding/issues"));
    CHECK_FALSE(fs::exists(scratch / "finding/known"));
}

TEST_CASE("a folder that is no finding's is said to be none") {
    Scratch scratch;
    fs::create_directories(scratch / "empty");
    write(scratch / "case.json", correct_case);
    for (const std::string command : {"show ", "minimize ", "reproduce "}) {
        const Ran ran = shell(scratch, haruspex + " " + command + (scratch / "empty"));
        INFO(command << ran.err);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find("empty is not a finding's folder: there is no verdict.json in it") != std::string::npos);
    }
    const Ran ran = shell(scratch, haruspex + " reproduce " + (scratch / "case.json"));
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("case.json is no file of a finding: there is no verdict.json beside it") != std::string::npos);
}

TEST_CASE("a minimisation does not replace another finding") {
    Scratch scratch;
    file_as("narrow-one-bit-type", fs::path(scratch / "one"));
    file_as("min-accumulation-trimmed", fs::path(scratch / "other"));
    const std::string before = content_of(scratch / "other/verdict.json") + content_of(scratch / "one/verdict.json");
    for (const std::string folder : {"other", "one"}) {
        const Ran ran =
            shell(scratch, haruspex + " minimize " + (scratch / "one") + " --runs 1 -o " + (scratch / folder));
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find("holds a finding that would be lost") != std::string::npos);
    }
    CHECK(content_of(scratch / "other/verdict.json") + content_of(scratch / "one/verdict.json") == before);
}

TEST_CASE("a schedule that names what does not exist is shown as no program") {
    Scratch scratch;
    write(scratch / "case.json", replaced(correct_case, "f.vectorize", "g.vectorize"));
    const Ran ran = shell(scratch, haruspex + " show " + (scratch / "case.json") + " --as program");
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("the schedule names what does not exist") != std::string::npos);
}

TEST_CASE("a name that is a word of SCHED is refused") {
    Scratch scratch;
    for (const std::string name : {"int", "let", "par", "free"}) {
        INFO(name);
        std::string text = replaced(correct_case, "f(x) =", name + "(x) =");
        text = replaced(replaced(text, "output f", "output " + name), "f.vectorize", name + ".vectorize");
        write(scratch / "case.json", text);
        const Ran ran = shell(scratch, haruspex + " run " + (scratch / "case.json"));
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find(": " + name + " is a word of SCHED") != std::string::npos);
    }
}

TEST_CASE("a target that this machine does not run is bad input, and no bug of the compiler") {
    Scratch scratch;
    const auto refused = [&](const std::string& target, const std::string& why) {
        write(scratch / "case.json", replaced(correct_case, "x86-64-linux-avx-avx2-f16c-fma-sse41", target));
        for (const std::string& command : {std::string(" run "), " minimize -o " + (scratch / "small") + " "}) {
            INFO(command << target);
            const Ran ran = shell(scratch, haruspex + command + (scratch / "case.json"));
            CHECK(ran.exit_code == 2);
            CHECK(ran.out.empty());
            CHECK(ran.err.find("compiled for " + target + ": " + why) != std::string::npos);
        }
    };
    refused("arm-64-linux", "this machine is x86-64-linux");
    refused("x86-64-linux-fma4-avx512_knl", "this machine has no");
    refused("x86-64-nowhere", "it is no target");
}

TEST_CASE("a case that nobody can judge is bad input") {
    Scratch scratch;
    write(scratch / "case.json", replaced(correct_case, "{\"W\": 7}", "{\"W\": 2147483647}"));
    const Ran ran = shell(scratch, haruspex + " run " + (scratch / "case.json"));
    CHECK(ran.out.starts_with("class     bad_case\n"));
    CHECK(ran.exit_code == 2);
}

TEST_CASE("sizes that are no numbers, or that the specification does not allow, are not interpreted") {
    Scratch scratch;
    write(scratch / "p.sare", "sare p(W) assuming W >= 8 {\n  f(x) = u8<x>\n  output f on { [x] : 0 <= x < W }\n}\n");
    write(scratch / "p.sched", "sched p(W) {\n  output f : u8[W];\n  for x in [0, W) { f[x] {f(x)} := u8<x>; }\n}\n");
    const auto with = [&](const std::string& size) {
        return shell(scratch,
                     haruspex + " interpret " + (scratch / "p.sare") + " " + (scratch / "p.sched") + " --size " + size);
    };
    CHECK(with("W=8").exit_code == 0);
    for (const std::string size : {"W=7", "W=-1", "W=99999999999999999999", "W=8x", "W=", "=8"}) {
        INFO(size);
        const Ran ran = with(size);
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
    }
    CHECK(with("W=7").err.find("assumes W >= 8") != std::string::npos);
}

TEST_CASE("zeros of either sign are told apart unless floats are taken for real numbers") {
    Scratch scratch;
    write(scratch / "p.sare", "sare p(W) {\n  f(x) = 0.0f32\n  output f on { [x] : 0 <= x < W }\n}\n");
    write(scratch / "p.sched",
          "sched p(W) {\n  output f : f32[W];\n  for x in [0, W) { f[x] {-0.0f32} := -0.0f32; }\n}\n");
    const std::string pair = (scratch / "p.sare") + " " + (scratch / "p.sched");
    for (const std::string& command : {"interpret " + pair + " --size W=2", "validate " + pair}) {
        INFO(command);
        const Ran ran = shell(scratch, haruspex + " " + command);
        CHECK(ran.exit_code == 1);
        CHECK(ran.out.find("f(0) is -0.0f32, expected 0.0f32") != std::string::npos);
        CHECK(shell(scratch, haruspex + " " + command + " --float real").exit_code == 0);
    }
    CHECK(shell(scratch, haruspex + " interpret " + pair + " --size W=2 --float exact").exit_code == 2);
}

TEST_CASE("a program whose arrays are not those of the specification is not interpreted") {
    Scratch scratch;
    write(scratch / "p.sare",
          "sare p(W) assuming W >= 1 {\n  input A : i32[2]\n  f(x) = A(x, 0)\n  output f on { [x] : 0 <= x < W }\n}\n");
    const auto refused = [&](const std::string& arrays) {
        write(scratch / "p.sched", "sched p(W) {\n" + arrays + "  skip;\n}\n");
        const Ran ran = shell(
            scratch, haruspex + " interpret " + (scratch / "p.sare") + " " + (scratch / "p.sched") + " --size W=3");
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        return ran.err;
    };
    const std::string out = "  output f : i32[W];\n";
    CHECK(refused("  input b for A : i16[W, 1];\n" + out).find("whose type is i32, not i16") != std::string::npos);
    CHECK(refused("  input b for A : i32[3];\n" + out).find("array b has another rank than its tensor") !=
          std::string::npos);
    CHECK(refused("  output f : i16[W];\n").find("whose type is i32, not i16") != std::string::npos);
    CHECK(refused("  output f : i32[W, 1];\n").find("which has 1 dimension, not 2") != std::string::npos);
}

TEST_CASE("cases have indices up to 2^64 - 1, and none beyond") {
    Scratch scratch;
    const std::string last = haruspex + " generate --seed 7 --first 18446744073709551615 --count ";
    CHECK(shell(scratch, last + "1").exit_code == 0);
    const Ran beyond = shell(scratch, last + "2");
    CHECK(beyond.exit_code == 2);
    CHECK(beyond.out.empty());
}

TEST_CASE("a malformed case is refused with its position, a schedule that names what does not exist with its reason") {
    Scratch scratch;
    write(scratch / "case.json", replaced(correct_case, "\"exact\"", "\"close\""));
    const Ran close = shell(scratch, haruspex + " run " + (scratch / "case.json"));
    CHECK(close.exit_code == 2);
    CHECK(close.err.find("case.json:16:17: unknown comparison") != std::string::npos);
    CHECK(close.out.empty());
    write(scratch / "case.json", replaced(correct_case, "f.vectorize", "g.vectorize"));
    const Ran unknown = shell(scratch, haruspex + " run " + (scratch / "case.json"));
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("the schedule names what does not exist") != std::string::npos);
}

TEST_CASE("a campaign's folder, table and exit code agree, and its findings reproduce") {
    Scratch scratch;
    const Ran fuzz = shell(
        scratch, haruspex + " fuzz --seed 7 --cases 12 --jobs 2 --list --triage-runs 0 --out " + (scratch / "out"));
    const Json summary = Json::parse(content_of(scratch / "out/summary.json"));
    CHECK(summary.at("results").at("cases") == 12);
    CHECK(fuzz.out.find("12 cases") != std::string::npos);
    const bool failed = summary.at("results").at("by_class").contains("harness_failure");
    const auto findings = summary.at("results").at("findings").get<int>();
    CHECK(fuzz.exit_code == (failed ? 3 : findings > 0 ? 1 : 0));
    if (findings > 0) {
        const fs::path group = fs::directory_iterator(scratch / "out/findings")->path();
        const std::string folder = fs::directory_iterator(group)->path().string();
        const Ran again = shell(scratch, haruspex + " reproduce " + folder);
        CHECK(again.exit_code == 1);
        CHECK(again.out.starts_with("the finding still shows"));
        CHECK(shell(scratch, haruspex + " show " + folder + " --as program").exit_code == 0);
    }
}

TEST_CASE("a campaign counts what the second solver says, files what contradicts, and goes on without one") {
    Scratch scratch;
    if (shell(scratch, haruspex + " --version").out.find("\nhalide 14.") == std::string::npos) { return; }
    // What this version lowers of the case needs a solver.
    write(scratch / "case.jsonl",
          R"case({"haruspex_case":2,"compiler":"halide","sare":["sare c131(W, H) assuming W >= 1 and H >= 1 {",)case"
          R"case("  input in0 : f32[3]",)case"
          R"case("  f0(x, y, z, w) = select(select(in0(x, y, z) < 2.0f32, 1u32, 3u32) != select(in0(x + 1, 1, )case"
          R"case(z + 1) < 2.0f32, 1u32, 3u32), in0(6, y, select(z < 6, z, z - 1)), -1.0f32) )case"
          R"case(- in0(12 - x, y - 1, max(min(z - 2, 20), 2))",)case"
          R"case("  f1(x, y) = (13i32 >> 1i32) + select(f0(6, y + 2, y, y) < 2.0f32, 1i32, 3i32)",)case"
          R"case("  output f1 on { [x, y] : 0 <= x < W and 0 <= y < H }","}"],)case"
          R"case("schedule":["f1.unroll(y, 5, GuardWithIf)","f0.compute_at(f1, x)","f0.store_at(f1, y)"],)case"
          R"case("sizes":{"H":4,"W":35},"inputs":{"in0":{"min":-7,"max":7,"scale":0,"special_values":true}},)case"
          R"case("input_seed":2954463778,"strict_float":true,"comparison":"exact",)case"
          R"case("target":"x86-64-linux-avx-avx2-f16c-fma-sse41"})case"
          "\n");
    const std::string fuzz = haruspex + " fuzz --cases-from " + (scratch / "case.jsonl") +
                             " --cases 1 --no-native --validate --triage-runs 0 ";
    write(scratch / "liar", "#!/bin/sh\ncat > /dev/null\necho sat\n");
    REQUIRE(std::system(("chmod +x " + (scratch / "liar")).c_str()) == 0);
    const auto second_solver = [&](const std::string& folder) {
        return Json::parse(content_of(scratch / (folder + "/summary.json")))
            .at("results")
            .at("validator")
            .at("second_solver");
    };
    const Ran lied_to =
        shell(scratch, fuzz + "--solver both --cvc5 " + (scratch / "liar") + " --out " + (scratch / "lied-to"));
    CHECK(lied_to.exit_code == 3);
    const Json counts = second_solver("lied-to");
    CHECK(counts.at("contradicted") > 0);
    CHECK(counts.at("unanswered") == 0);
    CHECK(lied_to.out.find("contradicted\n") != std::string::npos);
    std::size_t kept = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch / "lied-to")) {
        kept += entry.path().filename().string().starts_with("contradiction-") ? 1 : 0;
    }
    CHECK(kept == counts.at("contradicted"));

    const Ran without = shell(scratch, fuzz + "--cross-check 1 --cvc5 no-such-solver --out " + (scratch / "without"));
    CHECK(without.exit_code == 0);
    CHECK(without.err.find("is to be checked by cvc5 as well, and is not: cannot run no-such-solver") !=
          std::string::npos);
    const Json uncounted = second_solver("without");
    CHECK(uncounted.at("unanswered") == uncounted.at("checked"));
    CHECK(uncounted.at("checked") > 0);
    const Ran refused = shell(scratch, fuzz + "--solver both --cvc5 no-such-solver --out " + (scratch / "refused"));
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("--solver both: cannot run no-such-solver") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "refused/campaign.sqlite"));
}

TEST_CASE("a campaign without native code says so, in its table, its summary and its verdicts") {
    Scratch scratch;
    const Ran fuzz = shell(
        scratch, haruspex + " fuzz --seed 7 --cases 6 --no-native --list --triage-runs 0 --out " + (scratch / "out"));
    CHECK(fuzz.exit_code <= 1);
    CHECK(fuzz.out.find("native code was not run") != std::string::npos);
    const Json summary = Json::parse(content_of(scratch / "out/summary.json"));
    CHECK(summary.at("campaign").at("native") == false);
    CHECK(summary.at("timing").at("seconds_by_stage").at("run") == 0);
    CHECK(summary.at("results").at("features").at("lowered:agrees") > 0);
    std::istringstream lines(content_of(scratch / "out/cases.jsonl"));
    int agreeing = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json c = Json::parse(line);
        if (c.at("class") != "agrees") { continue; }
        ++agreeing;
        CHECK(c.at("message") == "native code was not run");
    }
    CHECK(agreeing > 0);
    const Ran native =
        shell(scratch, haruspex + " fuzz --seed 7 --cases 1 --triage-runs 0 --out " + (scratch / "native"));
    CHECK(native.out.find("native code was not run") == std::string::npos);
    CHECK(Json::parse(content_of(scratch / "native/summary.json")).at("campaign").at("native") == true);
}

TEST_CASE("a campaign that a full disk ended goes on with its own options, and refuses others") {
    Scratch scratch;
    const std::string asked = " fuzz --seed 7 --cases 24 --no-native --list --disk-quota 20K --triage-runs 0 --out ";
    CHECK(shell(scratch, haruspex + asked + (scratch / "straight")).exit_code <= 1);
    // A limit on file sizes, here 64 KiB, makes writes fail as on a full disk.
    const Ran full = shell(scratch, "(ulimit -f 128; exec " + haruspex + asked + (scratch / "out") + ")");
    CHECK(full.exit_code == 2);
    CHECK(full.err.find("haruspex: " + (scratch / "out/campaign.sqlite") + ": disk I/O error: File too large\n") !=
          std::string::npos);
    const Ran other = shell(scratch, haruspex + " fuzz --seed 8 --out " + (scratch / "out"));
    CHECK(other.exit_code == 2);
    CHECK(other.err.find("holds a campaign with another seed: it has 7, this one 8") != std::string::npos);
    const Ran rest = shell(scratch, haruspex + " fuzz --jobs 2 --triage-runs 0 --out " + (scratch / "out"));
    CHECK(rest.exit_code <= 1);
    CHECK(rest.err.starts_with("seed 7, going on in "));
    CHECK(content_of(scratch / "out/cases.jsonl") == content_of(scratch / "straight/cases.jsonl"));
    const Json results = Json::parse(content_of(scratch / "out/summary.json")).at("results");
    CHECK(results.at("cases") == 24);
    CHECK(results == Json::parse(content_of(scratch / "straight/summary.json")).at("results"));
}

TEST_CASE("a stored finding that is none any more is exit code 0") {
    Scratch scratch;
    write(scratch / "case.json", correct_case);
    write(scratch / "verdict.json",
          R"({"haruspex_finding": 1, "seed": "1", "index": "2", "group": "g", "haruspex": "0.1.0",
              "compiler": {"name": "halide", "version": "13.0.0"},
              "verdict": {"class": "wrong_result", "message": "once", "phase": "", "signal": 0, "difference": null}})");
    const Ran ran = shell(scratch, haruspex + " reproduce " + (scratch / ""));
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.starts_with("the finding does not show any more"));
    CHECK(ran.out.find("halide 13.0.0") != std::string::npos);
}

TEST_CASE("a reader that goes away does no harm") {
    Scratch scratch;
    CHECK(shell(scratch, haruspex + " generate --seed 1 --count 100000 | head -n 1 > /dev/null").exit_code == 0);
    const Ran status = shell(scratch, "{ " + haruspex + " generate --seed 1 --count 100000; echo $? > " +
                                          (scratch / "code") + "; } | head -n 1 > /dev/null");
    CHECK(content_of(scratch / "code") == "0\n");
}

TEST_CASE("output that cannot be written is exit code 2 with the reason") {
    Scratch scratch;
    write(scratch / "case.json", correct_case);
    for (const std::string& arguments :
         {std::string("generate --seed 1 --count 3"), "run " + (scratch / "case.json")}) {
        INFO(arguments);
        const Ran ran = shell(scratch, haruspex + " " + arguments + " > /dev/full");
        CHECK(ran.exit_code == 2);
        CHECK(ran.err == "haruspex: cannot write to standard output: No space left on device\n");
    }
}

TEST_CASE("a mutant is loaded once") {
    Scratch scratch;
    write(scratch / "case.json", correct_case);
    const auto with = [&](const std::string& names) {
        return shell(scratch, "timeout 60 " + haruspex + " run " + (scratch / "case.json") + " --mutant " + names);
    };
    CHECK(with("bounded_compare,last_lane_repeats").exit_code < 2);
    for (const std::string names : {"bounded_compare,bounded_compare", "bounded_compare,", ",bounded_compare"}) {
        INFO(names);
        const Ran ran = with(names);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find("mutant") != std::string::npos);
    }
    const Ran foreign =
        shell(scratch, "LD_PRELOAD=" HARUSPEX_BINARY_DIR "/mutants/liblast_lane_repeats.so timeout 60 " + haruspex +
                           " run " + (scratch / "case.json") + " --mutant bounded_compare");
    CHECK(foreign.exit_code == 2);
    CHECK(foreign.err.find("cannot load bounded_compare") != std::string::npos);
}

TEST_CASE("the variables of the compiler change nothing of a verdict") {
    Scratch scratch;
    // It dies of a signal, and its last words are part of its group.
    const std::string crash = std::string(HARUSPEX_SOURCE_DIR) + "/corpus/regress/open/predicate-stores-recursion";
    const Ran plain = shell(scratch, haruspex + " run " + crash + " --json");
    const Ran talkative =
        shell(scratch, "HL_DEBUG_CODEGEN=2 HL_NUM_THREADS=1 " + haruspex + " run " + crash + " --json");
    CHECK(talkative.exit_code == plain.exit_code);
    CHECK(talkative.out == plain.out);
}

TEST_CASE("Ctrl-C ends a campaign with its summary and its bugs") {
    Scratch scratch;
    const std::string out = scratch / "out";
    const pid_t campaign = ::fork();
    REQUIRE(campaign >= 0);
    if (campaign == 0) {
        // As on a terminal: the signal reaches the whole process group.
        ::setpgid(0, 0);
        std::freopen("/dev/null", "w", stdout);
        std::freopen("/dev/null", "w", stderr);
        ::execl(haruspex.c_str(), haruspex.c_str(), "fuzz", "--seed", "7", "--jobs", "2", "--list", "--triage-runs",
                "20", "--out", out.c_str(), nullptr);
        ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::seconds(3));
    ::kill(-campaign, SIGINT);
    int status = 0;
    REQUIRE(::waitpid(campaign, &status, 0) == campaign);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) <= 3);
    const Json summary = Json::parse(content_of(scratch / "out/summary.json"));
    CHECK(summary.at("campaign").at("interrupted") == true);
    const std::string listed = content_of(scratch / "out/cases.jsonl");
    CHECK(std::count(listed.begin(), listed.end(), '\n') == summary.at("results").at("cases").get<int>());
    if (!summary.at("results").at("groups").empty()) { CHECK(fs::exists(scratch / "out/bugs.json")); }
}

namespace {

// Writes a finding's folder with a verdict that is not its case's.
void write_finding(const std::string& folder, const std::string& case_json, const std::string& group) {
    fs::create_directories(folder);
    const std::string verdict =
        content_of(std::string(HARUSPEX_SOURCE_DIR) + "/corpus/regress/open/min-accumulation-trimmed/verdict.json");
    write(folder + "/case.json", case_json);
    write(folder + "/verdict.json",
          replaced(verdict, "\"group\": \"min-accumulation-trimmed\"", "\"group\": \"" + group + "\""));
}

const std::string wrong_minimum = std::string(HARUSPEX_SOURCE_DIR) + "/corpus/regress/open/min-accumulation-trimmed";

}  // namespace

TEST_CASE("file writes a finding as an issue, under a name that is free, and sends nothing") {
    Scratch scratch;
    if (shell(scratch, haruspex + " --version").out.find("\nhalide 14.") == std::string::npos) { return; }
    const std::string command = haruspex + " file " + wrong_minimum + " " + wrong_minimum + " --to " + (scratch / "up");
    const Ran ran = shell(scratch, command + " --gh-command");
    CHECK(ran.exit_code == 0);
    const std::string gh =
        "gh issue create --repo halide/Halide --title 'Wrong code: f(0) is 0, expected -2 (wrong "
        "between simplify and simplify_correlated_differences)' --body-file '";
    CHECK(ran.out == gh + (scratch / "up/min-accumulation-trimmed/report.md") + "'\n" + gh +
                         (scratch / "up/min-accumulation-trimmed-2/report.md") + "'\n");
    const std::string folder = scratch / "up/min-accumulation-trimmed/";
    CHECK(content_of(folder + "report.md").starts_with("# Wrong code: f(0) is 0, expected -2"));
    CHECK(content_of(folder + "repro.cpp").starts_with("// g++ "));
    CHECK(Json::parse(content_of(folder + "case.json")).at("haruspex_case") == 2);
    CHECK(std::distance(fs::directory_iterator(scratch / "up"), {}) == 2);
    const Ran again = shell(scratch, command);
    CHECK(again.exit_code == 2);
    CHECK(again.err.find("exists already") != std::string::npos);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a crash is a fault of its own") {
    const Scratch scratch;
    // The command has started once it reads.
    const Ran ran = shell(scratch, "mkfifo " + (scratch / "case") + "; " + haruspex + " show " + (scratch / "case") +
                                       " & exec 3> " + (scratch / "case") + "; kill -SEGV $!; wait $!");
    CHECK(ran.exit_code == 3);
    CHECK(ran.err == "haruspex: internal error: SIGSEGV\n");
}
#endif

TEST_CASE("file refuses what shows nothing and what has no name, and leaves nothing behind") {
    Scratch scratch;
    write_finding(scratch / "right", correct_case, "right");
    const Ran right =
        shell(scratch, haruspex + " file " + wrong_minimum + " " + (scratch / "right") + " --to " + (scratch / "up"));
    CHECK(right.exit_code == 2);
    CHECK(right.err.find("nothing to file") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "up"));
    write_finding(scratch / "odd", content_of(wrong_minimum + "/case.json"), "../odd");
    const Ran odd = shell(scratch, haruspex + " file " + (scratch / "odd") + " --to " + (scratch / "up"));
    CHECK(odd.exit_code == 2);
    CHECK(odd.err.find("no name for a folder") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "up"));
}
