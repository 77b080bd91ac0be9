#include <filesystem>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex recheck` and `compare`, as a user meets them, on findings from the corpus.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

}  // namespace

TEST_CASE("recheck says which reports still show, and that one that is filed as mended does") {
    // The bug is Halide 14's.
    if (halide_major() != 14) { return; }
    Scratch scratch;
    file_as("narrow-one-bit-type", scratch / "regress/open/narrow");
    file_as("async-reads-what-consumer-produces", scratch / "regress/open/async");
    const std::string json = scratch / "a.json";
    const Ran open = shell(scratch, haruspex + " recheck " + (scratch / "regress") + " --json " + json);
    INFO(open.out + open.err);
    CHECK(open.exit_code == 0);
    CHECK(open.out.find("fails           open/narrow\n") != std::string::npos);
    CHECK(shell(scratch, haruspex + " recheck " + (scratch / "regress") + " --json -").out == content_of(json));
    CHECK(open.out.find("program_only    open/async\n") != std::string::npos);
    CHECK(open.out.find("scripts/test-reports") != std::string::npos);
    CHECK(open.out.find("2 reports: 1 fails, 1 program_only\n") != std::string::npos);

    fs::rename(scratch / "regress/open", scratch / "regress/fixed");
    const Ran fixed = shell(scratch, haruspex + " recheck " + (scratch / "regress"));
    CHECK(fixed.exit_code == 1);
    CHECK(fixed.out.find("fails         ! fixed/narrow\n") != std::string::npos);

    CHECK(shell(scratch, haruspex + " compare " + json + " " + json).exit_code == 0);
    std::string other = content_of(json);
    const auto at = other.find("\"fails\"");
    REQUIRE(at != std::string::npos);
    write(scratch / "b.json", other.replace(at, 7, "\"fixed\""));
    const Ran compared = shell(scratch, haruspex + " compare " + json + " " + (scratch / "b.json"));
    CHECK(compared.exit_code == 1);
    CHECK(compared.out.find("1 of 2 reports differ\n") != std::string::npos);
}

TEST_CASE("reproduce asks for all sizes, and runs the case where they are refuted") {
    Scratch scratch;
    const std::string bug = std::string(HARUSPEX_SOURCE_DIR) + "/corpus/regress/open/correlated-equality";
    const Ran ran = shell(scratch, haruspex + " reproduce --all-sizes " + bug);
    INFO(ran.out + ran.err);
    CHECK(ran.exit_code == 1);
    // Stored with Halide 14; other versions have other passes, or order them otherwise.
    CHECK(ran.out.find(halide_major() == 14 ? "the finding still shows, exactly as stored\n"
                                            : "the finding still shows") == 0);
    const auto all = ran.out.find("\nfor all sizes\nrefuted: value: ");
    REQUIRE(all != std::string::npos);
    const auto there = ran.out.find("\nat W=", all);
    REQUIRE(there != std::string::npos);
    CHECK(ran.out.find("class     wrong_lowering\n", there) != std::string::npos);
    CHECK(shell(scratch, haruspex + " reproduce " + bug).out.find("for all sizes") == std::string::npos);
}

TEST_CASE("recheck and compare refuse what they cannot read") {
    Scratch scratch;
    CHECK(shell(scratch, haruspex + " recheck " + (scratch / "nowhere")).exit_code == 2);
    write(scratch / "a.json", "{}");
    const Ran ran = shell(scratch, haruspex + " compare " + (scratch / "a.json") + " " + (scratch / "a.json"));
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("a.json:1:1") != std::string::npos);
    CHECK(shell(scratch, haruspex + " compare " + (scratch / "a.json")).exit_code == 2);
    // The error comes before any report is judged.
    file_as("narrow-one-bit-type", scratch / "regress/open/narrow");
    const Ran unwritable =
        shell(scratch, haruspex + " recheck " + (scratch / "regress") + " --json " + (scratch / "none/a.json"));
    CHECK(unwritable.exit_code == 2);
    CHECK(unwritable.out.empty());
    CHECK(unwritable.err.find("a.json") != std::string::npos);
    fs::create_directories(scratch / "regress/open/other");
    write(scratch / "regress/open/other/case.json", "{}");
    const Ran unreadable = shell(scratch, haruspex + " recheck " + (scratch / "regress"));
    CHECK(unreadable.exit_code == 2);
    CHECK(unreadable.out.empty());
    CHECK(unreadable.err.find("other is not a finding's folder") != std::string::npos);
}
