// Interrupted campaigns, and campaigns of several processes: the final result equals that of an uninterrupted campaign.

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <random>

#include "reports/campaign/settings.h"
#include "reports/store/sqlite.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

// Progress reported by processes before they are killed, in shared memory.
class Told {
public:
    Told()
        : memory_(::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        REQUIRE(memory_ != MAP_FAILED);
    }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    ~Told() { ::munmap(memory_, sizeof(std::atomic<std::uint64_t>)); }
    std::atomic<std::uint64_t>& cases() const { return *static_cast<std::atomic<std::uint64_t>*>(memory_); }

private:
    void* memory_;
};

// Starts a campaign in a process of its own. Its exit code is 0 if the campaign is completed.
pid_t start(const campaign::Options& o, const Told& told, const ReferenceCompiler::Mischief& mischief) {
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        try {
            ReferenceCompiler compiler(mischief);
            const auto summary = campaign::run(o, compiler, never, [&](const campaign::Progress& progress) {
                if (progress.done > told.cases()) { told.cases() = progress.done; }
            });
            if (!summary) { std::cerr << to_string(summary.error()) << std::endl; }
            ::_exit(summary ? 0 : 1);
        } catch (...) {
            // Do not let the copied test framework handle the exception.
            ::_exit(3);
        }
    }
    return process;
}

void wait_until(const std::function<bool()>& holds) {
    // No campaign here takes a minute: fail instead of waiting forever.
    for (int milliseconds = 0; !holds(); ++milliseconds) {
        REQUIRE(milliseconds < 60000);
        ::usleep(1000);
    }
}

int wait_for(pid_t process) {
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    return status;
}

std::string integrity(const fs::path& out) {
    const store::sqlite::Connection connection(out / "campaign.sqlite");
    auto check = connection.prepare("PRAGMA integrity_check");
    return check.step() ? check.text(0) : "";
}

// 0 if the process was killed before the database had its tables.
std::uint64_t cases_in(const fs::path& out) {
    const store::sqlite::Connection connection(out / "campaign.sqlite");
    if (connection.integer("PRAGMA user_version") == 0) { return 0; }
    return static_cast<std::uint64_t>(connection.integer("SELECT count(*) FROM cases"));
}

// Kills a campaign of `cases_in_all` cases repeatedly. Returns how often it had advanced between two kills.
int advances_of_killed(std::uint64_t cases_in_all) {
    Scratch scratch;
    auto o = options(scratch / "straight", cases_in_all, 2);
    run(o, mixed_mischief);
    o.out = scratch / "killed";
    const Told told;
    std::mt19937 random(7);
    std::uint64_t cases = 0;
    int advances = 0;
    for (int kills = 0; kills < 12; ++kills) {
        const pid_t process = start(o, told, mixed_mischief);
        // The first kills follow soon after some progress; later ones come at any moment, even at the start.
        const bool is_early = kills < 3;
        if (is_early) {
            wait_until([&] { return told.cases() > cases; });
        }
        ::usleep(std::uniform_int_distribution<useconds_t>(1000, is_early ? 50000 : 700000)(random));
        ::kill(process, SIGKILL);
        // On a fast machine the campaign may be complete.
        if (WIFEXITED(wait_for(process))) { break; }
        if (!fs::exists(o.out / "campaign.sqlite")) { continue; }
        CHECK(integrity(o.out) == "ok");
        const std::uint64_t now = cases_in(o.out);
        CHECK(now >= told.cases());
        advances += now > cases ? 1 : 0;
        cases = now;
    }
    run(o, mixed_mischief);
    CHECK(integrity(o.out) == "ok");
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
    return advances;
}

}  // namespace

TEST_CASE("a campaign that is killed at any moment goes on where it was, and ends as if nothing had happened") {
    std::uint64_t cases = 150;
    int advances = advances_of_killed(cases);
    // A faster machine needs a longer campaign for two advances.
    while (advances < 2 && cases < 10000) { advances = advances_of_killed(cases *= 2); }
    CHECK(advances >= 2);
}

