#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// Toy, the small compiler of the tests (tests/harness/toy), behind the same commands as any other.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

const std::string toyc = HARUSPEX_BINARY_DIR "/toyc";

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory()) { found.push_back(entry.path()); }
    }
    std::ranges::sort(found);
    return found;
}

// A campaign's findings.
std::vector<fs::path> findings_in(const fs::path& campaign) {
    std::vector<fs::path> found;
    for (const fs::path& group : folders_in(campaign / "findings")) {
        for (const fs::path& finding : folders_in(group)) { found.push_back(finding); }
    }
    return found;
}

std::string field(const fs::path& finding, const char* file, const char* name) {
    return Json::parse(text_of(finding / file)).at(name).get<std::string>();
}

std::string class_of(const fs::path& finding) {
    return Json::parse(text_of(finding / "verdict.json")).at("verdict").at("class").get<std::string>();
}

// u8 differences, chunks of 3 and of 4, and a pass that fails when it runs twice.
std::string case_of(const std::string& schedule) {
    return R"json({"haruspex_case":2,"compiler":"toy","sare":["sare p(W) assuming W >= 1 {","  input a : u8[1]",)json"
           R"json("  f(x) = a(x) - a(x + 1)","  output f on { [x] : 0 <= x < W }","}"],"schedule":[)json" +
           schedule +
           R"json(],"sizes":{"W":10},"inputs":{"a":{"min":0,"max":255,"scale":0,"special_values":false}},)json"
           R"json("input_seed":1,"strict_float":false,"comparison":"exact","target":"paper"})json";
}

}  // namespace

TEST_CASE("a build lists its compilers, and refuses one that it does not have") {
    Scratch scratch;
    const Ran listed = shell(scratch, haruspex + " compilers");
    CHECK(listed.exit_code == 0);
    CHECK(listed.out.find("toy  1.0.0  part of the tests\n") != std::string::npos);
    const Ran refused = shell(scratch, haruspex + " generate --seed 1 --compiler nowhere");
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("this build has no compiler \"nowhere\"") != std::string::npos);
    const Ran read = shell(scratch, "echo '" + case_of("") + "' | sed s/toy/nowhere/ | " + haruspex + " run -");
    CHECK(read.exit_code == 2);
    CHECK(read.err.find("<stdin>:1:31: unknown compiler \"nowhere\"") != std::string::npos);
}

TEST_CASE("a case goes to the compiler that it names, with that compiler's passes and bugs") {
    Scratch scratch;
    const auto verdict_of = [&](const std::string& schedule, const std::string& options = "") {
        const Ran ran = shell(scratch, "echo '" + case_of(schedule) + "' | " + haruspex + " run - --json" + options);
        INFO(ran.err);
        REQUIRE(ran.exit_code < 2);
        return Json::parse(ran.out);
    };
    CHECK(verdict_of("").at("class") == "agrees");
    CHECK(verdict_of(R"("chunk f x 2","pass rename")").at("class") == "agrees");
    const Json narrowed = verdict_of(R"("pass rename","pass narrow")");
    CHECK(narrowed.at("class") == "wrong_lowering");
    CHECK(narrowed.at("pass") == "(rename, narrow]");
    CHECK(verdict_of(R"("pass narrow","pass rename")").at("pass") == "(realise, narrow]");
    CHECK(verdict_of(R"("pass settle","pass rename","pass settle")").at("class") == "compiler_internal_error");
    CHECK(verdict_of(R"("pass settle","pass rename","pass settle")").at("pass") == "(rename, settle.2]");
    const Json rest = verdict_of(R"("chunk f x 3")");
    CHECK(rest.at("class") != "agrees");
    // Whatever the validator says of a program that is right at its own sizes, it does not refute it.
    const Json validated = verdict_of(R"("chunk f x 2")", " --validate");
    CHECK(validated.at("class") == "agrees");

    const Ran unknown = shell(scratch, "echo '" + case_of(R"("chunk g x 3")") + "' | " + haruspex + " run -");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("\"g\" has no loop over \"x\"") != std::string::npos);
    const Ran malformed = shell(scratch, "echo '" + case_of(R"("chunk f x three")") + "' | " + haruspex + " run -");
    CHECK(malformed.exit_code == 2);
    CHECK(malformed.err.find("expected a number, found \"three\"") != std::string::npos);
}

