#include <filesystem>
#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// `haruspex triage`, as a user meets it, on findings that stand in the corpus.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

void file_as(const std::string& bug, const fs::path& folder) {
    fs::create_directories(folder.parent_path());
    fs::copy(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/regress/open" / bug, folder);
}

}  // namespace

TEST_CASE("triage lists a campaign's bugs, smallest first, and writes an issue for each") {
    Scratch scratch;
    const fs::path found = scratch / "night/findings";
    // Two groups of one bug, and another one.
    file_as("min-accumulation-trimmed", found / "a" / "1-1");
    file_as("min-accumulation-trimmed", found / "b" / "1-2");
    file_as("correlated-equality", found / "c" / "1-3");
    const Ran ran =
        shell(scratch, haruspex + " triage " + (scratch / "night") + " --runs 40 --to " + (scratch / "issues"));
    INFO(ran.out);
    CHECK(ran.exit_code == 1);
    CHECK(ran.out.find("2 bugs in 3 groups") != std::string::npos);
    CHECK(ran.out.find("    2 cases  ") < ran.out.find("    1 cases  "));
    CHECK(fs::exists(scratch / "issues/a/report.md"));
    CHECK(fs::exists(scratch / "issues/a/repro.cpp"));
    CHECK_FALSE(fs::exists(scratch / "issues/b"));
    CHECK(fs::exists(scratch / "issues/c/report.md"));
    const Ran again =
        shell(scratch, haruspex + " triage " + (scratch / "night") + " --runs 1 --to " + (scratch / "issues"));
    CHECK(again.exit_code == 2);
    CHECK(again.err.find("exists already") != std::string::npos);
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