TEST_CASE("a campaign that was stopped goes on, and one that is complete has nothing more to do") {
    Scratch scratch;
    // More cases than the processes take before they are told to stop.
    constexpr std::uint64_t cases = 200;
    auto o = options(scratch / "straight", cases, 2);
    run(o, mixed_mischief);
    o.out = scratch / "stopped";
    std::atomic<bool> stop{false};
    ReferenceCompiler compiler(mixed_mischief);
    const auto stopped = campaign::run(o, compiler, stop, [&](const campaign::Progress& progress) {
        if (progress.done >= 3) { stop = true; }
    });
    REQUIRE(stopped.has_value());
    CHECK(stopped->interrupted);
    const auto whole = run(o, mixed_mischief);
    CHECK_FALSE(whole.interrupted);
    CHECK(whole.seconds > stopped->seconds);
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
    const auto again = run(o, [](const cases::Case&, compiler::Observation&) { ::kill(::getppid(), SIGKILL); });
    CHECK(again.cases == cases);
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
}

TEST_CASE("a campaign is made longer by asking for more cases") {
    Scratch scratch;
    run(options(scratch / "long", 40, 2), mixed_mischief);
    auto o = options(scratch / "grown", 23, 2);
    run(o, mixed_mischief);
    o.cases = 40;
    run(o, mixed_mischief);
    CHECK(outcome(o.out) == outcome(scratch / "long"));
}

