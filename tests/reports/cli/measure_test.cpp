#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "tests/reports/cli/command_line.h"

using namespace command_line;
using Json = nlohmann::json;

namespace {

// Writes rows/NAME.json: a program that doubles its input, with this schedule.
void write_case(const Scratch& scratch, const std::string& name, const std::string& schedule) {
    std::filesystem::create_directory(scratch / "rows");
    const std::string file = scratch / "rows/" + name;
    write(file + ".sare",
          "sare s(W) assuming W >= 1 {\n  input a : i16[1]\n  f(x) = a(x) + a(x)\n"
          "  output f on { [x] : 0 <= x < W }\n}\n");
    write(file + ".schedule", schedule);
    write(file + ".json", R"({"haruspex_case": 1, "sare": ")" + name + R"(.sare", "schedule": ")" + name +
                              R"(.schedule", "sizes": {"W": 8},
              "inputs": {"a": {"min": 1, "max": 4, "scale": 0, "special_values": false}}, "input_seed": 1,
              "strict_float": false, "comparison": "exact", "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"})");
}

}  // namespace

TEST_CASE("measure refuses what it cannot do with exit code 2") {
    Scratch scratch;
    const auto refused = [&](const std::string& arguments, const std::string& why) {
        const Ran ran = shell(scratch, haruspex + " measure " + arguments);
        INFO(arguments << "\n" << ran.err);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find(why) != std::string::npos);
    };
    refused("", "--generate");
    refused("--generate 3", "--out");
    refused("--generate 0 --out " + scratch / "a", "whole number");
    refused("corpus --generate 3 --out " + scratch / "a", "not both");
    refused("--generate 3 --methods oracle --out " + scratch / "a", "oracle");
    refused((scratch / "nowhere") + " --out " + scratch / "a", "rows.json");
    refused("--generate 3 --show 3", "no such index");
    refused("--generate 3 --rows blur --out " + scratch / "a", "--rows");
    refused("--detect 3 --minimize 3 --out " + scratch / "a", "--minimize");
    std::filesystem::create_directories(scratch / "night");
    write(scratch / "night/.haruspex", "0.1.0\n");
    refused("--generate 3 --out " + (scratch / "night"), "a campaign");
    write(scratch / "file", "");
    refused("--generate 3 --out " + (scratch / "file"), "file");
    std::filesystem::create_directories(scratch / "notes");
    write(scratch / "notes/measure.csv", "mine\n");
    refused("--generate 3 --out " + (scratch / "notes"), "not empty");
    CHECK(content_of(scratch / "notes/measure.csv") == "mine\n");
    CHECK_FALSE(std::filesystem::exists(scratch / "notes/cases.jsonl"));
}

TEST_CASE("measure judges a row by what is meant where that is not what is compiled") {
    Scratch scratch;
    write_case(scratch, "doubled", "f.vectorize(x, 4)\n");
    write(scratch / "rows/meant.sare",
          "sare s(W) assuming W >= 1 {\n  input a : i16[1]\n  f(x) = select([x < 9], a(x) + a(x), a(x))\n"
          "  output f on { [x] : 0 <= x < W }\n}\n");
    write(scratch / "rows/rows.json",
          R"([{"row": "right", "case": "doubled", "sizes": {"W": 30}, "effort": 3},
              {"row": "wrong", "case": "doubled", "meant": "meant.sare", "sizes": {"W": 30},
               "published": {"about": "all", "thesis": "refuted", "isa": "timeout"},
               "expected": {"validator": {"own": "validated", "large": "refuted", "all": "refuted"},
                            "equivalence": {"own": "proved", "all": "undecided"}}}])");
    const Ran ran = shell(scratch, haruspex + " measure " + (scratch / "rows") + " --out " + scratch / "out");
    INFO(ran.out << ran.err);
    CHECK(ran.exit_code == 0);
    const std::string cases = content_of(scratch / "out/cases.jsonl");
    CHECK(cases.find("\"effort\":3") != std::string::npos);
    const std::string csv = content_of(scratch / "out/measure.csv");
    INFO(csv);
    for (const char* const answer :
         {"right,row,right,right,own,validator,proved", "right,row,right,right,all,validator,proved",
          "wrong,row,wrong,right,own,validator,proved,proved", "wrong,row,wrong,wrong,large,validator,refuted,refuted",
          "wrong,row,wrong,wrong,all,validator,refuted,refuted", "wrong,row,wrong,right,own,native,unsupported"}) {
        CHECK(csv.find(answer) != std::string::npos);
    }
    CHECK(ran.out.find("| wrong | all | validator | refuted | refuted |") != std::string::npos);
    CHECK(ran.out.find("| wrong | all | refuted | timeout | refuted | undecided | 1 |") != std::string::npos);
    CHECK(ran.out.find("| decided, of 1 |  | 1 | 0 | 1 | 0 |") != std::string::npos);
    CHECK(content_of(scratch / "out/overview.md").find("\n| decided, of 1 |  | 1 | 0 |") != std::string::npos);
    const Json json = Json::parse(content_of(scratch / "out/measure.json"));
    REQUIRE(json["rows"].size() == 2);
    CHECK(json["rows"][1]["published"]["isa"] == "timeout");
    // A measurement of other cases is not resumed.
    write(scratch / "rows/doubled.schedule", "f.vectorize(x, 8)\n");
    const Ran other = shell(scratch, haruspex + " measure " + (scratch / "rows") + " --out " + scratch / "out");
    CHECK(other.exit_code == 2);
    CHECK(other.err.find("was begun otherwise") != std::string::npos);
}