TEST_CASE("a case has the types of its compiler, and a bug of sums that wrap shows in no other sum") {
    Scratch scratch;
    const auto run = [&](const std::string& json, const std::string& options = "") {
        return shell(scratch, "echo '" + json + "' | " + haruspex + " run - --json" + options);
    };
    const auto sums = [](const std::string& type, const std::string& most) {
        return R"json({"haruspex_case":2,"compiler":"toy","sare":["sare p(W) assuming W >= 1 {","  input a : )json" +
               type +
               R"json([1]","  f(x) = a(x) + a(x + 1)","  output f on { [x] : 0 <= x < W }","}"],"schedule":["pass widen"],)json"
               R"json("sizes":{"W":10},"inputs":{"a":{"min":0,"max":)json" +
               most +
               R"json(,"scale":0,"special_values":false}},)json"
               R"json("input_seed":1,"strict_float":false,"comparison":"exact","target":"paper"})json";
    };
    CHECK(Json::parse(run(sums("w32", "1000000000")).out).at("class") == "agrees");
    CHECK(Json::parse(run(sums("u32", "4294967295")).out).at("class") == "agrees");
    const Json wrapped = Json::parse(run(sums("w32", "2147483647")).out);
    CHECK(wrapped.at("class") == "wrong_lowering");
    CHECK(wrapped.at("pass") == "(realise, widen]");

    const Ran refused = run(sums("i32", "9"));
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("<stdin>:1:88: toy has no type i32: expected one of bool, u8, u16, u32, u64, i8, i16, i64, "
                           "f32, f64, w32") != std::string::npos);
    const std::string there = "cd " + (scratch / "") + " && " + haruspex;
    CHECK(shell(scratch, there + " init mine --compiler toy").exit_code == 0);
    CHECK(shell(scratch, there + " show mine/prog.sare --size W=4,H=2 --compiler toy --as json").exit_code == 0);
    CHECK(shell(scratch, there + " show mine/prog.sare --size W=4,H=2 --as json")
              .err.find("mine/prog.sare:10:18: halide has no type w32: expected one of bool, ") != std::string::npos);
}

