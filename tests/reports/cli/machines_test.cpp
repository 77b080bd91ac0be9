// Campaigns in shards, and what commands write for other programs: events, JUnit, SARIF.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

// Everything in a campaign's folder but times, locks and the name of the folder: path -> content.
std::map<std::string, std::string> contents(const fs::path& campaign) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(campaign)) {
        const fs::path name = entry.path().lexically_relative(campaign);
        const bool tells_of_us = name.string().starts_with("campaign.") || name == ".haruspex";
        if (entry.is_directory() || tells_of_us || name.filename() == "reproduce.txt") { continue; }
        files[name] = content_of(entry.path());
    }
    Json summary = Json::parse(files.at("summary.json"));
    summary.erase("timing");
    files["summary.json"] = summary.dump();
    return files;
}

// The list of distinct bugs that a command prints, without the names of folders.
std::string bugs_in(std::string out, const std::string& campaign) {
    const auto at = out.find("distinct bugs\n");
    REQUIRE(at != std::string::npos);
    out.erase(0, at);
    for (auto place = out.find(campaign); place != std::string::npos; place = out.find(campaign)) {
        out.replace(place, campaign.size(), "DIR");
    }
    return out;
}

std::vector<Json> lines_of(const std::string& file) {
    std::ifstream stream(file);
    std::vector<Json> lines;
    for (std::string line; std::getline(stream, line);) { lines.push_back(Json::parse(line)); }
    return lines;
}

std::vector<Json> of_kind(const std::vector<Json>& events, const std::string& kind) {
    std::vector<Json> found;
    std::ranges::copy_if(events, std::back_inserter(found), [&](const Json& one) { return one.at("event") == kind; });
    return found;
}

// Runs a campaign in one piece and in shards, and compares.
void check_shards(const std::string& options, int count) {
    Scratch scratch;
    const std::string whole = scratch / "whole", merged = scratch / "merged";
    const Ran straight = shell(scratch, haruspex + " fuzz " + options + " --list --triage-runs 60 --out " + whole);
    INFO(straight.err);
    REQUIRE(straight.exit_code == 1);
    std::string folders;
    for (int number = count; number >= 1; --number) {
        const std::string shard = scratch / ("shard" + std::to_string(number));
        const Ran ran = shell(scratch, haruspex + " fuzz " + options + " --list --triage-runs 0 --shard " +
                                           std::to_string(number) + "/" + std::to_string(count) + " --out " + shard);
        INFO(ran.err);
        REQUIRE(ran.exit_code <= 1);
        folders += " " + shard;
    }
    const Ran all = shell(scratch, haruspex + " merge" + folders + " --triage-runs 60 --jobs 2 --out " + merged);
    INFO(all.err);
    CHECK(all.exit_code == 1);
    const auto expected = contents(whole), found = contents(merged);
    for (const auto& [name, content] : expected) {
        INFO(name);
        REQUIRE(found.contains(name));
        CHECK(found.at(name) == content);
    }
    CHECK(found.size() == expected.size());
    CHECK(found.contains("issues/index.html"));
    CHECK(bugs_in(all.out, merged) == bugs_in(straight.out, whole));
}

}  // namespace

TEST_CASE("shards of a toy's campaign merged are one run, with its bugs and its page") {
    check_shards("--compiler toy --seed 4 --cases 120", 4);
}

TEST_CASE("shards of a campaign merged are one run, with its bugs and its page") {
    check_shards("--seed 7 --cases 40 --no-native", 3);
}

