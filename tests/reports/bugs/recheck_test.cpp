#include "reports/bugs/recheck.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/bugs/compare.h"
#include "reports/bugs/recheck_json.h"
#include "tests/support/catch.h"
#include "tests/support/rejected.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;
using verdict::Class;

const std::string interval = "(unroll_loops, vectorize_loops]";

verdict::Verdict verdict_of(Class cls, const std::string& pass = interval) {
    verdict::Verdict v;
    v.cls = cls;
    v.lowered = a_lowered("f(3) is 7i32, expected 5i32; 3 of 20 cells differ");
    v.pass = a_pass(pass);
    return v;
}

store::Finding finding_of(const std::string& version) {
    store::Finding finding;
    finding.verdict = verdict_of(Class::wrong_lowering);
    finding.compiler = {"halide", version, 14};
    return finding;
}

const compiler::Identity halide_14{"halide", "14.0.0", 14};
const ReportFolder open_report{"regress/open/a", "open/a", Place::open, true};

Rechecked when(const Result<verdict::Verdict>& now, const std::string& found_in = "14.0.0") {
    return recheck(open_report, finding_of(found_in), [&](const store::Finding&) { return now; }, halide_14);
}

void touch(const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "";
}

Recheck sample() {
    return {"halide",
            "14.0.0",
            "libhalide14-0 14.0.0-3",
            {{"open/a", Place::open, State::fails, "14.0.0", "wrong_lowering value", "wrong_lowering value"},
             {"open/b", Place::open, State::program_only, "", "", ""}}};
}

}  // namespace

TEST_CASE("a report fails while its symptom shows, differs when another does, and is fixed when none does") {
    CHECK(when(verdict_of(Class::wrong_lowering)).state == State::fails);
    CHECK(when(verdict_of(Class::wrong_lowering)).now == "wrong_lowering value " + interval);
    CHECK(when(verdict_of(Class::wrong_lowering, "(a, b]")).state == State::differs);
    CHECK(when(verdict_of(Class::wrong_code)).state == State::differs);
    // The native run is right now, so the bug is latent.
    CHECK(when(verdict_of(Class::latent_bug)).state == State::differs);
    CHECK(when(verdict_of(Class::agrees)).state == State::fixed);
    CHECK(when(verdict_of(Class::rejected)).state == State::fixed);
    CHECK(when(fail("no such directive")).state == State::refused);
    CHECK(when(fail("no such directive")).now == "no such directive");
    CHECK(when(verdict_of(Class::harness_failure)).state == State::fault);
    CHECK(when(verdict_of(Class::translation_fault)).state == State::fault);
}

TEST_CASE("a report is not fixed where the answer does not decide") {
    store::Finding latent = finding_of("14.0.0");
    latent.verdict = verdict_of(Class::latent_bug);
    latent.verdict.lowered = a_lowered("read_write_race: reads f[0]");
    const auto state = [&](const std::string& lowered) {
        verdict::Verdict now = verdict_of(Class::agrees);
        now.lowered = a_lowered(lowered);
        return recheck(open_report, latent, [&](const store::Finding&) { return now; }, halide_14).state;
    };
    CHECK(state("agrees") == State::fixed);
    CHECK(state("") == State::not_decided);
    CHECK(state("unsupported: an intrinsic") == State::not_decided);
}

TEST_CASE("passes of another version may have other names, and an older version need not have the bug yet") {
    CHECK(when(verdict_of(Class::wrong_lowering, "(a, b]"), "13.0.1").state == State::fails);
    CHECK(when(verdict_of(Class::wrong_code), "13.0.1").state == State::differs);
    CHECK(when(verdict_of(Class::agrees), "13.0.1").state == State::fixed);
    CHECK(when(verdict_of(Class::agrees), "19.0.0").state == State::not_yet);
    CHECK(is_older("9.1", "14.0.0"));
    CHECK(is_older("14.0", "14.0.1"));
    CHECK_FALSE(is_older("14.0.0", "14.0.0"));
    CHECK_FALSE(is_older("19.0.0", "14.0.0"));
}

TEST_CASE("an open bug must show and a mended one must not") {
    const auto changed = [](Place place, State state) {
        return is_changed({"a", place, state, "14.0.0", "", ""}, halide_14);
    };
    CHECK_FALSE(changed(Place::open, State::fails));
    CHECK(changed(Place::open, State::fixed));
    CHECK(changed(Place::open, State::differs));
    CHECK(changed(Place::fixed, State::fails));
    CHECK_FALSE(changed(Place::fixed, State::fixed));
    CHECK(changed(Place::fixed, State::differs));
    for (const Place place : {Place::open, Place::fixed}) {
        CHECK_FALSE(changed(place, State::not_yet));
        CHECK_FALSE(changed(place, State::program_only));
        CHECK_FALSE(changed(place, State::not_decided));
        CHECK(changed(place, State::refused));
        CHECK_FALSE(is_changed({"a", place, State::refused, "19.0.0", "", ""}, halide_14));
    }
}

