#include "reports/store/database.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "reports/store/files.h"
#include "reports/store/schema.h"
#include "reports/store/sqlite.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

using namespace haruspex;

namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t everything = store::largest_index;

const store::Settings settings{{{"seed", "7"}, {"native", "yes"}}, {{"cases", "100"}}};

store::Database opened(const fs::path& folder, std::uint64_t first = 0) {
    auto database = store::Database::open(folder, settings, first);
    INFO((database ? std::string() : to_string(database.error())));
    REQUIRE(database.has_value());
    return std::move(*database);
}

std::string refusal(const fs::path& folder, const store::Settings& asked = settings) {
    const auto database = store::Database::open(folder, asked, 0);
    REQUIRE_FALSE(database.has_value());
    return to_string(database.error());
}

store::Record record(std::uint64_t index, const std::string& group = "") {
    store::Record r;
    r.index = index;
    r.verdict.cls = group.empty() ? verdict::Class::agrees : verdict::Class::wrong_code;
    r.group = group;
    r.features = {"tuple", "update"};
    r.directives = index % 3;
    r.seconds = {{"run", 0.25}};
    r.target = "here";
    return r;
}

void add(store::Database& database, const store::Record& r, std::uint64_t bytes = 0, const std::string& folder = "") {
    const auto added = database.together([&] { return database.add(r, folder, bytes); });
    INFO((added ? std::string() : to_string(added.error())));
    REQUIRE(added.has_value());
}

store::Range taken(store::Database& database, std::uint64_t past, std::uint64_t length) {
    const auto offer = database.take(past, length);
    REQUIRE(offer.has_value());
    REQUIRE(offer->range.has_value());
    return *offer->range;
}

// Starts a process that takes `length` indices, completes the first, and lives until it is killed.
pid_t start_worker(const fs::path& folder, std::uint64_t length) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        try {
            auto database = opened(folder);
            add(database, record(taken(database, 100, length).first));
            (void)!::write(ends[1], "", 1);
            while (true) { ::pause(); }
        } catch (...) {
            // Do not let the copied test framework handle the exception.
            ::_exit(3);
        }
    }
    ::close(ends[1]);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 1);
    ::close(ends[0]);
    return process;
}

void kill(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
}

void execute(const fs::path& folder, const std::string& sql) {
    store::sqlite::Connection(folder / "campaign.sqlite").execute(sql);
}

std::int64_t integer(const fs::path& folder, const std::string& sql) {
    return store::sqlite::Connection(folder / "campaign.sqlite").integer(sql);
}

}  // namespace

TEST_CASE("what is added is counted, by everything that is counted") {
    tests::ScratchFolder scratch;
    auto database = opened(scratch.path(), 10);
    CHECK(taken(database, 13, 16).past == 13);
    add(database, record(10));
    add(database, record(11, "wrong_code-1"), 8192, "findings/wrong_code-1/7-11");
    auto refused = record(12);
    refused.verdict.cls = verdict::Class::rejected;
    refused.reason = "no <name>";
    refused.features.insert("async");
    add(database, refused);
    REQUIRE(database.set_seconds(1.5).has_value());
    const auto figures = database.figures(everything).value();
    CHECK(figures.cases == 3);
    CHECK(figures.findings == 1);
    CHECK(figures.by_class == database.by_class().value());
    CHECK(figures.by_class == std::map<std::string, std::uint64_t>{{"agrees", 1}, {"rejected", 1}, {"wrong_code", 1}});
    CHECK(figures.rejections == std::map<std::string, std::uint64_t>{{"no <name>", 1}});
    CHECK(figures.groups == std::map<std::string, std::vector<std::uint64_t>>{{"wrong_code-1", {11}}});
    CHECK(figures.features == std::map<std::string, std::uint64_t>{{"async", 1}, {"tuple", 3}, {"update", 3}});
    CHECK(figures.directives == std::map<std::uint64_t, std::uint64_t>{{0, 1}, {1, 1}, {2, 1}});
    CHECK(figures.seconds_by_stage == std::map<std::string, double>{{"run", 0.75}});
    CHECK(figures.target == "here");
    CHECK(figures.seconds == 1.5);
    CHECK(figures.not_filed == 0);
    CHECK(database.filed()->bytes == 8192);
    CHECK(database.is_done(13).value());
    CHECK_FALSE(database.is_done(14).value());
    std::vector<std::uint64_t> seen;
    REQUIRE(database.for_each_case(12, [&](const store::StoredCase& known) -> Result<void> {
        seen.push_back(known.index);
        return {};
    }));
    CHECK(seen == std::vector<std::uint64_t>{10, 11});
    CHECK(database.figures(11)->cases == 1);
}