TEST_CASE("a program of another specification that refuses the sizes of what is meant is wrong there") {
    Scratch scratch;
    write_case(scratch, "narrow", "f.bound(x, 0, W)\n");
    const auto specification = [](const std::string& extent) {
        return "sare s(W, V) assuming W >= 1 and V >= 1 {\n  input a : i16[1]\n  f(x) = a(x)\n"
               "  output f on { [x] : 0 <= x < " +
               extent + " }\n}\n";
    };
    write(scratch / "rows/narrow.sare", specification("W"));
    write(scratch / "rows/wide.sare", specification("V"));
    std::string json = content_of(scratch / "rows/narrow.json");
    json.replace(json.find("\"W\": 8"), 6, "\"W\": 8, \"V\": 12");
    write(scratch / "rows/narrow.json", json);
    write(scratch / "rows/rows.json", R"([{"row": "narrow", "case": "narrow", "meant": "wide.sare",
                                          "expected": {"validator": {"own": "refuted"}}}])");
    const Ran ran = shell(scratch, haruspex + " measure --methods validator --rows narrow " + (scratch / "rows") +
                                       " --out " + scratch / "out");
    INFO(ran.out << ran.err);
    CHECK(ran.exit_code == 0);
    const std::string csv = content_of(scratch / "out/measure.csv");
    INFO(csv);
    CHECK(csv.find("narrow,row,narrow,wrong,own,validator,refuted,refuted") != std::string::npos);
    // The compiler's rules restrict these sizes to W = V.
    CHECK(csv.find("narrow,row,narrow,right,all,validator,proved") != std::string::npos);
}

TEST_CASE("a row of which there is no program is not what is expected of it") {
    Scratch scratch;
    write_case(scratch, "odd", "f.split(x, xo, xi, 4)\nf.vectorize(x, 4)\n");
    write(scratch / "rows/rows.json",
          R"([{"row": "odd", "case": "odd", "expected": {"validator": {"all": "validated"}}}])");
    const Ran ran = shell(scratch, haruspex + " measure " + (scratch / "rows") + " --out " + scratch / "out");
    INFO(ran.out << ran.err);
    CHECK(ran.exit_code == 1);
    CHECK(ran.out.find("| odd | all | validator | failed | not: proved |") != std::string::npos);
}

TEST_CASE("measure says how many cases each method needs to find a mutant out, and goes on where it was") {
    Scratch scratch;
    const std::string command = haruspex + " measure --detect 12 --seed 3 --mutants last_lane_repeats,update_doubled" +
                                " --seconds 100 --out " + scratch / "out";
    const Ran ran = shell(scratch, command);
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    Json json = Json::parse(content_of(scratch / "out/measure.json"));
    INFO(json["detected"].dump(1));
    REQUIRE(json["detected"].size() == 2);
    const Json& repeats = json["detected"][0];
    CHECK(repeats["mutant"] == "last_lane_repeats");
    CHECK(repeats["changed"] > 0);
    for (const Json& by : repeats["by"]) {
        if (by["method"] == "equivalence" || by["question"] == "all") { continue; }
        REQUIRE(by["cases"].is_number());
        CHECK(by["cases"] <= repeats["put"]);
        CHECK(by["shown"] != "");
    }
    REQUIRE(repeats["by"].size() == 6);
    CHECK(repeats["by"][1]["question"] == "all");
    const std::string page = content_of(scratch / "out/measure.html");
    CHECK(page.find("last_lane_repeats") != std::string::npos);
    CHECK(page.find("Wrong prophecies") == std::string::npos);  // no programs were measured
    CHECK(content_of(scratch / "out/detected.csv").find("last_lane_repeats,") != std::string::npos);
    // Repeat the second mutant.
    const std::string lines = content_of(scratch / "out/detected.jsonl");
    const std::size_t second = lines.find("{\"mutant\":\"update_doubled");
    REQUIRE(second != std::string::npos);
    write(scratch / "out/detected.jsonl", lines.substr(0, second) + "{\"mut");
    CHECK(shell(scratch, command).exit_code == 0);
    Json again = Json::parse(content_of(scratch / "out/measure.json"));
    json.erase("times");
    again.erase("times");
    CHECK(again == json);
    CHECK(shell(scratch, haruspex + " measure --detect 8 --mutants no_such --out " + scratch / "a").exit_code == 2);
}