TEST_CASE("a suppression whose bug is not any more what it says is announced") {
    const auto said = [](Status status, State state) {
        const std::vector<Known> known{{"k", status, "r", "../regress/open/a", {}, {}},
                                       {"elsewhere", Status::open, "r", "../regress/open/z", {}, {}},
                                       {"upstream", Status::open, "r", "", {LookUp::found, "https://example.org"}, {}}};
        const Recheck recheck{"halide", "14.0.0", "", {{"open/a", Place::open, state, "14.0.0", "", ""}}};
        const Recheck alone{"halide", "14.0.0", "", {{"a", Place::open, state, "14.0.0", "", ""}}};
        const auto lines = announcements(known, "corpus/known", recheck, "corpus/regress");
        CHECK(announcements(known, "corpus/known", alone, "corpus/regress/open/a") == lines);
        return lines;
    };
    using Lines = std::vector<std::string>;
    CHECK(said(Status::open, State::fixed) == Lines{"k does not show any more: its suppression is without use"});
    CHECK(said(Status::documented, State::fixed).size() == 1);
    CHECK(said(Status::open, State::differs).size() == 1);
    CHECK(said(Status::fixed, State::fails) == Lines{"k is said to be mended, and shows"});
    CHECK(said(Status::open, State::fails).empty());
    CHECK(said(Status::open, State::not_yet).empty());
    CHECK(said(Status::fixed, State::fixed).empty());
    // The status of a bug that counts as another is that of the other.
    const std::vector<Known> merged{{.name = "k", .reason = "r", .report = "../regress/open/a", .same_as = "m"},
                                    {.name = "m", .status = Status::fixed, .reason = "r", .report = "../b"}};
    const Recheck shows{"halide", "14.0.0", "", {{"open/a", Place::open, State::fails, "14.0.0", "", ""}}};
    CHECK(announcements(merged, "corpus/known", shows, "corpus/regress") == Lines{"k is said to be mended, and shows"});
}

TEST_CASE("reports are found at every depth, and a folder named fixed says that they are mended") {
    const fs::path top = fs::temp_directory_path() / "haruspex-report-folders";
    fs::remove_all(top);
    touch(top / "open/b/case.json");
    touch(top / "open/a/repro.cpp");
    touch(top / "fixed/c/case.json");
    touch(top / "open/nothing/notes.txt");
    const auto reports = report_folders(top / "");
    REQUIRE(reports.has_value());
    std::vector<std::string> names;
    for (const ReportFolder& report : *reports) { names.push_back(report.name); }
    CHECK(names == std::vector<std::string>{"fixed/c", "open/a", "open/b"});
    CHECK(reports->at(0).place == Place::fixed);
    CHECK(reports->at(1).place == Place::open);
    CHECK_FALSE(reports->at(1).has_case);
    CHECK(reports->at(2).has_case);
    // Reports anywhere below fixed count as fixed; a report's own folder may be given, too.
    const auto one = report_folders(top / "fixed/c");
    REQUIRE(one.has_value());
    REQUIRE(one->size() == 1);
    CHECK(one->at(0).name == "c");
    CHECK(one->at(0).place == Place::fixed);
    CHECK_FALSE(report_folders(top / "open/nothing").has_value());
    CHECK_FALSE(report_folders(top / "nowhere").has_value());
    fs::remove_all(top);
}

TEST_CASE("a recheck comes back from its JSON, and malformed ones are refused where they are wrong") {
    const auto parsed = parse_recheck(to_json(sample()), "a.json");
    REQUIRE(parsed.has_value());
    CHECK(*parsed == sample());
    test::check_rejected(".recheck", 4,
                         [](std::string_view text, std::string_view file) { return parse_recheck(text, file); });
}

TEST_CASE("the schema of a recheck knows every place and state, and its keys") {
    std::ifstream file(HARUSPEX_SOURCE_DIR "/corpus/schema/recheck-1.json");
    const auto schema = nlohmann::json::parse(file);
    const auto written = nlohmann::json::parse(to_json(sample()));
    for (const auto& key : schema.at("required")) { CHECK(written.contains(key)); }
    CHECK(written.size() == schema.at("properties").size());
    const auto& report = schema.at("$defs").at("report");
    for (const auto& key : report.at("required")) { CHECK(written.at("reports")[0].contains(key)); }
    CHECK(written.at("reports")[0].size() == report.at("properties").size());
    std::vector<std::string> places, states;
    for (int i = 0; i < place_count; ++i) { places.emplace_back(name(static_cast<Place>(i))); }
    for (int i = 0; i < state_count; ++i) { states.emplace_back(name(static_cast<State>(i))); }
    CHECK(report.at("properties").at("place").at("enum") == places);
    CHECK(report.at("properties").at("state").at("enum") == states);
}

TEST_CASE("two versions are compared report by report, what differs first") {
    Recheck other = sample();
    other.version = "19.0.0";
    // The same bug, in a pass with another name.
    other.reports[0].now = "wrong_lowering value (a, b]";
    CHECK(compare({sample(), other})[0].agrees);
    other.reports[1].state = State::fixed;
    other.reports.push_back({"open/c", Place::open, State::fails, "19.0.0", "wrong_code", "wrong_code"});
    const auto reports = compare({sample(), other});
    REQUIRE(reports.size() == 3);
    CHECK(reports[0].agrees);
    CHECK_FALSE(reports[1].agrees);
    CHECK_FALSE(reports[2].agrees);
    CHECK(table({sample(), other}, reports) ==
          "halide 14.0.0          halide 19.0.0\n"
          "program_only           fixed                  open/b\n"
          "-                      fails: wrong_code      open/c\n"
          "fails: wrong_lowering  fails: wrong_lowering  open/a\n"
          "2 of 3 reports differ\n");
}

}  // namespace haruspex::bugs
