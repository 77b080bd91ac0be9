#include "reports/campaign/baseline.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "reports/campaign/case_file.h"
#include "reports/campaign/indices.h"
#include "tests/reports/campaign/campaign_support.h"
#include "tests/support/rejected.h"

namespace haruspex::campaign {
namespace {

Baseline some(const Rows& rows) {
    Baseline baseline;
    baseline.compiler = "halide 14.0.0";
    baseline.first = 100;
    baseline.cases = 12;
    baseline.other_sizes = 10;
    baseline.cases_from = "0123456789abcdef";
    baseline.rows = rows;
    baseline.judged = {{{"agrees", "", ""}, {100, 101, 102, 103, 105, 106, 107}},
                       {{"wrong_lowering", "(simplify, final]", "wrong_lowering-1"}, {104, 108, 109}},
                       {{"wrong_lowering", "(simplify, final]", "wrong_lowering-2"}, {110}}};
    return baseline;
}

const Rows rows = test::rows({{"for all sizes: 2 or more", {100, 101, 102, 107}},
                              {"at its sizes: undecided: evaluation", {103, 105}},
                              {"refuted: at its sizes", {104}},
                              {"undecided: coverage", {106, 108}}});

// Moves these cases to another row.
Rows with(Rows changed, const std::vector<std::uint64_t>& cases, const std::string& row) {
    for (const std::uint64_t index : cases) {
        for (auto& [name, indices] : changed) { std::erase(indices, index); }
        changed[*parse_row(row)].push_back(index);
    }
    for (auto& [name, indices] : changed) { std::ranges::sort(indices); }
    std::erase_if(changed, [](const auto& one) { return one.second.empty(); });
    return changed;
}

Comparison changes(const std::vector<std::uint64_t>& cases, const std::string& row) {
    const auto comparison = compare(some(rows), some(with(rows, cases, row)));
    if (!comparison) { FAIL(to_string(comparison.error())); }
    return *comparison;
}

}  // namespace

TEST_CASE("lists of cases are written as ranges and read back") {
    const std::vector<std::uint64_t> some{0, 1, 2, 3, 7, 9, 10};
    CHECK(to_text(some) == "0-3 7 9-10");
    CHECK(parse_indices("0-3 7 9-10") == some);
    CHECK(parse_indices("") == std::vector<std::uint64_t>{});
    for (const char* text : {"3-0", "1 1", "0 1", "5 4", "x", "1-", "-1", " 1", "1  2", "0-99999999999"}) {
        INFO(text);
        CHECK_FALSE(parse_indices(text).has_value());
    }
}

TEST_CASE("a baseline is read back as it was written") {
    const Baseline baseline = some(rows);
    const auto read = parse_baseline(to_json(baseline), "baseline.json");
    INFO((read ? "" : to_string(read.error())));
    REQUIRE(read.has_value());
    CHECK(*read == baseline);
    CHECK(to_json(baseline).find("\"decided\": 7,") != std::string::npos);
}

TEST_CASE("the corpus's baselines are as they would be written, each of the cases of the file beside it") {
    std::size_t baselines = 0;
    for (const auto& entry : std::filesystem::directory_iterator(HARUSPEX_SOURCE_DIR "/corpus/baseline")) {
        if (entry.path().extension() != ".json") { continue; }
        ++baselines;
        const std::string text = test::contents(entry.path().string());
        const auto baseline = parse_baseline(text, entry.path().string());
        INFO((baseline ? "" : to_string(baseline.error())));
        REQUIRE(baseline.has_value());
        CHECK(to_json(*baseline) == text);
        CHECK(baseline->rows.count(Row{Proof::unsound}) == 0);
        std::filesystem::path kept = entry.path();
        kept.replace_extension(".jsonl.gz");
        const auto file = read_case_file(kept);
        INFO((file ? "" : to_string(file.error())));
        REQUIRE(file.has_value());
        CHECK(file->digest == baseline->cases_from);
        CHECK(file->cases.size() == baseline->first + baseline->cases);
    }
    CHECK(baselines > 0);
}

TEST_CASE("malformed baselines are refused where they are wrong") {
    test::check_rejected(".baseline", 7,
                         [](std::string_view text, std::string_view file) { return parse_baseline(text, file); });
}

TEST_CASE("what is decided of more cases is better, what of fewer is worse, and each case is named") {
    CHECK(changes({}, "").table.find("cases") == std::string::npos);
    const Comparison better = changes({103, 106}, "for all sizes: 2 or more");
    CHECK((better.better == 2 && better.worse == 0 && better.other == 0));
    CHECK(better.table.find("better  undecided: coverage\n     -> for all sizes: 2 or more\n        cases 106\n") !=
          std::string::npos);
    CHECK(better.table.find("  undecided: coverage                                             2        1\n") !=
          std::string::npos);
    CHECK(better.table.find("decided                                                           7        8\n") !=
          std::string::npos);
    CHECK(changes({101}, "when P: 2 or more").worse == 1);
    CHECK(changes({101}, "at its sizes: undecided: value").worse == 1);
    CHECK(changes({104}, "undecided: coverage").worse == 1);
    CHECK(changes({106}, "unsupported: data-dependent index").other == 1);
    CHECK(changes({103}, "at its sizes: undecided: value").other == 1);
    CHECK(changes({106}, "unsound").worse == 1);
    // This case was not compiled before.
    CHECK(changes({109}, "for all sizes: 1").better == 1);
}

TEST_CASE("a proof where there was a refutation is worse, and so is the contrary, unless it is at other sizes") {
    CHECK(changes({104}, "for all sizes: 1").worse == 1);
    CHECK(changes({101}, "refuted: at its sizes").worse == 1);
    CHECK(changes({101}, "refuted: at other sizes").worse == 1);
    CHECK(changes({103}, "refuted: at its sizes").worse == 1);
    CHECK(changes({103}, "refuted: at other sizes").better == 1);
    CHECK(changes({106}, "refuted: at its sizes").better == 1);
}

TEST_CASE("baselines of other cases or of another compiler are not compared") {
    const auto refusal = [](auto change) {
        Baseline other = some(rows);
        change(other);
        const auto comparison = compare(some(rows), other);
        return comparison ? std::string() : to_string(comparison.error());
    };
    CHECK(refusal([](Baseline&) {}).empty());
    CHECK(refusal([](Baseline& b) { b.compiler = "halide 19.0.0"; }) ==
          "another compiler: halide 14.0.0 before, halide 19.0.0 now");
    CHECK(refusal([](Baseline& b) { b.cases = 11; }).starts_with("other cases"));
    CHECK(refusal([](Baseline& b) { b.cases_from = "0123456789abcdee"; }).starts_with("other cases"));
}

TEST_CASE(
    "another class or pass of a case is told, and so is another partition into groups, whatever the groups' names") {
    const auto against = [](auto change) {
        Baseline other = some(rows);
        change(other.judged);
        const auto comparison = compare(some(rows), other);
        REQUIRE(comparison.has_value());
        return *comparison;
    };
    using AllJudged = std::map<Judged, std::vector<std::uint64_t>>;
    const Judged agrees{"agrees", "", ""}, one{"wrong_lowering", "(simplify, final]", "wrong_lowering-1"},
        two{"wrong_lowering", "(simplify, final]", "wrong_lowering-2"};
    CHECK(against([](AllJudged&) {}).is_same());
    CHECK(against([&](AllJudged& judged) {
              judged[{one.cls, one.pass, "another name"}] = judged.at(one);
              judged.erase(one);
          }).is_same());
    const Comparison other_class = against([&](AllJudged& judged) {
        judged.at(agrees) = {100, 101, 102, 103, 105, 106};
        judged[{"wrong_code", "", "wrong_code-1"}] = {107};
    });
    CHECK(other_class.judged_otherwise == 1);
    CHECK(other_class.grouped_otherwise == 0);
    CHECK(other_class.table.find("judged  agrees\n     -> wrong_code\n        cases 107\n") != std::string::npos);
    const Comparison other_pass = against([&](AllJudged& judged) {
        judged[{two.cls, "(unroll_loops, final]", two.group}] = judged.at(two);
        judged.erase(two);
    });
    CHECK((other_pass.judged_otherwise == 1 && other_pass.grouped_otherwise == 0));
    // 109 leaves the group of 104 and 108 for that of 110: all four now share a group with other cases.
    const Comparison other_group = against([&](AllJudged& judged) {
        judged.at(one) = {104, 108};
        judged.at(two) = {109, 110};
    });
    CHECK((other_group.judged_otherwise == 0 && other_group.grouped_otherwise == 4));
    // 104 is missing, which is not a difference.
    CHECK(against([&](AllJudged& judged) { judged.at(one) = {108, 109}; }).is_same());
}

TEST_CASE("a campaign's baseline has every case, for any number of jobs, and a part of it is that of the part alone") {
    test::Scratch scratch;
    const std::filesystem::path file = scratch / "cases.jsonl";
    std::string lines;
    for (std::uint64_t index = 0; index < 40; ++index) {
        lines += cases::to_json(random::campaign_case(7, index, {}, schedule::halide::language(14))) + "\n";
    }
    REQUIRE(store::write_atomically(file, lines).has_value());
    const auto campaign = [&](const char* folder, std::uint64_t first, std::uint64_t cases, int jobs) {
        campaign::Options o = test::options(scratch / folder, cases, jobs);
        o.first = first;
        o.cases_from = file;
        o.validate = true;
        const auto summary = test::run(o, test::mixed_mischief);
        auto baseline = baseline_of(o.out);
        INFO((baseline ? "" : to_string(baseline.error())));
        REQUIRE(baseline.has_value());
        return std::pair{*baseline, summary};
    };
    const auto [whole, summary] = campaign("whole", 5, 30, 1);
    CHECK(whole.rows.at(*parse_row("not asked: agrees")).size() == summary.by_class.at("agrees"));
    CHECK(totals_of(whole.rows).compiled == 30 - summary.by_class.at("rejected"));
    std::size_t judged = 0, in_a_group = 0;
    for (const auto& [how, indices] : whole.judged) {
        judged += indices.size();
        in_a_group += how.group.empty() ? 0 : indices.size();
    }
    CHECK(judged == 30);
    CHECK(in_a_group == summary.findings);
    CHECK(whole == campaign("two jobs", 5, 30, 2).first);
    CHECK(campaign("part", 18, 17, 2).first == *slice(whole, 18, 17));
    CHECK(slice(whole, 20, 0)->rows.empty());

    const auto refusal = [](const auto& result) { return result ? std::string() : to_string(result.error()); };
    CHECK(refusal(slice(whole, 4, 3)) == "the baseline has the 30 cases from 5 alone");
    CHECK(refusal(slice(whole, 36, 0)) == "the baseline has the 30 cases from 5 alone");
    CHECK(refusal(slice(whole, 18, 18)) == "the baseline has the 30 cases from 5 alone");
}

TEST_CASE("the rows of some of a baseline's cases are replaced, and those of the others stay") {
    const Baseline before = some(rows);
    Baseline part = *slice(before, 103, 3);
    CHECK(replaced(before, part) == before);
    // 103 moves to a new row, and its old row remains; 104 was alone in its row, which disappears; 105 moves to a row
    // that also has other cases.
    part.rows = test::rows({{"for all sizes: 2 or more", {104, 105}}, {"when P: 1", {103}}});
    part.judged = {{{"agrees", "", ""}, {104, 105}}, {{"wrong_code", "", "wrong_code-1"}, {103}}};
    const auto after = replaced(before, part);
    REQUIRE(after);
    CHECK(after->rows == test::rows({{"for all sizes: 2 or more", {100, 101, 102, 104, 105, 107}},
                                     {"undecided: coverage", {106, 108}},
                                     {"when P: 1", {103}}}));
    CHECK(after->judged.at({"agrees", "", ""}) == std::vector<std::uint64_t>{100, 101, 102, 104, 105, 106, 107});
    CHECK(after->judged.at({"wrong_lowering", "(simplify, final]", "wrong_lowering-1"}) ==
          std::vector<std::uint64_t>{108, 109});
    CHECK(*slice(*after, 103, 3) == part);
    CHECK(slice(*after, 100, 3) == slice(before, 100, 3));

    const auto refusal = [](const auto& result) { return result ? std::string() : to_string(result.error()); };
    part.first = 110;
    CHECK(refusal(replaced(before, part)) == "the baseline has the 12 cases from 100 alone");
    part.compiler = "halide 19.0.0";
    CHECK(refusal(replaced(before, part)).starts_with("another compiler"));
    part = *slice(before, 100, 1);
    part.cases_from = "0123456789abcdee";
    CHECK(refusal(replaced(before, part)).starts_with("other cases"));
    part = *slice(before, 100, 1);
    part.other_sizes = 3;
    CHECK(refusal(replaced(before, part)) == "a campaign with other sizes");
}

TEST_CASE("what is no campaign with the validator, or not done, has no baseline") {
    test::Scratch scratch;
    CHECK_FALSE(baseline_of(scratch / "nowhere").has_value());
    test::run(test::options(scratch / "without", 5));
    const auto without = baseline_of(scratch / "without");
    REQUIRE_FALSE(without.has_value());
    CHECK(without.error().message.ends_with("a campaign without the validator"));
    campaign::Options drawn = test::options(scratch / "drawn", 5);
    drawn.validate = true;
    test::run(drawn);
    CHECK(baseline_of(drawn.out).error().message.ends_with("a campaign that drew its cases"));
    std::ofstream(scratch / "summary.json") << "{}";
    std::ofstream(scratch / "cases.jsonl") << "";
    const auto empty = baseline_of(scratch.path());
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.error().message.find("not the summary of a campaign") != std::string::npos);
}

}  // namespace haruspex::campaign