TEST_CASE("a shard is refused without what all shards share, and a merge without campaigns of one kind") {
    Scratch scratch;
    const std::string fuzz = "cd " + (scratch / "") + " && " + haruspex + " fuzz --compiler toy --triage-runs 0 ";
    const auto refused = [&](const std::string& command, const std::string& words) {
        const Ran ran = shell(scratch, command);
        INFO(command << "\n" << ran.err);
        CHECK(ran.exit_code == 2);
        CHECK(ran.err.find(words) != std::string::npos);
    };
    refused(fuzz + "--seed 4 --shard 1/2 --out a",
            "--shard without --cases: expected the number of cases of all shards");
    refused(fuzz + "--cases 9 --shard 1/2 --out a", "--shard without --seed: expected the seed of all shards");
    refused(fuzz + "--seed 4 --cases 9 --shard 3/2 --out a",
            "expected a shard I/N with 1 <= I <= N, such as 3/8, found \"3/2\"");
    CHECK_FALSE(fs::exists(scratch / "a"));
    REQUIRE(shell(scratch, fuzz + "--seed 4 --cases 9 --shard 1/2 --out a").exit_code <= 1);
    // Omitted options are those of the folder.
    REQUIRE(shell(scratch, fuzz + "--out a").exit_code <= 1);
    CHECK(Json::parse(content_of(scratch / "a/summary.json")).at("results").at("cases") == 5);
    refused(fuzz + "--cases 20 --out a", "cases of all shards: it has 9, this one 20");
    REQUIRE(shell(scratch, fuzz + "--seed 5 --cases 9 --shard 2/2 --out b").exit_code <= 1);
    const std::string merge = "cd " + (scratch / "") + " && " + haruspex + " merge ";
    refused(merge + "a b --out c", "b holds a campaign with another seed: it has 5, a has 4");
    refused(merge + "a c --out d", "no campaign in c; expected a folder of haruspex fuzz");
    refused(merge + "a --out b", "b exists already; expected a name that is free");
    refused(merge + "--out c", "campaign");
    CHECK_FALSE(fs::exists(scratch / "c"));
}

TEST_CASE("events tell what is in the folder, as the schema says") {
    Scratch scratch;
    const std::string night = scratch / "night", file = scratch / "events.jsonl";
    // A writer that was killed in the middle of a line.
    write(file, "{\"haruspex_event\":1,\"ev");
    const std::string fuzz =
        haruspex + " fuzz --compiler toy --seed 4 --triage-runs 60 --events " + file + " --out " + night;
    const Ran ran = shell(scratch, fuzz + " --cases 80");
    INFO(ran.err);
    REQUIRE(ran.exit_code == 1);
    std::string text = content_of(file);
    text.erase(0, text.find('\n') + 1);
    write(file, text);
    const auto events = lines_of(file);
    REQUIRE(events.size() > 5);
    CHECK(events.front().at("event") == "begin");
    CHECK(events.front().at("cases") == 80);
    CHECK(events.front().at("shard").is_null());
    CHECK(events.back().at("event") == "triaged");
    const Json summary = Json::parse(content_of(night + "/summary.json"));
    std::map<std::string, std::vector<std::uint64_t>> groups;
    for (const Json& finding : of_kind(events, "finding")) {
        groups[finding.at("group")].push_back(finding.at("index"));
        CHECK(fs::exists(fs::path(night) / finding.at("folder").get<std::string>() / "case.json"));
    }
    CHECK(Json(groups) == summary.at("results").at("groups"));
    const auto ends = of_kind(events, "end");
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].at("cases") == 80);
    CHECK(ends[0].at("by_class") == summary.at("results").at("by_class"));
    std::size_t reported = 0;
    for (const Json& bug : of_kind(events, "bug")) {
        if (bug.at("issue").is_null()) { continue; }
        ++reported;
        CHECK(fs::exists(fs::path(bug.at("issue").get<std::string>()) / "case.json"));
    }
    CHECK(reported > 0);
    CHECK(events.back().at("bugs") == reported);

    // Appended, whatever ends the campaign.
    CHECK(shell(scratch, fuzz + " --cases 80 --first 0").exit_code == 1);
    CHECK(of_kind(lines_of(file), "begin").at(1).at("goes_on") == true);
    fs::remove(night + "/campaign.lock");
    fs::create_directory(night + "/campaign.lock");
    CHECK(shell(scratch, fuzz).exit_code == 2);
    const auto all = lines_of(file);
    CHECK(all.back().at("event") == "failed");
    CHECK(all.back().at("message").get<std::string>().find("campaign.lock") != std::string::npos);

    const Json schema = Json::parse(content_of(HARUSPEX_SOURCE_DIR "/corpus/schema/event-1.json"));
    std::map<std::string, int> seen;
    for (const Json& event : all) {
        const Json& kind = schema.at("$defs").at(event.at("event").get<std::string>());
        ++seen[event.at("event")];
        for (const auto& key : kind.at("required")) { CHECK(event.contains(key.get<std::string>())); }
        CHECK(event.size() == kind.at("properties").size());
    }
    CHECK(seen.size() == schema.at("$defs").size());
    CHECK(schema.at("oneOf").size() == seen.size());
    CHECK(shell(scratch, haruspex + " fuzz --compiler toy --cases 1 --events /nowhere/at/all --out " + (scratch / "no"))
              .exit_code == 2);
}

