#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex triage`, as a user meets it, on findings from the corpus.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

}  // namespace

TEST_CASE("triage lists a campaign's bugs, smallest first, and writes an issue for each") {
    Scratch scratch;
    const fs::path found = scratch / "night/findings";
    // Two groups with one bug, and one with another.
    file_as("min-accumulation-trimmed", found / "a" / "1-1");
    file_as("min-accumulation-trimmed", found / "b" / "1-2");
    file_as("correlated-equality", found / "c" / "1-3");
    const Ran ran =
        shell(scratch, haruspex + " triage " + (scratch / "night") + " --runs 40 --to " + (scratch / "issues"));
    INFO(ran.out);
    CHECK(ran.exit_code == 1);
    CHECK(ran.out.find("2 bugs to look at; 0 known or not shown again; 3 groups") != std::string::npos);
    CHECK(ran.out.find("confirmed      2 cases  ") < ran.out.find("confirmed      1 cases  "));
    CHECK(fs::exists(scratch / "issues/a/report.md"));
    CHECK(fs::exists(scratch / "issues/a/repro.cpp"));
    CHECK_FALSE(fs::exists(scratch / "issues/b"));
    CHECK(fs::exists(scratch / "issues/c/report.md"));
    CHECK(ran.out.find("in a browser: " + (scratch / "issues/index.html") + "\n") != std::string::npos);
    const std::string page = content_of(scratch / "issues/index.html");
    for (const std::string report : {"a/report.html", "c/report.html"}) {
        CHECK(page.find("<a href=\"" + report + "\">") != std::string::npos);
        CHECK(fs::exists(scratch / ("issues/" + report)));
    }
    const Ran again =
        shell(scratch, haruspex + " triage " + (scratch / "night") + " --runs 1 --to " + (scratch / "issues"));
    CHECK(again.exit_code == 2);
    CHECK(again.err.find("exists already") != std::string::npos);
}

TEST_CASE("a triage beside a campaign leaves a list and its answers, and the one at the end is as if it had not been") {
    Scratch scratch;
    const std::string night = scratch / "night", alone = scratch / "alone", command = haruspex + " triage ";
    for (const std::string& folder : {night, alone}) {
        file_as("min-accumulation-trimmed", fs::path(folder) / "findings/a/1-1");
    }
    const Ran beside = shell(scratch, command + night + " --runs 12 --most-runs 6 --beside");
    CHECK(beside.exit_code == 1);
    CHECK(fs::exists(fs::path(night) / "triage.journal"));
    CHECK(content_of(night + "/bugs.json").find("\"state\": \"confirmed\"") != std::string::npos);
    CHECK(content_of(night + "/bugs.json").find("\"triaged\": {\n    \"a\": 1\n  }") != std::string::npos);
    CHECK_FALSE(fs::exists(fs::path(night) / "issues"));
    // The campaign went on, and found something else.
    for (const std::string& folder : {night, alone}) {
        file_as("correlated-equality", fs::path(folder) / "findings/b/1-2");
    }
    const Ran after = shell(scratch, command + night + " --runs 12 --to " + (scratch / "after"));
    const Ran straight = shell(scratch, command + alone + " --runs 12 --to " + (scratch / "straight"));
    CHECK(after.exit_code == straight.exit_code);
    CHECK(shell(scratch, "diff -r " + (scratch / "after") + " " + (scratch / "straight")).exit_code == 0);
    CHECK(content_of(night + "/bugs.json") == content_of(alone + "/bugs.json"));
    CHECK_FALSE(fs::exists(fs::path(night) / "triage.journal"));
    CHECK(shell(scratch, command + night + " --beside --to " + (scratch / "x")).exit_code == 2);
}

