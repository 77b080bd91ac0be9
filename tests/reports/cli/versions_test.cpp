#include <filesystem>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex versions`, as a user meets it, on reports from the corpus.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("versions judges reports here and with other builds, and keeps the versions in known bugs") {
    // The bugs are Halide 14's.
    if (halide_major() != 14) { return; }
    Scratch scratch;
    for (const std::string bug : {"narrow-one-bit-type", "async-reads-what-consumer-produces"}) {
        file_as(bug, scratch / ("regress/" + bug));
    }
    const std::string narrow = scratch / "regress/narrow-one-bit-type";
    const std::string async = scratch / "regress/async-reads-what-consumer-produces";
    const Ran known =
        shell(scratch, haruspex + " known add " + narrow + " " + async + " --runs 2 --to " + (scratch / "known"));
    INFO(known.out + known.err);
    REQUIRE(known.exit_code == 0);
    CHECK(holds(known.out, "added          async-reads-what-consumer-produces  by its program"));

    write(scratch / "p.jsonl",
          "{\"name\": \"async-reads-what-consumer-produces\", \"version\": \"19.0.0\", \"fails\": false}\n");
    const std::string file = scratch / "known/narrow-one-bit-type.json", json = scratch / "v.json";
    const Ran ran = shell(scratch, haruspex + " versions " + file + " " + async + " --programs-from " +
                                       (scratch / "p.jsonl") + " --to " + (scratch / "known") + " --json " + json);
    INFO(ran.out + ran.err);
    CHECK(ran.exit_code == 1);
    CHECK(holds(ran.out, "narrow-one-bit-type "));
    CHECK(holds(ran.out, "2 bugs: 1 lives in 14 (1 not known) and 0 in 19 (1 not known)\n"));
    CHECK(holds(content_of(json), "\"first_bad\": \"14.0.0\""));
    CHECK(holds(content_of(file), "\"presence\": \"shows\""));
    const Ran listed = shell(scratch, haruspex + " known list " + (scratch / "known"));
    CHECK(listed.exit_code == 0);
    CHECK(holds(listed.out, "narrow-one-bit-type                 lives "));
    CHECK(holds(listed.out, "2 bugs in Halide: 1 lives in 14 (1 not known) and 0 in 19 (1 not known)\n"));
    // The issue says what the known bug's file says.
    const Ran filed = shell(
        scratch, haruspex + " file " + narrow + " --known " + (scratch / "known") + " --to " + (scratch / "filed"));
    CHECK(holds(filed.out, " (Halide 14)\n"));
    CHECK(holds(content_of(scratch / "filed/narrow-one-bit-type/report.md"), "- the bug lives in 14\n"));
}

TEST_CASE("versions tells builds of one version apart, and refuses to keep them") {
    Scratch scratch;
    const std::string text = HARUSPEX_SOURCE_DIR "/corpus/benchmarks/sdot.json";
    const Ran same = shell(scratch, haruspex + " versions " + text + " --with self");
    INFO(same.out + same.err);
    CHECK(same.exit_code == 0);
    CHECK(holds(same.out, "(here)"));
    CHECK(holds(same.out, "(self)"));
    CHECK(holds(same.out, "gone"));
    write(scratch / "v.sare", "sare s(W) {\n  f(x) = i32<x>\n  output f on { [x] : 0 <= x < W }\n}\n");
    write(scratch / "v.schedule", "f.vectorize(x, 4)\n");
    const Ran shown = shell(scratch, haruspex + " show " + (scratch / "v.sare") + " " + (scratch / "v.schedule") +
                                         " --size W=8 --as json > " + (scratch / "v.json"));
    REQUIRE(shown.exit_code == 0);
    const Ran mutant =
        shell(scratch, haruspex + " versions " + (scratch / "v.json") + " --with mutant:last_lane_repeats --json -");
    INFO(mutant.out + mutant.err);
    CHECK(mutant.exit_code == 1);
    CHECK(holds(mutant.out, "\"presence\": \"gone\""));
    CHECK(holds(mutant.out, "\"presence\": \"shows\""));
    CHECK(holds(mutant.out, "\"where\": \"mutant:last_lane_repeats\""));
    // Nothing is judged or written if the outcome cannot be kept.
    file_as("narrow-one-bit-type", scratch / "narrow");
    fs::create_directories(scratch / "known");
    write(scratch / "known/k.json",
          "{\"haruspex_known\": 1, \"status\": \"open\", \"reason\": \"r\", \"report\": \"../narrow\", "
          "\"fingerprints\": []}\n");
    const std::string before = content_of(scratch / "known/k.json");
    const Ran twice =
        shell(scratch, haruspex + " versions " + (scratch / "narrow") + " --with self --to " + (scratch / "known"));
    CHECK(twice.exit_code == 2);
    CHECK(twice.out.empty());
    CHECK(holds(twice.err, "here and self both have"));
    CHECK(content_of(scratch / "known/k.json") == before);
}

TEST_CASE("versions refuses what it cannot read") {
    Scratch scratch;
    CHECK(shell(scratch, haruspex + " versions " + (scratch / "nowhere")).exit_code == 2);
    file_as("narrow-one-bit-type", scratch / "narrow");
    const Ran where = shell(scratch, haruspex + " versions " + (scratch / "narrow") + " --with " + (scratch / "none"));
    CHECK(where.exit_code == 2);
    CHECK(where.out.empty());
    write(scratch / "p.jsonl", "{\"name\": \"narrow\", \"version\": \"14.0.0\"}\n");
    const Ran programs =
        shell(scratch, haruspex + " versions " + (scratch / "narrow") + " --programs-from " + (scratch / "p.jsonl"));
    CHECK(programs.exit_code == 2);
    CHECK(holds(programs.err, "p.jsonl:1:1: missing key \"fails\""));
    write(scratch / "k.json",
          "{\"haruspex_known\": 1, \"status\": \"open\", \"reason\": \"r\", \"upstream\": \"https://example.org\", "
          "\"fingerprints\": "
          "[{\"class\": \"wrong_code\", \"pass\": \"\", \"trouble\": \"\", \"features\": []}]}\n");
    const Ran known = shell(scratch, haruspex + " versions " + (scratch / "k.json"));
    CHECK(known.exit_code == 2);
    CHECK(holds(known.err, "the bug has no report"));
}
