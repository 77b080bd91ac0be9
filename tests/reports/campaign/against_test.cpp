#include "reports/campaign/against.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reports/campaign/case_file.h"
#include "reports/session/judging.h"
#include "reports/store/store.h"
#include "tests/reports/campaign/campaign_support.h"
#include "tests/reports/session/fake_peer.h"
#include "tests/support/catch.h"

namespace haruspex::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t count = 6;

cases::Case drawn(std::uint64_t index) {
    const test::ReferenceCompiler compiler;
    return case_at(index, test::options({}, count), nullptr, compiler.identity());
}

// A peer that answers as the reference compiler does, unless a test says otherwise: with the content of a file that is
// named after the seed of the case's inputs, once with that of one named once-SEED; it dies if there is die-SEED.
class OtherBuild {
public:
    OtherBuild() {
        for (std::uint64_t index = 0; index < count; ++index) { says(index, own_answer(index)); }
        test::write_script(
            scratch_ / "haruspex",
            "cd " + scratch_.path().string() + "\n" +
                test::judging("seed=$(echo \"$line\" | sed -E 's/.*\"input_seed\": ?\"?([0-9]+).*/\\1/'); "
                              "if [ -e die-$seed ]; then exit 1; "
                              "elif mv once-$seed said-$seed 2>/dev/null; then cat said-$seed; "
                              "else cat $seed; fi"));
    }

    static session::Answer own_answer(std::uint64_t index) {
        test::ReferenceCompiler compiler;
        compiler::ForkServer server(compiler, {});
        return session::answer(drawn(index), "case", server);
    }

    void says(std::uint64_t index, const session::Answer& answer) const { write("", index, session::to_json(answer)); }
    void says_once(std::uint64_t index, const session::Answer& answer) const {
        write("once-", index, session::to_json(answer));
    }
    void dies(std::uint64_t index) const { write("die-", index, ""); }

    session::Peer peer() const { return session::peer(scratch_.path().string()).value(); }
    fs::path operator/(const char* name) const { return scratch_ / name; }

private:
    void write(const std::string& prefix, std::uint64_t index, const std::string& line) const {
        std::ofstream(scratch_.path() / (prefix + std::to_string(drawn(index).input_seed))) << line << "\n";
    }

    test::Scratch scratch_;
};

using Found = std::function<Result<void>(const Disagreeing&, const Against&)>;

Against compared(
    const OtherBuild& other, int jobs = 2, const test::ReferenceCompiler::Mischief& mischief = {},
    const Found& found = [](const Disagreeing&, const Against&) { return Result<void>(); }) {
    test::ReferenceCompiler compiler(mischief);
    std::uint64_t last = 0;
    auto against = run_against(other.peer(), test::options({}, count, jobs), compiler, test::never, found,
                               [&](const AgainstProgress& progress) { last = progress.cases; });
    if (!against) { FAIL(to_string(against.error())); }
    CHECK(against->cases == count);
    CHECK(last == count);
    CHECK_FALSE(against->interrupted);
    return std::move(*against);
}

// A case that the reference compiler finds nothing wrong with.
std::uint64_t accepted_after(std::uint64_t first) {
    for (std::uint64_t index = first; index < count; ++index) {
        const Standing own = standing(drawn(index), OtherBuild::own_answer(index));
        if (!is_failure(own) && !own.is_refused) { return index; }
    }
    FAIL("no case is accepted");
    return count;
}

session::Answer crash() {
    verdict::Verdict verdict;
    verdict.cls = verdict::Class::compiler_crash;
    verdict.signal = 11;
    return {verdict, {}};
}

}  // namespace

TEST_CASE("two builds that judge alike disagree on nothing") {
    const OtherBuild other;
    const Against against = compared(other);
    CHECK(against.disagreeing.empty());
    CHECK(against.not_repeated.empty());
    CHECK(against.not_judged.empty());
    CHECK(against.here.compiler.version == "1.2.3");
    CHECK(against.there.haruspex == "0.0.9");
}

TEST_CASE("a build that does not observe the lowering is compared with none that does") {
    const auto error = [](const std::string& unobserved) -> std::string {
        const test::Scratch scratch;
        std::string greeting = test::greeting;
        greeting.insert(greeting.size() - 1, R"(,"unobserved":)" + unobserved);
        test::write_script(scratch / "haruspex", "echo '" + greeting + "'\nwhile read -r line; do exit 1; done\n");
        test::ReferenceCompiler compiler;
        const auto against = run_against(
            session::peer(scratch.path().string()).value(), test::options({}, 0), compiler, test::never,
            [](const Disagreeing&, const Against&) { return Result<void>(); }, [](const AgainstProgress&) {});
        return against ? std::string() : against.error().message;
    };
    CHECK(error(R"({"lowered":true,"prophecies":true,"passes":[]})").find("native code") != std::string::npos);
    // Only proofs need prophecies, and passes only say where.
    CHECK(error(R"({"lowered":false,"prophecies":true,"passes":["fold"]})").empty());
}