TEST_CASE("bugs and rechecked reports are results of tests, for JUnit and SARIF") {
    Scratch scratch;
    const std::string night = scratch / "night", xml = scratch / "bugs.xml", sarif = scratch / "bugs.sarif";
    const Ran ran = shell(scratch, haruspex + " fuzz --compiler toy --seed 4 --cases 80 --triage-runs 60 --out " +
                                       night + " --junit " + xml + " --sarif " + sarif);
    INFO(ran.err);
    REQUIRE(ran.exit_code == 1);
    const Json results = Json::parse(content_of(sarif)).at("runs").at(0).at("results");
    REQUIRE_FALSE(results.empty());
    std::size_t failures = 0;
    for (const Json& result : results) {
        if (result.at("kind") != "fail" || result.at("level") != "error") { continue; }
        ++failures;
        const std::string uri = result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri");
        CHECK(fs::exists(uri));
    }
    CHECK(failures > 0);
    const std::string text = content_of(xml);
    CHECK(text.find("<testsuite name=\"haruspex triage\" tests=\"" + std::to_string(results.size()) + "\" failures=\"" +
                    std::to_string(failures) + "\"") != std::string::npos);
    // The same from the folder.
    const Ran triaged = shell(scratch, haruspex + " triage " + night + " --most-runs 60 --to " + (scratch / "issues") +
                                           " --junit " + (scratch / "again.xml"));
    CHECK(triaged.exit_code == 1);
    CHECK(content_of(scratch / "again.xml").size() > 200);

    // A campaign without findings has results, too: none.
    const std::string none = scratch / "none.xml";
    REQUIRE(shell(scratch,
                  haruspex + " fuzz --compiler toy --seed 4 --cases 0 --out " + (scratch / "none") + " --junit " + none)
                .exit_code == 0);
    CHECK(content_of(none).find("tests=\"0\"") != std::string::npos);

    // A report that shows, and one that is said to be fixed and shows.
    fs::create_directories(scratch / "reports/fixed");
    const fs::path issue = fs::path(night) / "issues";
    const auto one = std::ranges::find_if(fs::directory_iterator(issue), fs::directory_iterator(),
                                          [](const auto& entry) { return entry.is_directory(); });
    REQUIRE(one != fs::directory_iterator());
    const fs::path group = *fs::directory_iterator(fs::path(night) / "findings" / one->path().filename());
    fs::copy(group, scratch / "reports/one", fs::copy_options::recursive);
    fs::copy(group, scratch / "reports/fixed/two", fs::copy_options::recursive);
    const Ran rechecked =
        shell(scratch, haruspex + " recheck " + (scratch / "reports") + " --junit " + xml + " --sarif " + sarif);
    CHECK(rechecked.exit_code == 1);
    CHECK(content_of(xml).find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\"") != std::string::npos);
    const Json kinds = Json::parse(content_of(sarif)).at("runs").at(0).at("results");
    REQUIRE(kinds.size() == 2);
    CHECK(kinds[0].at("partialFingerprints").at("haruspex/1") == "fixed/two");
    CHECK(kinds[0].at("kind") == "fail");
    CHECK(kinds[1].at("kind") == "pass");
    CHECK(shell(scratch, haruspex + " recheck " + (scratch / "reports") + " --junit /nowhere/at/all").exit_code == 2);
}