TEST_CASE("a triage that is killed goes on where it was, and its issues are all there or none") {
    Scratch scratch;
    file_as("min-accumulation-trimmed", fs::path(scratch / "night/findings/a/1-1"));
    file_as("correlated-equality", fs::path(scratch / "night/findings/b/1-2"));
    const std::string night = scratch / "night", journal = night + "/triage.journal";
    const std::string command = haruspex + " triage " + night + " --runs 12 --to ";
    const Ran straight = shell(scratch, command + (scratch / "straight"));
    REQUIRE(straight.exit_code == 1);
    CHECK_FALSE(fs::exists(journal));
    // Kill it three times, each time after more runs.
    std::ptrdiff_t noted = 0;
    for (int kills = 0; kills < 3; ++kills) {
        const std::string enough = std::to_string(noted + 4);
        const std::string is_enough = "[ $(cat " + journal + " 2>/dev/null | wc -l) -ge " + enough + " ]";
        shell(scratch, "(exec " + command + (scratch / "killed") + ") & pid=$!; until " + is_enough +
                           " || ! kill -0 $pid; do sleep 0.01; done; kill -9 $pid; wait $pid; true");
        REQUIRE(fs::exists(journal));
        const std::string text = content_of(journal);
        noted = std::ranges::count(text, '\n');
        CHECK_FALSE(fs::exists(scratch / "killed"));
    }
    // If it was killed while writing the issues, the leftovers are removed.
    fs::create_directories(scratch / ".haruspex-tmp-killed.1/a");
    write(scratch / ".haruspex-tmp-killed.1/a/report.md", "half a rep");
    const Ran rest = shell(scratch, command + (scratch / "killed"));
    CHECK(rest.exit_code == 1);
    CHECK_FALSE(fs::exists(scratch / ".haruspex-tmp-killed.1"));
    CHECK_FALSE(fs::exists(journal));
    CHECK(shell(scratch, "diff -r " + (scratch / "straight") + " " + (scratch / "killed")).exit_code == 0);
    // Killed after writing the issues, before removing the journal.
    write(journal, "");
    CHECK(shell(scratch, command + (scratch / "killed")).exit_code == 1);
    CHECK_FALSE(fs::exists(journal));
    // A folder with other files is left unchanged.
    write(journal, "");
    write(scratch / "killed/letter.txt", "dear all");
    const Ran refused = shell(scratch, command + (scratch / "killed"));
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("exists already") != std::string::npos);
    CHECK(content_of(scratch / "killed/letter.txt") == "dear all");
}

TEST_CASE("triage does not report what is known, and known add makes a finding known") {
    // The bugs are Halide 14's.
    if (halide_major() != 14) { return; }
    Scratch scratch;
    file_as("min-accumulation-trimmed", fs::path(scratch / "night/findings/a/1-1"));
    file_as("narrow-one-bit-type", fs::path(scratch / "night/findings/b/1-2"));
    const std::string corpus = std::string(HARUSPEX_SOURCE_DIR) + "/corpus/known";
    const Ran all = shell(scratch, haruspex + " triage " + (scratch / "night") + " --known " + corpus);
    INFO(all.out + all.err);
    CHECK(all.exit_code == 0);
    CHECK(
        all.out.find("known          1 cases  min-accumulation-trimmed, lives in 14, 19 and 21: No schedule at all.") !=
        std::string::npos);
    CHECK(all.out.find("known          1 cases  narrow-one-bit-type, lives in 14, mended in 19: ") !=
          std::string::npos);
    CHECK(all.out.find("0 bugs to look at; 2 known") != std::string::npos);

    const std::string add = haruspex + " known add " + (scratch / "night/findings/a/1-1") + " --to " +
                            (scratch / "known") + " --name trimmed";
    CHECK(shell(scratch, add + " --reason ''").exit_code == 0);  // its why.txt says why
    CHECK(content_of(scratch / "known/trimmed.json").find("\"../night/findings/a/1-1\"") != std::string::npos);
    const Ran again = shell(scratch, add);
    CHECK(again.out.find("there already  trimmed") != std::string::npos);
    const Ran one = shell(scratch, haruspex + " triage " + (scratch / "night") + " --known " + (scratch / "known") +
                                       " --to " + (scratch / "issues"));
    CHECK(one.exit_code == 1);
    CHECK(one.out.find("1 bugs to look at; 1 known") != std::string::npos);
    // A relative folder that does not exist yet.
    const std::string there = "cd " + (scratch / "") + " && " + haruspex;
    CHECK(shell(scratch, there + " known add night/findings/a/1-1 --to fresh/known --reason seen").exit_code == 0);
    CHECK(content_of(scratch / "fresh/known/1-1.json").find("\"../../night/findings/a/1-1\"") != std::string::npos);
    CHECK(shell(scratch, there + " triage night --known fresh/known").exit_code == 1);
    const Ran from_issue = shell(scratch, haruspex + " known add " + (scratch / "issues/b") + " --to " +
                                              (scratch / "from_issue") + " --reason seen");
    CHECK(from_issue.out.starts_with("added          b  compiler_internal_error"));
    const Ran none = shell(scratch, haruspex + " known add " + (scratch / "known") + " --to " + (scratch / "none"));
    CHECK(none.exit_code == 2);
    CHECK(none.out.starts_with("no case "));
    CHECK(none.err == "haruspex: no bug was added\n");
    CHECK_FALSE(fs::exists(scratch / "none"));
    // The options replace the stored values.
    CHECK(shell(scratch, add + " --status fixed --upstream https://example.org/1").exit_code == 0);
    const std::string mended = content_of(scratch / "known/trimmed.json");
    CHECK(mended.find("\"status\": \"fixed\"") != std::string::npos);
    CHECK(mended.find("https://example.org/1") != std::string::npos);
    CHECK(mended.find("\"../night/findings/a/1-1\"") != std::string::npos);
    // An unwritable folder is refused before minimising.
    write(scratch / "taken", "a file\n");
    const Ran unwritable =
        shell(scratch, haruspex + " known add " + (scratch / "night/findings/a/1-1") + " --to " + (scratch / "taken"));
    CHECK(unwritable.exit_code == 2);
    CHECK(unwritable.err.find("taken") != std::string::npos);
    // Every .json file in the folder must be a known bug.
    write(scratch / "known/other.json", "{}");
    CHECK(shell(scratch, haruspex + " triage " + (scratch / "night") + " --known " + (scratch / "known")).exit_code ==
          2);
    fs::remove(scratch / "night/findings/a/1-1/why.txt");
    CHECK(shell(scratch, haruspex + " known add " + (scratch / "night/findings/a/1-1") + " --to " + (scratch / "new"))
              .exit_code == 2);
}

