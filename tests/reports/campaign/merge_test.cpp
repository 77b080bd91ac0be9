#include "reports/campaign/merge.h"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/campaign/settings.h"
#include "reports/store/sqlite.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

const compiler::Identity identity = ReferenceCompiler().identity();

campaign::Summary merged(const std::vector<fs::path>& folders, const fs::path& out) {
    auto summary = campaign::merge(folders, out, identity);
    INFO((summary ? std::string() : to_string(summary.error())));
    REQUIRE(summary.has_value());
    return *summary;
}

std::string refusal(const std::vector<fs::path>& folders, const fs::path& out,
                    const compiler::Identity& installed = identity) {
    const auto summary = campaign::merge(folders, out, installed);
    REQUIRE_FALSE(summary.has_value());
    CHECK_FALSE(fs::exists(out));
    for (const auto& entry : fs::directory_iterator(out.parent_path())) {
        CHECK_FALSE(store::is_temporary(entry.path()));
    }
    return to_string(summary.error());
}

// The options of a shard, in a folder of its own.
campaign::Options shard(campaign::Options whole, std::uint64_t number, std::uint64_t count) {
    whole.out += "-" + std::to_string(number) + "-" + std::to_string(count);
    whole.shard = campaign::Shard{number, count};
    return whole;
}

std::string integrity(const fs::path& out) {
    const store::sqlite::Connection connection(out / "campaign.sqlite");
    auto check = connection.prepare("PRAGMA integrity_check");
    return check.step() ? check.text(0) : "";
}

}  // namespace

TEST_CASE("the shards of a campaign have each of its cases once, and differ by at most one in length") {
    campaign::Options whole;
    whole.first = 5;
    for (const std::uint64_t cases : {0U, 1U, 7U, 100U}) {
        whole.cases = cases;
        for (const std::uint64_t count : {1U, 3U, 8U}) {
            std::uint64_t next = 5, least = cases, most = 0;
            for (std::uint64_t number = 1; number <= count; ++number) {
                campaign::Options one = whole;
                one.shard = campaign::Shard{number, count};
                const auto part = campaign::part_of(one);
                CHECK(part.first == next);
                next += *part.cases;
                least = std::min(least, *part.cases);
                most = std::max(most, *part.cases);
            }
            CHECK(next == 5 + cases);
            CHECK(most - least <= 1);
        }
    }
    // The end of the indices is the end of the last shard.
    whole.first = store::largest_index - 10;
    whole.cases = store::largest_index;
    whole.shard = campaign::Shard{2, 2};
    CHECK(campaign::part_of(whole).first == store::largest_index - 5);
    CHECK(campaign::part_of(whole).cases == 5);
}

TEST_CASE("a shard is I/N, counted from 1") {
    CHECK(campaign::parse_shard("3/8").value() == campaign::Shard{3, 8});
    CHECK(campaign::to_string(campaign::Shard{3, 8}) == "3/8");
    for (const char* wrong : {"", "3", "0/8", "9/8", "3/", "/8", "3/8/9", "-1/8", " 3/8", "3/0"}) {
        INFO(wrong);
        const auto parsed = campaign::parse_shard(wrong);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().message ==
              "expected a shard I/N with 1 <= I <= N, such as 3/8, found \"" + std::string(wrong) + "\"");
    }
}

TEST_CASE("shards merged are one run of the same cases, in whatever order they are given") {
    Scratch scratch;
    const auto whole = options(scratch / "straight", 61);
    const auto straight = run(whole, mixed_mischief);
    CHECK(straight.findings > 5);
    CHECK(straight.groups.size() > 1);
    for (const std::uint64_t count : {1U, 4U}) {
        std::vector<fs::path> folders;
        double seconds = 0;
        for (std::uint64_t number = count; number >= 1; --number) {
            const auto one = shard(whole, number, count);
            seconds += run(one, mixed_mischief).seconds;
            folders.push_back(one.out);
        }
        const fs::path out = scratch / ("merged-" + std::to_string(count)).c_str();
        const auto all = merged(folders, out);
        CHECK(outcome(out) == outcome(whole.out));
        CHECK(std::abs(all.seconds - seconds) < 1e-6);
        CHECK(all.seconds_by_stage.size() == straight.seconds_by_stage.size());
        CHECK(campaign::to_table(all).substr(0, 200) == campaign::to_table(straight).substr(0, 200));
        CHECK(integrity(out) == "ok");
        // It is a campaign like any other, and complete.
        const auto again = run(campaign::stored_options(out).value().value());
        CHECK(again.cases == 61);
        CHECK(outcome(out) == outcome(whole.out));
    }
}