TEST_CASE("a campaign, its bugs, their reports and their reproducers, of a compiler that is like no other") {
    Scratch scratch;
    const std::string night = scratch / "night";
    const Ran campaign =
        shell(scratch, haruspex + " fuzz --compiler toy --seed 4 --cases 300 --triage-runs 150 --out " + night);
    INFO(campaign.err);
    REQUIRE(campaign.exit_code == 1);
    CHECK(campaign.out.find("distinct bugs") != std::string::npos);
    std::set<std::string> classes;
    for (const fs::path& finding : findings_in(night)) {
        classes.insert(class_of(finding));
        CHECK(field(finding, "case.json", "compiler") == "toy");
    }
    CHECK(classes.contains("wrong_lowering"));
    CHECK(classes.contains("compiler_internal_error"));
    const auto is_of_widening = [](const fs::path& finding) {
        const std::string json = text_of(finding / "case.json");
        CHECK(json.find("i32") == std::string::npos);
        return json.find("w32") != std::string::npos &&
               text_of(finding / "verdict.json").find("widen]") != std::string::npos;
    };
    CHECK(std::ranges::any_of(findings_in(night), is_of_widening));
    CHECK(fs::exists(fs::path(night) / "issues" / "index.html"));
    CHECK(text_of(fs::path(night) / "issues" / "index.html").find("Toy 1.0.0") != std::string::npos);

    // How it stands, as text, as JSON, and in one look with --watch, since nothing runs.
    const Ran status = shell(scratch, haruspex + " status " + night);
    CHECK(status.exit_code == 0);
    CHECK(status.out.find("toy 1.0.0, seed 4, folder " + night + ": complete\n") != std::string::npos);
    const Json json = Json::parse(shell(scratch, haruspex + " status " + night + " --json").out);
    CHECK(json.at("cases") == 300);
    REQUIRE_FALSE(json.at("bugs").empty());
    const std::string title = json.at("bugs").at(0).at("title").get<std::string>();
    const std::string size = json.at("bugs").at(0).at("size").get<std::string>();
    const std::size_t first = status.out.find("\n    1  " + size + ", ");
    REQUIRE(first != std::string::npos);
    CHECK(status.out.find(" " + title.substr(0, 30), first) < status.out.find('\n', first + 1));
    CHECK(campaign.out.find(title) != std::string::npos);
    CHECK(shell(scratch, haruspex + " status " + night + " --watch").out == status.out);
    CHECK(shell(scratch, haruspex + " status " + (scratch / "nowhere")).exit_code == 2);

    // The same campaign goes on without being told the compiler again, and the same seed gives the same cases.
    CHECK(shell(scratch, haruspex + " fuzz --cases 301 --triage-runs 0 --out " + night).exit_code == 1);
    const Ran generated = shell(scratch, haruspex + " generate --compiler toy --seed 4 --count 2");
    CHECK(generated.out.find("\"compiler\":\"toy\"") != std::string::npos);

    // Cases of another compiler are refused before any of them runs.
    const std::string others = scratch / "others.jsonl";
    REQUIRE(shell(scratch, haruspex + " generate --seed 7 --count 2 > " + others).exit_code == 0);
    const Ran refused =
        shell(scratch, haruspex + " fuzz --compiler toy --cases-from " + others + " --out " + (scratch / "refused"));
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("others.jsonl: case 0 is for the compiler halide; expected cases for toy") !=
          std::string::npos);

    const auto all = findings_in(night);
    const auto wrong =
        std::ranges::find_if(all, [](const fs::path& finding) { return class_of(finding) == "wrong_lowering"; });
    REQUIRE(wrong != all.end());
    const std::string smaller = scratch / "smaller";
    const Ran minimised = shell(scratch, haruspex + " minimize " + wrong->string() + " --runs 300 -o " + smaller);
    INFO(minimised.err);
    REQUIRE(minimised.exit_code == 1);
    CHECK(fs::exists(fs::path(smaller) / "repro.toy"));
    CHECK(shell(scratch, haruspex + " reproduce " + smaller).exit_code == 1);
    CHECK(shell(scratch, toyc + " " + smaller + "/repro.toy").exit_code == 1);
    const Ran shown = shell(scratch, haruspex + " show " + smaller + " --as program");
    CHECK(shown.out == text_of(fs::path(smaller) / "repro.toy"));

    CHECK(shell(scratch, haruspex + " triage " + night + " --runs 20").exit_code == 1);

    const std::string filed = scratch / "filed";
    const Ran file = shell(scratch, haruspex + " file " + smaller + " --to " + filed + " --gh-command");
    INFO(file.err);
    REQUIRE(file.exit_code == 0);
    CHECK(file.out.find("--repo toy/toy") != std::string::npos);
    const auto reports = folders_in(filed);
    REQUIRE(reports.size() == 1);
    const std::string report = text_of(reports[0] / "report.md");
    CHECK(report.find("- Toy 1.0.0, part of the tests") != std::string::npos);
    CHECK(report.find("alide") == std::string::npos);

    // The findings as a folder of reports: each still shows.
    const std::string open = scratch / "open";
    fs::create_directories(open);
    fs::copy(smaller, fs::path(open) / "one", fs::copy_options::recursive);
    const Ran rechecked = shell(scratch, haruspex + " recheck " + open);
    INFO(rechecked.out << rechecked.err);
    CHECK(rechecked.exit_code == 0);
    CHECK(rechecked.out.find("toy 1.0.0, 1 reports: 1 fails") != std::string::npos);
    const Ran known = shell(
        scratch, haruspex + " known add " + smaller + " --reason chunks --name chunks --to " + (scratch / "known"));
    INFO(known.out << known.err);
    CHECK(known.exit_code == 0);
    CHECK(field(fs::path(scratch / "known"), "chunks.json", "compiler") == "toy");

    // Bugs of several compilers in one folder: each executable reads those of the other.
    fs::copy(HARUSPEX_SOURCE_DIR "/corpus/known/abs-of-difference-in-doubles.json", scratch / "known/halide.json");
    const Ran mixed = shell(scratch, haruspex + " known list " + (scratch / "known"));
    INFO(mixed.out << mixed.err);
    CHECK(mixed.exit_code == 0);
    CHECK(mixed.out.find("1 bug in Halide") != std::string::npos);
    CHECK(mixed.out.find("1 bug in toy") != std::string::npos);
    const Ran triaged = shell(scratch, haruspex + " triage " + (scratch / "night") + " --known " + (scratch / "known"));
    INFO(triaged.out << triaged.err);
    CHECK(triaged.exit_code <= 1);
    const Ran of_nobody = shell(scratch, "sed -i 's/\"toy\"/\"nowhere\"/' " + (scratch / "known/chunks.json") + " && " +
                                             haruspex + " known list " + (scratch / "known"));
    CHECK(of_nobody.exit_code == 2);
    CHECK(of_nobody.err.find("unknown compiler \"nowhere\"; expected one of this build") != std::string::npos);
}