TEST_CASE("what differs is listed in the order of cases, worse or better under this build") {
    const OtherBuild other;
    const std::uint64_t refused = accepted_after(0), broken = accepted_after(refused + 1);
    const std::uint64_t mended = accepted_after(broken + 1);
    other.says(refused, session::refused("unknown directive"));
    other.says(mended, crash());
    const std::uint64_t broken_seed = drawn(broken).input_seed;
    std::vector<std::uint64_t> found;
    const Against against = compared(
        other, 2,
        [broken_seed](const cases::Case& c, compiler::Observation& o) {
            if (c.input_seed == broken_seed) {
                o.outcome = compiler::Outcome::internal_error;
                o.phase = compiler::Phase::compile;
                o.message = "a fault";
            }
        },
        [&](const Disagreeing& one, const Against& so_far) {
            CHECK(so_far.there.package == "halide-14");
            found.push_back(one.index);
            return Result<void>();
        });
    REQUIRE(against.disagreeing.size() == 3);
    CHECK(found == std::vector<std::uint64_t>{refused, broken, mended});
    CHECK(against.disagreeing[0].how == Disagreement::accepted_now);
    CHECK(against.disagreeing[0].there == session::refused("unknown directive"));
    CHECK(against.disagreeing[1].how == Disagreement::new_finding);
    CHECK(against.disagreeing[1].here.verdict->cls == verdict::Class::compiler_internal_error);
    CHECK(against.disagreeing[2].how == Disagreement::mended);
    CHECK(against.count(Change::worse) == 1);
    CHECK(against.count(Change::better) == 2);

    const auto json = test::Json::parse(to_json(against, test::options({}, count)));
    CHECK(json["worse"] == 1);
    CHECK(json["disagreeing"][1]["how"] == "new finding");
    CHECK(json["disagreeing"][0]["there"]["refused"] == "unknown directive");
}

TEST_CASE("a disagreement that does not repeat is counted apart") {
    const OtherBuild other;
    const std::uint64_t index = accepted_after(0);
    other.says_once(index, crash());
    const Against against = compared(other, 1);
    CHECK(against.disagreeing.empty());
    CHECK(against.not_repeated == std::vector<std::uint64_t>{index});
}

TEST_CASE("a case on which the peer dies is not judged, and the next one is") {
    const OtherBuild other;
    const std::uint64_t deadly = accepted_after(0), mended = accepted_after(deadly + 1);
    other.dies(deadly);
    other.says(mended, crash());
    const Against against = compared(other, 1);
    REQUIRE(against.not_judged.size() == 1);
    CHECK(against.not_judged.front().index == deadly);
    CHECK(against.not_judged.front().reason.find("ended with exit code 1") != std::string::npos);
    REQUIRE(against.disagreeing.size() == 1);
    CHECK(against.disagreeing.front().index == mended);
}

TEST_CASE("a disagreeing case is filed as a finding of the build in which it fails") {
    const OtherBuild other;
    const std::uint64_t mended = accepted_after(0), refused = accepted_after(mended + 1);
    other.says(mended, crash());
    other.says(refused, session::refused("no"));
    const Against against = compared(other);
    REQUIRE(against.disagreeing.size() == 2);
    const Options options = test::options({}, count);
    for (const Disagreeing& one : against.disagreeing) {
        const fs::path folder = other / ("filed-" + std::to_string(one.index)).c_str();
        REQUIRE(file(one, against, options, "", folder).has_value());
        const auto finding = store::load_finding(folder);
        REQUIRE(finding.has_value());
        CHECK(finding->c == one.c);
        CHECK(finding->seed == 7);
        CHECK(finding->index == one.index);
        CHECK(finding->verdict == (one.index == mended ? one.there : one.here).verdict);
        CHECK(session::parse_answer(store::read_file(folder / "there.json").value(), "there") == one.there);
        CHECK(session::parse_answer(store::read_file(folder / "here.json").value(), "here") == one.here);
    }
}

TEST_CASE("a comparison that cannot begin, or keep what it found, is an error") {
    const OtherBuild other;
    test::ReferenceCompiler compiler;
    const auto ignored = [](const AgainstProgress&) {};
    const auto keep = [](const Disagreeing&, const Against&) -> Result<void> { return fail("no room"); };
    Options options = test::options({}, count);
    CHECK_FALSE(
        run_against({"nobody", {"/nowhere/at-all"}}, options, compiler, test::never, keep, ignored).has_value());
    other.says(accepted_after(0), crash());
    const auto full = run_against(other.peer(), options, compiler, test::never, keep, ignored);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.error().message == "no room");
    options.cases_from = other / "no-cases";
    CHECK_FALSE(run_against(other.peer(), options, compiler, test::never, keep, ignored).has_value());
}

TEST_CASE("a comparison that is stopped says so") {
    const OtherBuild other;
    test::ReferenceCompiler compiler;
    const std::atomic<bool> stop{true};
    const auto keep = [](const Disagreeing&, const Against&) { return Result<void>(); };
    const auto against =
        run_against(other.peer(), test::options({}, count), compiler, stop, keep, [](const AgainstProgress&) {});
    REQUIRE(against.has_value());
    CHECK(against->interrupted);
    CHECK(against->cases < count);
}

}  // namespace haruspex::campaign
