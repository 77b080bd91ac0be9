// Each open bug in corpus/regress/open must still show as its folder says.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/halide/halide_compiler.h"
#include "oracle/pipeline/judge_case.h"
#include "reports/store/files.h"
#include "reports/store/store.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

const std::filesystem::path open_bugs = std::filesystem::path(HARUSPEX_SOURCE_DIR) / "corpus/regress/open";

// The folders with a case. A bug that needs a buffer which no case can describe has only a program.
std::vector<std::filesystem::path> filed_bugs() {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(open_bugs)) {
        if (std::filesystem::exists(entry.path() / "case.json")) { folders.push_back(entry.path()); }
    }
    std::ranges::sort(folders);
    return folders;
}

// Whether the interpreter shows the lowered program to be wrong.
bool is_shown_wrong(const std::optional<verdict::LoweredOutcome>& lowered) {
    return lowered && pipeline::is_wrong(*lowered);
}

}  // namespace

TEST_CASE("every open bug has a program and a line that says why it is the compiler's") {
    for (const auto& entry : std::filesystem::directory_iterator(open_bugs)) {
        INFO(entry.path().string());
        CHECK(std::filesystem::exists(entry.path() / "repro.cpp"));
        const auto why = store::read_file(entry.path() / "why.txt");
        REQUIRE(why.has_value());
        CHECK(why->size() > 40);
    }
}

TEST_CASE("every open bug still shows in the version that it was found in, and what is lowered wrong is refuted") {
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, compiler::Limits{});
    REQUIRE_FALSE(filed_bugs().empty());
    pipeline::Options options;
    options.validate = true;
    int refuted = 0;
    for (const auto& folder : filed_bugs()) {
        INFO(folder.string());
        const auto finding = store::load_finding(folder);
        INFO((finding ? "" : to_string(finding.error())));
        REQUIRE(finding.has_value());
        CHECK(finding->compiler.major > 0);
        if (finding->compiler.major != compiler->identity().major) { continue; }
        const auto judged = pipeline::judge_case(finding->c, server, compiler->identity(), options);
        CHECK(verdict::name(judged.verdict.cls) == verdict::name(finding->verdict.cls));
        if (!is_shown_wrong(judged.verdict.lowered)) { continue; }
        INFO("interpreted: " + to_string(*judged.verdict.lowered) +
             "; validator: " + to_string(judged.verdict.own_sizes.value()));
        // Refuted also means that the counterexample was replayed.
        CHECK(has_outcome(judged.verdict.own_sizes, verdict::Outcome::refuted));
        ++refuted;
    }
    // All but one of the bugs were found in Halide 14.
    CHECK((refuted > 0 || compiler->identity().major != 14));
}