TEST_CASE("a mutant says of what it changed that it did, and the installed compiler never does") {
    Scratch scratch;
    const std::string cases = shell(scratch, haruspex + " generate --seed 5 --count 20").out;
    std::string requests;
    for (std::size_t begin = 0; begin < cases.size();) {
        const std::size_t end = cases.find('\n', begin);
        const Json request{{"case", cases.substr(begin, end - begin)},
                           {"sizes", Json::array()},
                           {"plain", true},
                           {"prophesied", false},
                           {"native", false}};
        requests += request.dump() + "\n";
        begin = end + 1;
    }
    write(scratch / "requests", requests);
    const auto answers = [&](const std::string& environment) {
        const Ran ran = shell(scratch, environment + haruspex + " compile-cases < " + scratch / "requests");
        CHECK(ran.exit_code == 0);
        std::vector<Json> all;
        std::istringstream lines(ran.out);
        for (std::string line; std::getline(lines, line);) { all.push_back(Json::parse(line)); }
        return all;
    };
    const std::vector<Json> plain = answers("");
    const std::vector<Json> mutated = answers("LD_PRELOAD=" HARUSPEX_BINARY_DIR "/mutants/libbounded_compare.so ");
    REQUIRE(plain.size() == 20);
    REQUIRE(mutated.size() == 20);
    int changed = 0, unchanged = 0;
    for (std::size_t k = 0; k < plain.size(); ++k) {
        CHECK(plain[k]["mutated"] == false);
        if (mutated[k]["plain"] != plain[k]["plain"]) { CHECK(mutated[k]["mutated"] == true); }
        (mutated[k]["mutated"] == true ? changed : unchanged)++;
    }
    CHECK(changed > 0);
    CHECK(unchanged > 0);
}

TEST_CASE("measure puts lowered, mutated and transformed programs to all methods, and a mutant's among them") {
    Scratch scratch;
    // The second problem is a mutant's if one is built; the third and the fourth are lowered.
    const std::string command =
        haruspex + " measure --generate 4 --seed 1 --minimize 2 --seconds 300 --out " + scratch / "out";
    const Ran ran = shell(scratch, command);
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    const Json json = Json::parse(content_of(scratch / "out/measure.json"));
    CHECK(json["results"]["put"] == 4);
    CHECK(json["results"]["wrong_answers"].empty());
    CHECK(json["results"]["by_making"].contains("lowered"));
    CHECK(json["results"]["by_making"].contains("mutant"));
    const std::string page = content_of(scratch / "out/measure.html");
    CHECK(page.find("</html>") != std::string::npos);
    for (const Json& witness : json["witnesses"]) {
        INFO(witness.dump(1));
        CHECK(witness["none"] == "");
        CHECK(witness["runs"] == 2);
        const std::string file = witness["method"].get<std::string>() + "-" + witness["index"].dump() + ".json";
        CHECK(shell(scratch, haruspex + " show " + (scratch / "out/witnesses/") + file + " --as sare").exit_code == 0);
        CHECK(page.find("aria-label=\"The case\">sare ") != std::string::npos);
    }
    CHECK(content_of(scratch / "out/measure.csv").starts_with("index,"));
    // Nothing is left to measure, so nothing changes.
    const std::string lines = content_of(scratch / "out/cases.jsonl");
    CHECK(shell(scratch, command).exit_code == 0);
    CHECK(content_of(scratch / "out/cases.jsonl") == lines);
    CHECK(shell(scratch, haruspex + " measure --generate 4 --seed 1 --show 2").out.find("sched") != std::string::npos);
}