TEST_CASE("what is stored beside the cases is merged, too") {
    Scratch scratch;
    auto whole = options(scratch / "straight", 24);
    whole.validate = true;
    whole.prophecies = true;
    const auto straight = run(whole, mixed_mischief);
    std::vector<fs::path> folders;
    for (const std::uint64_t number : {1U, 2U, 3U}) {
        const auto one = shard(whole, number, 3);
        run(one, mixed_mischief);
        folders.push_back(one.out);
    }
    const auto all = merged(folders, scratch / "merged");
    CHECK(all.proofs == straight.proofs);
    CHECK_FALSE(all.proofs.empty());
    CHECK(all.features == straight.features);
    CHECK(outcome(scratch / "merged") == outcome(whole.out));
    // Every table of a campaign is either merged or of runs and folders.
    const store::sqlite::Connection joined(scratch / "merged/campaign.sqlite"), one(whole.out / "campaign.sqlite");
    auto tables = one.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    int compared = 0;
    while (tables.step()) {
        const std::string table = tables.text(0);
        if (table == "runs") { continue; }
        INFO(table);
        const std::string count = "SELECT count(*) FROM " + table;
        CHECK(joined.integer(count) == one.integer(count));
        ++compared;
    }
    CHECK(compared >= 9);
}

TEST_CASE("merged merges are the merge of all, and campaigns that are no shards are merged as they are") {
    Scratch scratch;
    const auto whole = options(scratch / "straight", 40);
    run(whole, mixed_mischief);
    std::vector<fs::path> folders;
    for (const std::uint64_t number : {1U, 2U, 3U, 4U}) {
        const auto one = shard(whole, number, 4);
        run(one, mixed_mischief);
        folders.push_back(one.out);
    }
    // The shards of each half are not beside each other.
    const auto half = merged({folders[0], folders[2]}, scratch / "half");
    CHECK(half.cases == 20);
    CHECK(half.interrupted);
    merged({folders[1], folders[3]}, scratch / "other");
    merged({scratch / "other", scratch / "half"}, scratch / "merged");
    CHECK(outcome(scratch / "merged") == outcome(whole.out));

    auto first = options(scratch / "first", 15), second = options(scratch / "second", 25);
    second.first = 15;
    first.list_cases = false;
    run(first, mixed_mischief);
    run(second, mixed_mischief);
    merged({second.out, first.out}, scratch / "both");
    CHECK(outcome(scratch / "both") == outcome(whole.out));
}

TEST_CASE("cases that no folder has are left to whoever goes on with the merged campaign") {
    Scratch scratch;
    const auto whole = options(scratch / "straight", 60);
    run(whole, mixed_mischief);
    const auto first = shard(whole, 1, 3), second = shard(whole, 2, 3), third = shard(whole, 3, 3);
    run(first, mixed_mischief);
    // Stopped in the middle of a range.
    std::atomic<bool> stop{false};
    ReferenceCompiler compiler(mixed_mischief);
    const auto stopped = campaign::run(second, compiler, stop, [&](const campaign::Progress&) { stop = true; });
    REQUIRE(stopped.has_value());
    run(third, mixed_mischief);
    const auto some = merged({first.out, second.out, third.out}, scratch / "merged");
    CHECK(some.cases == 40 + stopped->cases);
    CHECK(some.interrupted == (stopped->cases < 20));
    // The first shard is lost.
    const auto fewer = merged({second.out, third.out}, scratch / "fewer");
    CHECK(fewer.interrupted);
    CHECK(fewer.cases == 20 + stopped->cases);
    for (const char* out : {"merged", "fewer"}) {
        const auto stored = campaign::stored_options(scratch / out).value().value();
        CHECK(stored.first == 0);
        CHECK(stored.cases == 60);
        CHECK_FALSE(run(stored, mixed_mischief).interrupted);
        CHECK(outcome(scratch / out) == outcome(whole.out));
    }
}