TEST_CASE("known list shows what is known of each bug, and known add refuses what is no address") {
    Scratch scratch;
    fs::create_directories(scratch / "known");
    const auto file = [](const std::string& more) {
        return R"({"haruspex_known": 1, "status": "open", "reason": "r", "report": "../a", )" + more +
               R"("fingerprints": [{"class": "wrong_code", "pass": "", "trouble": "", "features": []}]})";
    };
    write(scratch / "known/a.json", file(R"("upstream": "https://example.org/1", )"));
    write(scratch / "known/b.json", file(R"("upstream": "none found", )"));
    const std::string list = haruspex + " known list " + (scratch / "known");
    const Ran table = shell(scratch, list);
    CHECK(table.exit_code == 0);
    CHECK(table.out ==
          "bug  upstream\n"
          "a    https://example.org/1\n"
          "b    none found\n"
          "\n"
          "2 bugs in Halide; versions not known: 2\n");
    CHECK(shell(scratch, list + " --as count").out == "2 bugs in Halide; versions not known: 2\n");
    CHECK(shell(scratch, list + " --as markdown").out ==
          "| bug | upstream |\n"
          "| --- | --- |\n"
          "| [a](../a) | <https://example.org/1> |\n"
          "| [b](../a) | none found |\n");
    CHECK(shell(scratch, list + " --as poem").exit_code == 2);
    CHECK(shell(scratch, list + "/nowhere").exit_code == 2);
    file_as("min-accumulation-trimmed", fs::path(scratch / "finding"));
    const Ran refused = shell(scratch, haruspex + " known add " + (scratch / "finding") + " --to " +
                                           (scratch / "known") + " --upstream 1234");
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("--upstream: expected an address") != std::string::npos);
}

TEST_CASE("a campaign without findings has no bugs") {
    Scratch scratch;
    fs::create_directories(scratch / "night");
    CHECK(shell(scratch, haruspex + " triage " + (scratch / "night")).exit_code == 2);
    write(scratch / "night/.haruspex", "0.1.0\n");
    const Ran none = shell(scratch, haruspex + " triage " + (scratch / "night"));
    CHECK(none.exit_code == 0);
    CHECK(none.out.find("0 bugs to look at") != std::string::npos);
}

TEST_CASE("a bug that only a mutant has is never taken for a known one") {
    Scratch scratch;
    const fs::path finding = scratch / "night/findings/a/1-1";
    fs::create_directories(finding);
    write(finding / "case.json",
          R"json({"haruspex_case": 1, "sare": ["sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < W } }"],
              "schedule": ["f.vectorize(x, 4)"], "sizes": {"W": 8}, "inputs": {}, "input_seed": 0,
              "strict_float": false, "comparison": "exact", "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"
})json");
    write(finding / "verdict.json",
          R"({"haruspex_finding": 1, "seed": "1", "index": "1", "group": "a", "haruspex": "0.1.0",
              "compiler": {"name": "halide", "version": "14.0.0"},
              "verdict": {"class": "wrong_lowering", "message": "", "phase": "", "signal": 0, "difference": null}})");
    const std::string triage =
        haruspex + " triage " + (scratch / "night") + " --runs 60 --known " + HARUSPEX_SOURCE_DIR + "/corpus/known";
    const Ran mutated = shell(scratch, triage + " --mutant last_lane_repeats");
    INFO(mutated.out + mutated.err);
    CHECK(mutated.exit_code == 1);
    CHECK(mutated.out.find("  1  confirmed ") == 0);
    CHECK(mutated.out.find("1 bugs to look at; 0 known") != std::string::npos);
    const Ran plain = shell(scratch, triage);
    CHECK(plain.exit_code == 0);
    CHECK(plain.out.find("gone           1 cases  a\n") != std::string::npos);
}

TEST_CASE("triage refuses a folder without findings, and one of which a file is no finding") {
    Scratch scratch;
    CHECK(shell(scratch, haruspex + " triage " + (scratch / "nowhere")).exit_code == 2);
    file_as("min-accumulation-trimmed", fs::path(scratch / "night/findings/a/1-1"));
    write(scratch / "night/findings/a/1-1/verdict.json", "{");
    const Ran ran = shell(scratch, haruspex + " triage " + (scratch / "night"));
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("verdict.json:1:") != std::string::npos);
}