TEST_CASE("several processes share a campaign, and do the work of one that dies") {
    Scratch scratch;
    auto o = options(scratch / "straight", 90);
    run(o, mixed_mischief);
    o.out = scratch / "shared";
    const Told told;
    std::vector<pid_t> processes;
    for (int i = 0; i < 3; ++i) { processes.push_back(start(o, told, mixed_mischief)); }
    wait_until([&] { return told.cases() >= 10; });
    // The process has taken a range and done little of it.
    ::kill(processes[0], SIGKILL);
    CHECK(WIFSIGNALED(wait_for(processes[0])));
    for (const pid_t process : {processes[1], processes[2]}) {
        const int status = wait_for(process);
        REQUIRE(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    CHECK(integrity(o.out) == "ok");
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
    const store::sqlite::Connection connection(o.out / "campaign.sqlite");
    CHECK(connection.integer("SELECT count(*) FROM runs") == 3);
    CHECK(connection.integer("SELECT count(*) FROM ranges") == 0);
}

TEST_CASE("a process counts the cases of the others as well") {
    Scratch scratch;
    const auto o = options(scratch / "shared", 400);
    const Told told;
    const auto slowly = [](const cases::Case&, compiler::Observation&) { ::usleep(3000); };
    const pid_t other = start(o, told, slowly);
    wait_until([&] { return told.cases() >= 20; });
    ReferenceCompiler compiler(slowly);
    std::vector<campaign::Progress> shown;
    const auto summary = campaign::run(o, compiler, never, [&](const campaign::Progress& p) { shown.push_back(p); });
    REQUIRE(summary.has_value());
    CHECK(WEXITSTATUS(wait_for(other)) == 0);
    REQUIRE_FALSE(shown.empty());
    // Far more than it did itself.
    CHECK(shown.back().done == 400);
    CHECK(shown.back().live.cases < 390);
    std::uint64_t cases = 0;
    for (const auto& [cls, count] : shown.back().by_class) { cases += count; }
    CHECK(cases == 400);
    REQUIRE(shown.back().left.has_value());
    CHECK(shown.back().left->count() == 0);
}

TEST_CASE("a campaign whose folder is removed or moved ends at once, and goes on where the folder is now") {
    Scratch scratch;
    auto o = options(scratch / "straight", 60, 2);
    run(o, mixed_mischief);
    for (const bool is_moved : {false, true}) {
        CAPTURE(is_moved);
        o.out = scratch / (is_moved ? "moved" : "removed");
        const auto begin = std::chrono::steady_clock::now();
        // The cases under way have no end.
        ReferenceCompiler compiler([&](const cases::Case& c, compiler::Observation& observation) {
            if (is_case(c, 30) || is_case(c, 31)) {
                while (true) { ::usleep(1000); }
            }
            mixed_mischief(c, observation);
        });
        const auto summary = campaign::run(o, compiler, never, [&](const campaign::Progress& progress) {
            if (progress.done < 20) { return; }
            std::error_code gone;
            if (is_moved) { fs::rename(o.out, scratch / "elsewhere", gone); }
            if (!is_moved) { fs::remove_all(o.out, gone); }
        });
        REQUIRE_FALSE(summary.has_value());
        CHECK(to_string(summary.error()).find(": the campaign's folder was removed, moved or replaced") !=
              std::string::npos);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
        CHECK_FALSE(fs::exists(o.out));
    }
    o.out = scratch / "elsewhere";
    run(o, mixed_mischief);
    CHECK(integrity(o.out) == "ok");
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
}

TEST_CASE("a compiler that fails on everything ends the campaign, with what it says") {
    Scratch scratch;
    // With one job every case that failed is on disk.
    auto o = options(scratch / "broken", 1000, 1);
    ReferenceCompiler broken([](const cases::Case&, compiler::Observation& observation) {
        observation.outcome = compiler::Outcome::internal_error;
        observation.phase = compiler::Phase::compile;
        observation.message = "cannot load libLLVM";
    });
    const auto ended = campaign::run(o, broken, never, ignore);
    REQUIRE_FALSE(ended.has_value());
    const std::string words = to_string(ended.error());
    CHECK(words.find("halide 1.2.3 does not work here") != std::string::npos);
    CHECK(words.find("(cannot load libLLVM)") != std::string::npos);
    const auto kept = cases_in(o.out);
    CHECK(kept >= 25);
    CHECK(kept < 100);
    // One that fails on every case that is drawn, and compiles the smallest program, is judged.
    o.out = scratch / "bad";
    o.cases = 60;
    const auto summary = run(o, [](const cases::Case& c, compiler::Observation& observation) {
        if (c.sare.name == "p") { return; }
        observation.outcome = compiler::Outcome::internal_error;
        observation.phase = compiler::Phase::compile;
        observation.message = "no";
    });
    CHECK(summary.by_class.at("compiler_internal_error") == 60);
}

TEST_CASE("another campaign in the folder of one is refused, and changes nothing") {
    Scratch scratch;
    const auto o = options(scratch / "out", 10);
    run(o, mixed_mischief);
    const std::string before = outcome(o.out);
    const auto refusal = [&](const std::function<void(campaign::Options&)>& change) {
        campaign::Options other = o;
        change(other);
        ReferenceCompiler compiler;
        const auto summary = campaign::run(other, compiler, never, ignore);
        REQUIRE_FALSE(summary.has_value());
        return to_string(summary.error());
    };
    const std::string holds = o.out.string() + " holds a campaign with another ";
    CHECK(refusal([](auto& other) { other.seed = 8; }) ==
          holds + "seed: it has 7, this one 8; expected the same, or another folder");
    CHECK(refusal([](auto& other) { other.first = 1; }).starts_with(holds + "first case: it has 0, this one 1"));
    CHECK(refusal([](auto& other) { other.native = false; }).starts_with(holds + "native: it has yes, this one no"));
    CHECK(refusal([](auto& other) { other.validate = true; }).starts_with(holds + "validate"));
    CHECK(refusal([](auto& other) { other.prophecies = true; }).starts_with(holds + "prophecies"));
    CHECK(refusal([](auto& other) { other.limits.wall *= 2; }).starts_with(holds + "wall-clock limit in ms"));
    CHECK(outcome(o.out) == before);
}

TEST_CASE("a full disk ends a campaign with an error, and it goes on when there is room") {
    Scratch scratch;
    auto o = options(scratch / "straight", 60, 2);
    run(o, mixed_mischief);
    o.out = scratch / "full";
    o.cases = 20;
    run(o, mixed_mischief);
    o.cases = 60;
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        // A limit on file sizes makes writes fail as on a full disk, only in this process. The remaining cases do not
        // fit, however they are split into transactions.
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{40000, 40000};
        ::setrlimit(RLIMIT_FSIZE, &small);
        ReferenceCompiler compiler(mixed_mischief);
        const auto summary = campaign::run(o, compiler, never, ignore);
        const std::string words = summary ? "" : to_string(summary.error());
        ::_exit(words == (o.out / "campaign.sqlite").string() + ": disk I/O error: File too large" ? 2 : 0);
    }
    CHECK(WEXITSTATUS(wait_for(process)) == 2);
    CHECK(integrity(o.out) == "ok");
    CHECK(cases_in(o.out) >= 20);
    CHECK(cases_in(o.out) < 60);
    run(o, mixed_mischief);
    CHECK(outcome(o.out) == outcome(scratch / "straight"));
}

TEST_CASE("beyond the disk quota findings are counted and not filed, the same ones whoever does the work") {
    Scratch scratch;
    auto o = options(scratch / "all", 60, 1);
    const auto all = run(o, mixed_mischief);
    CHECK(all.not_filed == 0);
    // Room for about five findings, each with four files of one block.
    o.disk_quota = 5 * 20480;
    o.out = scratch / "one";
    const auto one = run(o, mixed_mischief);
    const auto filed = [](const fs::path& out) {
        std::uint64_t cases = 0;
        for (const auto& entry : fs::recursive_directory_iterator(out / "findings")) {
            cases += entry.path().filename() == "case.json" ? 1U : 0U;
        }
        return cases;
    };
    CHECK(one.findings == all.findings);
    CHECK(one.groups == all.groups);
    CHECK(filed(o.out) >= 4);
    CHECK(filed(o.out) <= 6);
    CHECK(filed(o.out) + one.not_filed == filed(scratch / "all"));
    CHECK(summary_of(o.out).at("results").at("not_filed") == one.not_filed);
    CHECK(campaign::to_table(one).find(std::to_string(one.not_filed) + " of these cases were not filed") !=
          std::string::npos);
    o.out = scratch / "three";
    o.jobs = 3;
    std::atomic<bool> stop{false};
    ReferenceCompiler compiler(mixed_mischief);
    std::uint64_t told = 0;
    REQUIRE(campaign::run(o, compiler, stop, [&](const campaign::Progress& progress) {
        stop = progress.done >= 20;
        told = progress.not_filed;
    }));
    run(o, mixed_mischief);
    o.jobs = 1;
    run(o, mixed_mischief);
    CHECK(told <= one.not_filed);
    CHECK(outcome(o.out) == outcome(scratch / "one"));
}

TEST_CASE(
    "a campaign ends when it is quiet, at the same case for any number of jobs, and goes on when more is asked for") {
    Scratch scratch;
    // New groups appear at 0, 9 and 30.
    const auto mischief = [](const cases::Case& c, compiler::Observation& observation) {
        for (const std::uint64_t index : {0U, 9U, 30U}) {
            if (!is_case(c, index)) { continue; }
            observation.outcome = compiler::Outcome::internal_error;
            observation.phase = compiler::Phase::compile;
            observation.message = "case " + std::string(1, static_cast<char>('a' + index / 9));
        }
    };
    auto o = options(scratch / "one", 50, 1);
    o.stop_when_quiet = 12;
    const auto one = run(o, mischief);
    // Cases 10 to 21 bring no new group.
    CHECK(one.cases == 22);
    CHECK(one.groups.size() == 2);
    CHECK_FALSE(one.interrupted);
    o.out = scratch / "three";
    o.jobs = 3;
    run(o, mischief);
    // Cases done ahead are dropped, and done again when needed.
    CHECK(cases_in(o.out) == 22);
    o.jobs = 1;
    CHECK(run(o, mischief).cases == 22);
    CHECK(outcome(o.out) == outcome(scratch / "one"));
    o.stop_when_quiet = 40;
    o.cases = 40;
    const auto longer = run(o, mischief);
    CHECK(longer.cases == 40);
    CHECK(longer.groups.size() == 3);
}

TEST_CASE("what a campaign was begun with is read back from its folder") {
    Scratch scratch;
    CHECK_FALSE(campaign::stored_options(scratch / "out").value().has_value());
    auto o = options(scratch / "out", 0);
    o.first = 12;
    o.native = false;
    o.stop_when_quiet = 1000;
    run(o);
    const auto stored = campaign::stored_options(scratch / "out").value().value();
    CHECK(stored.seed == 7);
    CHECK(stored.first == 12);
    CHECK(stored.cases == 0);
    CHECK(stored.stop_when_quiet == 1000);
    CHECK(stored.list_cases);
    CHECK_FALSE(stored.native);
    CHECK_FALSE(stored.validate);
    CHECK_FALSE(stored.prophecies);
    CHECK(stored.policy.programs == random::ProgramKind::affine);
    auto tensors = options(scratch / "tensors", 0);
    tensors.policy.programs = random::ProgramKind::tensor;
    run(tensors);
    CHECK(campaign::stored_options(scratch / "tensors").value().value().policy.programs == random::ProgramKind::tensor);
}