TEST_CASE("a shard goes on where it was, and no shard is made longer than it is") {
    Scratch scratch;
    const auto whole = options(scratch / "straight", 60);
    const auto one = shard(whole, 2, 3);
    run(one, mixed_mischief);
    const auto stored = campaign::stored_options(one.out).value().value();
    CHECK(stored.shard == campaign::Shard{2, 3});
    CHECK(stored.cases == 60);
    CHECK(run(stored, mixed_mischief).cases == 20);
    const auto refused = [&](const std::function<void(campaign::Options&)>& change) {
        auto other = one;
        change(other);
        ReferenceCompiler compiler;
        const auto summary = campaign::run(other, compiler, never, ignore);
        REQUIRE_FALSE(summary.has_value());
        return to_string(summary.error());
    };
    const std::string holds = one.out.string() + " holds a campaign with another ";
    CHECK(refused([](auto& other) {
              other.cases = 90;
          }).starts_with(holds + "cases of all shards: it has 60, this one 90"));
    CHECK(refused([](auto& other) { other.shard->number = 3; }).starts_with(holds + "shard: it has 2/3, this one 3/3"));
}

TEST_CASE("campaigns that are no parts of one are refused, and nothing is written") {
    Scratch scratch;
    const auto whole = options(scratch / "shard", 30);
    const auto first = shard(whole, 1, 3), second = shard(whole, 2, 3);
    run(first, mixed_mischief);
    run(second, mixed_mischief);
    const std::string before = outcome(first.out) + outcome(second.out);
    const fs::path out = scratch / "merged";
    CHECK(refusal({first.out, scratch / "nowhere"}, out) ==
          "no campaign in " + (scratch / "nowhere").string() + "; expected a folder of haruspex fuzz");
    CHECK_FALSE(fs::exists(scratch / "nowhere"));
    CHECK(refusal({first.out, first.out / "../shard-1-3"}, out) ==
          (first.out / "../shard-1-3").string() + " is given twice; expected each folder once");
    auto overlapping = options(scratch / "overlapping", 3);
    overlapping.first = 19;
    run(overlapping, mixed_mischief);
    CHECK(refusal({first.out, second.out, overlapping.out}, out) ==
          overlapping.out.string() +
              " has case 19, which a folder before it has, too; expected folders without a case in common");

    const std::string expected = "; expected campaigns of one version and one set of options";
    auto other = options(scratch / "other", 5);
    other.seed = 8;
    other.first = 50;
    run(other, mixed_mischief);
    CHECK(refusal({first.out, other.out}, out) == other.out.string() +
                                                      " holds a campaign with another seed: it has 8, " +
                                                      first.out.string() + " has 7" + expected);
    auto judged = options(scratch / "judged", 5);
    judged.first = 50;
    judged.validate = true;
    judged.other_sizes = 2;
    run(judged, mixed_mischief);
    CHECK(refusal({first.out, judged.out}, out) == judged.out.string() +
                                                       " holds a campaign with another other sizes: it has 2, " +
                                                       first.out.string() + " has none" + expected);
    compiler::Identity newer = identity;
    newer.version = "1.2.4";
    CHECK(refusal({first.out, second.out}, out, newer) ==
          first.out.string() +
              " holds a campaign with another compiler: it has halide 1.2.3, this haruspex has halide 1.2.4; "
              "expected campaigns of this version");

    // A finding that is not there would be lost.
    const auto finding = *fs::directory_iterator(fs::directory_iterator(second.out / "findings")->path());
    fs::rename(finding.path(), scratch / "gone");
    CHECK(refusal({first.out, second.out}, out).starts_with("cannot read " + finding.path().string()));
    fs::rename(scratch / "gone", finding.path());

    fs::create_directory(out);
    const auto taken = campaign::merge({first.out, second.out}, out, identity);
    REQUIRE_FALSE(taken.has_value());
    CHECK(to_string(taken.error()) == out.string() + " exists already; expected a name that is free");
    CHECK(fs::is_empty(out));
    CHECK(outcome(first.out) + outcome(second.out) == before);
}

TEST_CASE("a campaign that is at work is not merged") {
    Scratch scratch;
    const auto whole = options(scratch / "shard", 40);
    const auto one = shard(whole, 1, 2), other = shard(whole, 2, 2);
    run(other, mixed_mischief);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        ReferenceCompiler compiler;
        (void)campaign::run(one, compiler, never, [&](const campaign::Progress&) {
            (void)!::write(ends[1], "", 1);
            while (true) { ::pause(); }
        });
        ::_exit(0);
    }
    ::close(ends[1]);
    char told = 0;
    REQUIRE(::read(ends[0], &told, 1) == 1);
    CHECK(refusal({one.out, other.out}, scratch / "merged") ==
          one.out.string() + ": a process works on this campaign; expected one that ended");
    ::kill(process, SIGKILL);
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    // It may have done all its cases before it told us.
    const auto both = merged({one.out, other.out}, scratch / "merged");
    CHECK(both.interrupted == (both.cases < 40));
}