TEST_CASE("a person corrects the known bugs, and triage does as they say") {
    Scratch scratch;
    const std::string night = scratch / "night", known = scratch / "known";
    REQUIRE(shell(scratch, haruspex + " fuzz --compiler toy --seed 4 --cases 60 --triage-runs 0 --out " + night)
                .exit_code == 1);
    const auto states = [&] {
        const Ran ran =
            shell(scratch, haruspex + " triage " + night + " --known " + known + " --sarif " + (scratch / "sarif"));
        INFO(ran.err);
        REQUIRE(ran.exit_code <= 1);
        // Message -> whether it is one of a known bug.
        std::map<std::string, int> count;
        const Json sarif = Json::parse(text_of(scratch / "sarif"));
        for (const Json& one : sarif.at("runs")[0].at("results")) {
            const std::string message = one.at("message").at("text");
            ++count[one.contains("suppressions") ? message.substr(message.rfind(' ') + 1) : "reported"];
        }
        return count;
    };
    fs::create_directories(known);
    const int all = states().at("reported");
    REQUIRE(all >= 2);
    // Two findings of different groups that are different bugs.
    const auto does = [&](const std::string& command) {
        const Ran ran = shell(scratch, haruspex + " known " + command + " --to " + known);
        INFO(command << "\n" << ran.out << ran.err);
        CHECK(ran.exit_code == 0);
    };
    const auto refused = [&](const std::string& command, const std::string& words) {
        const Ran ran = shell(scratch, haruspex + " known " + command + " --to " + known);
        INFO(command << "\n" << ran.err);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find(words) != std::string::npos);
    };
    const std::string issues = scratch / "issues";
    REQUIRE(shell(scratch, haruspex + " triage " + night + " --to " + issues).exit_code == 1);
    const auto bugs = folders_in(issues);
    REQUIRE(bugs.size() >= 2);
    const std::string one = bugs[0].string(), two = bugs[1].string();
    does("add " + one + " --name one --reason 'the first'");
    does("add " + two + " --name two --reason 'the second'");
    const auto both = states();
    CHECK(both.at("one") == 1);
    CHECK(both.at("two") == 1);

    does("merge one two");
    const auto merged = states();
    CHECK(merged.at("one") == 1);
    CHECK_FALSE(merged.contains("two"));
    CHECK(shell(scratch, haruspex + " known list " + known + " --as count").out.find("1 bug in Toy") == 0);
    refused("merge two one", "two counts as one already; expected another bug");
    refused("merge one three", "no known bug \"three\" in " + known);
    does("split one two");
    CHECK(states() == both);
    refused("split one two", "two does not count as one; expected a bug that does, or a finding");

    // The same case under both names: the first has it, until a person says that it is of the other.
    does("add " + two + " --name one");
    CHECK_FALSE(states().contains("two"));
    does("not one " + two);
    CHECK(states() == both);
    refused("not two " + two, "two has no other case");
    does("add " + two + " --name one");
    does("split one " + two + " --as three --reason 'a third'");
    CHECK(states().size() == both.size());
    CHECK(text_of(known + "/three.json").find("\"fingerprints\": [\n    {") != std::string::npos);
    CHECK(text_of(known + "/one.json").find("\"not\"") != std::string::npos);
    refused("split one " + two, "--as: expected the name of the bug that the findings show");
    refused("split one " + two + " --as four", "--reason: expected why findings of four are not reported again");
    refused("split one nowhere --as three", "nowhere");
}