TEST_CASE("what is done together is done or not") {
    tests::ScratchFolder scratch;
    auto database = opened(scratch.path());
    taken(database, 100, 16);
    const auto undone = database.together([&]() -> Result<void> {
        REQUIRE(database.add(record(0, "g"), "", 0));
        return fail("the folder cannot be written");
    });
    CHECK(undone.error().message == "the folder cannot be written");
    CHECK(database.figures(everything)->cases == 0);
    CHECK(database.figures(everything)->groups.empty());
    add(database, record(0));
    CHECK(database.figures(everything)->features.at("tuple") == 1);
}

TEST_CASE("the range of a process that ended is taken by the next, and that of a living one is not") {
    tests::ScratchFolder scratch;
    const pid_t other = start_worker(scratch.path(), 16);
    auto database = opened(scratch.path());
    CHECK_FALSE(database.is_alone().value());
    CHECK(taken(database, 20, 16).first == 16);
    const auto nothing = database.take(20, 16);
    REQUIRE(nothing.has_value());
    CHECK_FALSE(nothing->range.has_value());
    CHECK(nothing->others_at_work);
    kill(other);
    CHECK(database.is_alone().value());
    // The first index is done. Indices beyond this process's own end stay for other processes.
    const store::Range given_back = taken(database, 8, 16);
    CHECK(given_back.first == 1);
    CHECK(given_back.past == 8);
    CHECK(taken(database, 20, 16).first == 8);
    const auto none = database.take(20, 16);
    CHECK_FALSE(none->range.has_value());
    CHECK_FALSE(none->others_at_work);
    CHECK_FALSE(database.is_done(20).value());
}

TEST_CASE("a campaign is quiet when enough cases in a row brought no new group, and none before them is missing") {
    tests::ScratchFolder scratch;
    auto database = opened(scratch.path(), 5);
    taken(database, 100, 50);
    const auto add_up_to = [&](std::uint64_t past, const std::string& group) {
        static std::uint64_t next = 5;
        for (; next < past; ++next) { add(database, record(next)); }
        add(database, record(next++, group));
    };
    add_up_to(7, "a");   // 7
    add_up_to(11, "a");  // 11: not new
    CHECK_FALSE(database.quiet_from(5).value().has_value());
    CHECK(database.quiet_from(4).value() == 12U);
    CHECK(database.quiet_from(2).value() == 7U);
    CHECK(database.quiet_from(3).value() == 11U);
    add_up_to(13, "b");  // 13
    CHECK(database.quiet_from(4).value() == 12U);
    CHECK_FALSE(database.quiet_from(6).value().has_value());
    add_up_to(19, "b");  // 19
    CHECK(database.quiet_from(6).value() == 20U);
    CHECK_FALSE(database.quiet_from(everything).value().has_value());
}

TEST_CASE("a case that another process has not done yet may bring something new") {
    tests::ScratchFolder scratch;
    const pid_t other = start_worker(scratch.path(), 3);
    auto database = opened(scratch.path());
    taken(database, 100, 16);
    for (std::uint64_t index = 3; index < 10; ++index) { add(database, record(index)); }
    CHECK_FALSE(database.quiet_from(2).value().has_value());
    kill(other);
    taken(database, 100, 16);
    add(database, record(1, "g"));
    CHECK_FALSE(database.quiet_from(2).value().has_value());
    add(database, record(2));
    CHECK(database.quiet_from(2).value() == 4U);
}

