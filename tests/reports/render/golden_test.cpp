// The complete reports for maintainers. HARUSPEX_ACCEPT=1 updates them; read them before committing.

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/halide/halide_compiler.h"
#include "reports/render/html.h"
#include "reports/render/report.h"
#include "reports/store/files.h"
#include "reports/store/store.h"
#include "tests/reports/render/program_text.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

namespace fs = std::filesystem;

const fs::path open_bugs = fs::path(HARUSPEX_SOURCE_DIR) / "corpus/regress/open";

void check_golden(const fs::path& file, const std::string& text) {
    INFO(file.string());
    if (std::getenv("HARUSPEX_ACCEPT") != nullptr) { REQUIRE(store::write_atomically(file, text).has_value()); }
    const auto expected = store::read_file(file);
    REQUIRE(expected.has_value());
    CHECK(text == *expected);
}

store::Finding finding_of(const std::string& bug) {
    auto finding = store::load_finding(open_bugs / bug);
    INFO((finding ? "" : to_string(finding.error())));
    REQUIRE(finding.has_value());
    return *finding;
}

// An installation from Debian's packages.
render::Installation installation_of(const store::Finding& finding) {
    const std::string number = std::to_string(finding.compiler.major);
    return {finding.compiler, "libhalide" + number + "-0", "-I/usr/include/halide" + number + " -lHalide" + number};
}

}  // namespace

TEST_CASE("every open bug that has a case has the program that is rendered of it, of at most sixty lines") {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(open_bugs)) {
        if (!fs::exists(entry.path() / "case.json")) { continue; }
        const store::Finding finding = finding_of(entry.path().filename());
        const auto program = program_text(finding.c, finding.verdict, installation_of(finding).flags);
        REQUIRE(program.has_value());
        check_golden(entry.path() / render::halide::program_file, *program);
        CHECK(std::ranges::count(*program, '\n') <= 60);
        ++count;
    }
    CHECK(count >= 40);
}

TEST_CASE("reports of the open bugs") {
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, compiler::Limits{});
    int compared = 0;
    for (const std::string bug : {"min-accumulation-trimmed", "tuple-update-reads-new-component",
                                  "nested-split-loses-guard", "predicate-stores-garbage", "narrow-one-bit-type",
                                  "unused-function-at-level", "fused-loops-widen", "rfactor-loses-strict-float",
                                  "cast-of-cast-from-float", "sliding-window-warm-up", "tuple-output-unchecked"}) {
        INFO(bug);
        const store::Finding finding = finding_of(bug);
        // Lowered statements depend on the version.
        if (finding.compiler.major != compiler->identity().major) { continue; }
        const auto report = render::report(
            finding.c, finding.verdict, render::gather(finding.c, finding.verdict, server), installation_of(finding));
        REQUIRE(report.has_value());
        CHECK(report->files.at("report.md").starts_with("# " + report->title + "\n"));
        check_golden(fs::path(HARUSPEX_SOURCE_DIR) / "tests/reports/render/golden" / (bug + ".md"),
                     report->files.at("report.md"));
        ++compared;
    }
    CHECK((compared >= 10 || compiler->identity().major != 14));
}

TEST_CASE("a report has a program with prophecies and a solver's question where there are any, and no empty files") {
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, compiler::Limits{});
    const store::Finding finding = finding_of("tuple-update-reads-new-component");
    if (finding.compiler.major != compiler->identity().major) { return; }
    const render::Evidence evidence = render::gather(finding.c, finding.verdict, server);
    const auto report = render::report(finding.c, finding.verdict, evidence, installation_of(finding));
    REQUIRE(report.has_value());
    CHECK(report->files.at("obligation.smt2").find("(check-sat)") != std::string::npos);
    CHECK(report->files.at("program.sched").starts_with("sched bug("));
    const auto bare = render::report(finding.c, finding.verdict, {}, installation_of(finding));
    REQUIRE(bare.has_value());
    CHECK(bare->files.size() == 4);
    const auto elsewhere = render::report(finding.c, finding.verdict, {}, installation_of(finding),
                                          {"14 and 19", "lives in 14 and 19, mended in 21"});
    REQUIRE(elsewhere.has_value());
    CHECK(elsewhere->title == bare->title + " (Halide 14 and 19)");
    CHECK(elsewhere->files.at("report.md").starts_with("# " + elsewhere->title + "\n"));
    CHECK(elsewhere->files.at("report.md").ends_with("- the bug lives in 14 and 19, mended in 21\n"));
    CHECK(bare->files.at("report.md").find("the bug lives") == std::string::npos);
    const std::string& page = report->files.at(render::page_file);
    CHECK(page.find("<h1>" + render::escaped(report->title) + "</h1>") != std::string::npos);
    CHECK(page.find(render::escaped(report->pipeline)) != std::string::npos);
    CHECK(page.find("<a href=\"obligation.smt2\">") != std::string::npos);
    CHECK(bare->files.at(render::page_file).find("obligation.smt2") == std::string::npos);
    CHECK(bare->files.at("report.md").find("In symbols") == std::string::npos);
}