namespace {

// What a terminal shows: rows of text, changed by the control sequences that a page is drawn with.
class Terminal {
public:
    void take(const std::string& text) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '\r') {
                column_ = 0;
            } else if (text[at] == '\n') {
                ++row_;
            } else if (text[at] == '\x1b') {
                REQUIRE(text.at(++at) == '[');
                std::size_t number = 0;
                while (std::isdigit(static_cast<unsigned char>(text.at(++at))) != 0) {
                    number = 10 * number + static_cast<std::size_t>(text[at] - '0');
                }
                obey(text[at], std::max<std::size_t>(number, 1));
            } else {
                std::string& line = rows_[row_];
                line.resize(std::max(line.size(), column_ + 1), ' ');
                line[column_++] = text[at];
            }
        }
    }
    // The rows that begin with this word.
    std::size_t count(const std::string& word) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(rows_, [&](const auto& row) { return row.second.starts_with(word); }));
    }

private:
    void obey(char command, std::size_t number) {
        if (command == 'A') {
            REQUIRE(number <= row_);
            row_ -= number;
            return;
        }
        REQUIRE((command == 'K' || command == 'J'));
        rows_[row_].resize(std::min(rows_[row_].size(), column_));
        if (command == 'J') { rows_.erase(rows_.upper_bound(row_), rows_.end()); }
    }

    std::map<std::size_t, std::string> rows_;
    std::size_t row_ = 0, column_ = 0;
};

}  // namespace

TEST_CASE("a campaign shows a page on a terminal, and lines elsewhere") {
    Scratch scratch;
    int runs = 0;
    const auto shown = [&](const std::string& kind, const std::string& options) {
        const std::string fuzz = haruspex + " fuzz --compiler toy --seed 4 --cases 60 --triage-runs 0" + options +
                                 " --out " + (scratch / ("out" + std::to_string(++runs)));
        // `script` runs it on a terminal of its own.
        return shell(scratch, "TERM=" + kind + " script -qec 'stty cols 90 rows 24; " + fuzz + "' /dev/null").out;
    };
    const std::string page = shown("xterm", "");
    CHECK(page.find("\x1b[K") != std::string::npos);
    CHECK(page.find("distinct bugs") != std::string::npos);
    CHECK(page.find("seed 4, folder ") != std::string::npos);
    // Nothing is left of it above the summary.
    const std::size_t erased = page.rfind("\x1b[J");
    CHECK(page.find("median number of directives") > erased);
    CHECK(page.rfind("\x1b[K") < erased);
    // Before that each line of the page is there once, however often it was drawn, and afterwards none.
    Terminal terminal;
    const std::size_t last = page.rfind('\r', erased);
    terminal.take(page.substr(0, last));
    const std::vector<std::string> words{"haruspex: ", "time ",    "cases ",   "features ", "findings ",
                                         "bugs ",      "classes ", "workers ", "disk "};
    for (const std::string& word : words) {
        CAPTURE(word);
        CHECK(terminal.count(word) == 1);
    }
    terminal.take(page.substr(last, erased + 3 - last));
    for (const std::string& word : words) { CHECK(terminal.count(word) == 0); }
    for (const auto& [kind, options] :
         {std::pair("dumb", ""), std::pair("xterm", " --progress plain"), std::pair("vt100", " --progress none")}) {
        const std::string text = shown(kind, options);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(text.find("median number of directives") != std::string::npos);
    }
    CHECK(shell(scratch, haruspex + " fuzz --compiler toy --progress loud --out " + (scratch / "x")).exit_code == 2);
}