TEST_CASE("settings that decide verdicts stay, the others are the latest") {
    tests::ScratchFolder scratch;
    CHECK_FALSE(store::Database::settings(scratch.path()).value().has_value());
    opened(scratch.path());
    store::Settings asked = settings;
    asked.latest["cases"] = "200";
    REQUIRE(store::Database::open(scratch.path(), asked, 0).has_value());
    CHECK(store::Database::settings(scratch.path()).value()->latest == asked.latest);
    asked.latest["cases"] = "300";
    asked.fixed["seed"] = "8";
    CHECK(refusal(scratch.path(), asked) ==
          scratch.path().string() +
              " holds a campaign with another seed: it has 7, this one 8; expected the same, or another folder");
    CHECK(store::Database::settings(scratch.path()).value()->latest.at("cases") == "200");
}

TEST_CASE("a database of the first version is brought up to date with everything that is in it") {
    tests::ScratchFolder scratch;
    execute(scratch.path(), *store::read_file(fs::path(HARUSPEX_SOURCE_DIR) / "tests/reports/store/version_1.sql"));
    REQUIRE(integer(scratch.path(), "PRAGMA user_version") == 1);
    const auto stored = store::Database::settings(scratch.path()).value().value();
    CHECK(stored.fixed.at("seed") == "7");
    CHECK(integer(scratch.path(), "PRAGMA user_version") == store::schema_version);
    auto database = store::Database::open(scratch.path(), stored, 2);
    REQUIRE(database.has_value());
    const auto figures = database->figures(everything).value();
    CHECK(figures.cases == 2);
    CHECK(figures.groups.at("compiler_internal_error-bd2862bf") == std::vector<std::uint64_t>{3});
    CHECK(figures.features == std::map<std::string, std::uint64_t>{
                                  {"access:broadcast", 1},
                                  {"access:clamped", 2},
                                  {"proof:at its sizes (false alarm): undecided: refuted, not confirmed", 1},
                                  {"proof:undecided (false alarm): refuted, not confirmed", 1}});
    CHECK(figures.seconds == 2.5);
    CHECK(database->filed()->bytes == 20480);
    CHECK(database->filed()->not_filed == 0);
    CHECK(taken(*database, 100, 16).first == 4);
    add(*database, record(4, "g"), 4096);
    CHECK(database->filed()->not_filed == 1);
}

TEST_CASE("a database of a newer version, of something else or of nothing at all is refused and left as it is") {
    tests::ScratchFolder scratch;
    const fs::path file = scratch.path() / "campaign.sqlite";
    opened(scratch.path());
    execute(scratch.path(), "PRAGMA user_version = 99");
    const std::string newer = *store::read_file(file);
    const std::string words =
        file.string() + ": written by a newer haruspex: version 99 of the tables; expected at most ";
    CHECK(refusal(scratch.path()).starts_with(words));
    CHECK(to_string(store::Database::settings(scratch.path()).error()).starts_with(words));
    CHECK(*store::read_file(file) == newer);
    fs::remove(file);
    execute(scratch.path(), "CREATE TABLE recipes (name TEXT)");
    CHECK(refusal(scratch.path()) == file.string() + ": a database of something else");
    CHECK(integer(scratch.path(), "SELECT count(*) FROM sqlite_master") == 1);
    REQUIRE(store::write_atomically(file, std::string(5000, 'x')).has_value());
    CHECK(refusal(scratch.path()) == file.string() + ": file is not a database");
    fs::remove(file);
    fs::create_directory(file);
    CHECK(refusal(scratch.path()).starts_with(file.string() + ": unable to open database file"));
}

