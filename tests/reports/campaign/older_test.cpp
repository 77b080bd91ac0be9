// Folders of campaigns that older builds wrote (corpus/campaigns).

#include <map>
#include <string>
#include <vector>

#include "reports/campaign/merge.h"
#include "reports/campaign/settings.h"
#include "reports/store/sqlite.h"
#include "reports/store/store.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

// The compiler that the folders are of, with the results of the reference.
class Halide14 final : public compiler::Compiler {
public:
    compiler::Identity identity() const override { return {"halide", "14.0.0", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                  const compiler::Progress& progress) override {
        return reference_.observe(c, request, progress);
    }

private:
    ReferenceCompiler reference_;
};

std::vector<fs::path> older() {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/campaigns")) {
        if (entry.is_directory()) { folders.push_back(entry.path()); }
    }
    return folders;
}

// Puts the folder in the scratch as its build left it.
fs::path restored(const fs::path& kept, const Scratch& scratch) {
    fs::path folder = scratch / "old";
    fs::copy(kept, folder, fs::copy_options::recursive);
    fs::remove(folder / "campaign.sql");
    store::sqlite::Connection(folder / "campaign.sqlite").execute(*store::read_file(kept / "campaign.sql"));
    return folder;
}

std::map<std::string, std::string> findings_in(const fs::path& campaign) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(campaign / "findings")) {
        if (!entry.is_regular_file()) { continue; }
        files[entry.path().lexically_relative(campaign)] = *store::read_file(entry.path());
    }
    return files;
}

}  // namespace

TEST_CASE("the folder of an older build is opened, goes on and is merged") {
    REQUIRE_FALSE(older().empty());
    for (const fs::path& kept : older()) {
        INFO(kept.string());
        const Scratch scratch;
        const fs::path old = restored(kept, scratch);
        const Json before = summary_of(old).at("results");
        const auto found = findings_in(old);
        REQUIRE(found.size() >= 5);
        for (const auto& [group, indices] : before.at("groups").items()) {
            for (const std::uint64_t index : indices) {
                const auto finding = store::load_finding(old / "findings" / group / ("7-" + std::to_string(index)));
                INFO((finding ? std::string() : to_string(finding.error())));
                REQUIRE(finding.has_value());
                CHECK(finding->group == group);
            }
        }
        auto options = campaign::stored_options(old).value().value();
        CHECK(options.seed == 7);
        CHECK(options.cases == 4);
        CHECK(options.list_cases);

        Halide14 compiler;
        const fs::path merged = scratch / "merged";
        const auto joined = campaign::merge({old}, merged, compiler.identity());
        INFO((joined ? std::string() : to_string(joined.error())));
        REQUIRE(joined.has_value());
        CHECK(summary_of(merged).at("results") == before);
        CHECK(findings_in(merged) == found);

        // The older and the merged folder go on alike.
        std::vector<std::string> outcomes;
        for (const fs::path& folder : {old, merged}) {
            options.out = folder;
            options.cases = 6;
            const auto listed = lines(folder / "cases.jsonl");
            const auto summary = campaign::run(options, compiler, never, ignore);
            INFO((summary ? std::string() : to_string(summary.error())));
            REQUIRE(summary.has_value());
            CHECK(summary->cases == 6);
            const auto longer = lines(folder / "cases.jsonl");
            REQUIRE(longer.size() == 6);
            CHECK(std::vector<Json>(longer.begin(), longer.begin() + 4) == listed);
            outcomes.push_back(outcome(folder));
        }
        CHECK(outcomes[0] == outcomes[1]);
    }
}