TEST_CASE("a database that cannot be written is an error that names it, and keeps what was in it") {
    tests::ScratchFolder scratch;
    auto database = opened(scratch.path());
    const auto range = taken(database, 100, 50);
    add(database, record(0));
    // A limit on file sizes makes writes fail as on a full disk, only in this process.
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{65536, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    std::uint64_t next = 1;
    Result<void> added;
    for (; added && next < range.past; ++next) {
        added = database.together([&] { return database.add(record(next), "", 0); });
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, SIG_DFL);
    REQUIRE_FALSE(added.has_value());
    CHECK(to_string(added.error()) ==
          (scratch.path() / "campaign.sqlite").string() + ": disk I/O error: File too large");
    // The failed record was not added.
    CHECK(database.figures(everything)->cases == next - 1);
    add(database, record(next - 1));
    CHECK(database.figures(everything)->cases == next);
}

TEST_CASE("a folder that cannot be written is refused with its reason") {
    CHECK(refusal("/proc/haruspex") == "cannot open /proc/haruspex/campaign.lock: No such file or directory");
    tests::ScratchFolder scratch;
    opened(scratch.path());
    constexpr auto readable = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    constexpr auto searchable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    fs::permissions(scratch.path() / "campaign.lock", readable);
    fs::permissions(scratch.path(), readable | searchable);
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        // root may write anywhere.
        constexpr uid_t nobody = 65534;
        if (::geteuid() == 0 && ::seteuid(nobody) != 0) { ::_exit(1); }
        const std::string words = "cannot open " + (scratch.path() / "campaign.lock").string() + ": Permission denied";
        const auto database = store::Database::open(scratch.path(), settings, 0);
        ::_exit(!database && to_string(database.error()) == words ? 0 : 2);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a process that opens a database waits for one that writes to it, also before there is a log") {
    tests::ScratchFolder scratch;
    const fs::path file = scratch.path() / "campaign.sqlite";
    store::sqlite::Connection writer(file);
    writer.execute("CREATE TABLE t (x INTEGER)");
    writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
    std::atomic<bool> has_log = false, has_failed = false;
    std::thread other([&] {
        try {
            store::sqlite::Connection connection(file);
            connection.use_write_ahead_log();
            has_log = true;
        } catch (const store::sqlite::Failure&) { has_failed = true; }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK_FALSE(has_log);
    CHECK_FALSE(has_failed);
    writer.execute("COMMIT");
    other.join();
    CHECK(has_log);
    CHECK(writer.integer("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a database is read beside its writer, and nobody can tell") {
    tests::ScratchFolder scratch;
    const auto look = [&] {
        auto database = store::Database::look(scratch.path());
        INFO((database ? std::string() : to_string(database.error())));
        REQUIRE(database.has_value());
        return std::move(*database);
    };
    CHECK_FALSE(look().has_value());
    {
        auto writer = opened(scratch.path());
        for (std::uint64_t i = 0; i < 3; ++i) { add(writer, record(taken(writer, 3, 1).first)); }
        const auto reader = look();
        REQUIRE(reader.has_value());
        CHECK(reader->glance(1000)->cases == 3);
        // A reader in the middle of its work does not hold the writer up.
        const auto went_on = reader->for_each_case(everything, [&](const store::StoredCase& c) {
            if (c.index == 0) { add(writer, record(taken(writer, 4, 1).first)); }
            return Result<void>();
        });
        CHECK(went_on.has_value());
        CHECK(reader->glance(1000)->cases == 4);
        // The writer's lock is another process's only to another process.
        CHECK(writer.runs_at_work().value() == std::vector<std::int64_t>{1});
    }
    const auto reader = look();
    REQUIRE(reader.has_value());
    CHECK(reader->glance(1000)->cases == 4);
    CHECK(reader->runs_at_work()->empty());
    CHECK(reader->settings()->fixed == settings.fixed);
    CHECK_FALSE(fs::exists(scratch.path() / "campaign.sqlite-wal"));
}

TEST_CASE("a database with older tables is read as it is") {
    tests::ScratchFolder scratch;
    execute(scratch.path(), *store::read_file(fs::path(HARUSPEX_SOURCE_DIR) / "tests/reports/store/version_1.sql"));
    REQUIRE(integer(scratch.path(), "PRAGMA user_version") == 1);
    const auto reader = store::Database::look(scratch.path());
    REQUIRE(reader.has_value());
    REQUIRE(reader->has_value());
    const store::Glance glance = (*reader)->glance(1000).value();
    CHECK(glance.cases == 2);
    CHECK(glance.groups == std::map<std::string, std::uint64_t>{{"compiler_internal_error-bd2862bf", 1}});
    CHECK(glance.new_groups == 1);
    CHECK(glance.newest_group_ago.has_value());
    CHECK(glance.filed_bytes == 20480);
    CHECK(glance.seconds == 2.5);
    CHECK(integer(scratch.path(), "PRAGMA user_version") == 1);
}
