#include "reports/store/store.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "reports/store/files.h"
#include "reports/store/verdict_json.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

using namespace haruspex;

namespace {

namespace fs = std::filesystem;

store::Finding finding() {
    store::Finding f;
    f.seed = 18446744073709551615U;
    f.index = 42;
    auto sare =
        sare::parse_sare("sare s(W) assuming W >= 1 {\n  f(x) = i32<x>\n  output f on { [x] : 0 <= x < W }\n}\n", "s");
    REQUIRE(sare.has_value());
    f.c.sare = *sare;
    f.c.schedule = *schedule::language("halide").parse("f.vectorize(x, 8)\n", "s");
    f.c.sizes = {{"W", 9}};
    f.c.compiler = "halide";
    f.c.target = schedule::language("halide").default_target();
    f.verdict.cls = verdict::Class::wrong_result;
    f.verdict.message = "a cell differs";
    f.verdict.difference = verdict::Difference{
        "f", 0, {3}, value::Value::integer(value::Type::i32, 3), value::Value::integer(value::Type::i32, -4), 2, 9};
    f.compiler = {"halide", "14.0.0", 14};
    f.group = "wrong_result-00000000";
    f.attachments = {{"repro.cpp", "int main() {}\n"}};
    return f;
}

std::vector<std::string> names_below(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) { names.push_back(entry.path().filename()); }
    return names;
}

bool has_leftovers(const fs::path& folder) {
    for (const std::string& name : names_below(folder)) {
        if (store::is_temporary(name)) { return true; }
    }
    return false;
}

}  // namespace

TEST_CASE("a finding reads back from its folder") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path() / "campaign");
    REQUIRE(store.has_value());
    const store::Finding stored = finding();
    const auto folder = store->add(stored);
    REQUIRE(folder.has_value());
    CHECK(*folder == scratch.path() / "campaign/findings/wrong_result-00000000/18446744073709551615-42");
    for (const fs::path& path : {*folder, *folder / "case.json", *folder / "verdict.json"}) {
        const auto back = store::load_finding(path);
        INFO((back ? std::string() : to_string(back.error())));
        REQUIRE(back.has_value());
        CHECK(back->seed == stored.seed);
        CHECK(back->index == stored.index);
        CHECK(back->group == stored.group);
        CHECK(back->c == stored.c);
        CHECK(back->verdict == stored.verdict);
        CHECK(back->compiler.version == "14.0.0");
        CHECK(back->compiler.major == 14);
    }
    CHECK(*store::read_file(*folder / "repro.cpp") == "int main() {}\n");
    CHECK(store::read_file(*folder / "reproduce.txt")->find("# in this folder:\nharuspex reproduce .\n") == 0);
    CHECK(store::read_file(*folder / "program.txt")->find("f.vectorize(x, 8)") != std::string::npos);
    CHECK_FALSE(has_leftovers(scratch.path()));
}

TEST_CASE("only a case that a seed drew is said to be drawn again by it") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    REQUIRE(store.has_value());
    store::Finding f = finding();
    const auto seeded = store->add(f);
    REQUIRE(seeded.has_value());
    CHECK(store::read_file(*seeded / "reproduce.txt")->find("--seed 18446744073709551615") != std::string::npos);
    f.seeded = false;
    f.index = 43;
    const auto named = store->add(f);
    REQUIRE(named.has_value());
    CHECK(*store::read_file(*named / "reproduce.txt") == "# in this folder:\nharuspex reproduce .\n");
}

TEST_CASE("the command that repeats a finding loads its mutants, and no file says where its folder lies") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path() / "a night's \"run\" $HOME");
    REQUIRE(store.has_value());
    store::Finding f = finding();
    f.compiler.version = "14.0.0+guard_one_more,fold_halved";
    const auto folder = store->add(f);
    REQUIRE(folder.has_value());
    for (const auto& entry : fs::directory_iterator(*folder)) {
        CHECK(store::read_file(entry.path())->find(scratch.path().string()) == std::string::npos);
    }
    // The shell's view of the command, one word a line; for a pipe, the last command's.
    ::setenv("REPRODUCE", (*folder / "reproduce.txt").c_str(), 1);
    ::setenv("WORDS", (scratch.path() / "words").c_str(), 1);
    REQUIRE(std::system("haruspex() { printf '%s\\n' \"$@\"; }; . \"$REPRODUCE\" >\"$WORDS\"") == 0);
    const std::string all = *store::read_file(scratch.path() / "words");
    CHECK(all == "reproduce\n.\n--mutant\nguard_one_more,fold_halved\nrun\n-\n--mutant\nguard_one_more,fold_halved\n");
}

TEST_CASE("faults of haruspex itself are kept apart from findings") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    REQUIRE(store.has_value());
    store::Finding f = finding();
    f.verdict.cls = verdict::Class::bad_case;
    f.verdict.difference.reset();
    CHECK(store->add(f)->parent_path().parent_path() == scratch.path() / "faults");
}

TEST_CASE("a finding that is there already is replaced as a whole") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    store::Finding f = finding();
    REQUIRE(store->add(f).has_value());
    f.verdict.message = "again";
    f.attachments.clear();
    const auto folder = store->add(f);
    REQUIRE(folder.has_value());
    CHECK(store::load_finding(*folder)->verdict.message == "again");
    CHECK_FALSE(fs::exists(*folder / "repro.cpp"));
    CHECK_FALSE(has_leftovers(scratch.path()));
}

TEST_CASE("a finding is written under a name of the caller's choice, in the place of a finding and of nothing else") {
    tests::ScratchFolder scratch;
    const fs::path folder = scratch.path() / "above" / "mine";
    store::Finding f = finding();
    REQUIRE(store::write_finding(f, folder));
    CHECK(store::load_finding(folder)->c == f.c);
    // A leftover of a writer that was killed.
    const fs::path leftover = store::temporary_name(folder).replace_extension(".1");
    const fs::path other = store::temporary_name(folder.parent_path() / "yours");
    fs::create_directory(leftover);
    fs::create_directory(other);
    f.c.sizes["W"] = 10;
    REQUIRE(store::write_finding(f, folder / ""));
    CHECK(store::load_finding(folder)->c.sizes.at("W") == 10);
    CHECK_FALSE(fs::exists(leftover));
    CHECK(fs::exists(other));

    const fs::path taken = scratch.path() / "taken";
    fs::create_directory(taken);
    REQUIRE(store::write_finding(f, taken));
    const fs::path letters = scratch.path() / "letters";
    fs::create_directory(letters);
    REQUIRE(store::write_synced(letters / "a.txt", "dear all"));
    const auto refused = store::write_finding(f, letters);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("letters") != std::string::npos);
    CHECK(fs::exists(letters / "a.txt"));
    // A hand-written case, and a file that a user put beside a finding.
    const fs::path own = scratch.path() / "own";
    fs::create_directory(own);
    REQUIRE(store::write_synced(own / "case.json", "mine"));
    REQUIRE_FALSE(store::write_finding(f, own));
    CHECK(store::read_file(own / "case.json").value() == "mine");
    REQUIRE(store::write_synced(taken / "notes.txt", "mine"));
    const auto with_notes = store::write_finding(f, taken);
    REQUIRE_FALSE(with_notes);
    CHECK(with_notes.error().message.find("holds notes.txt") != std::string::npos);
    CHECK(fs::exists(taken / "notes.txt"));
    fs::remove(taken / "notes.txt");
    f.attachments.clear();
    CHECK(store::write_finding(f, taken));
    CHECK_FALSE(fs::exists(taken / "repro.cpp"));
}

TEST_CASE("whether a file can be written is known before there is anything to write") {
    tests::ScratchFolder scratch;
    CHECK(store::can_be_written(scratch.path() / "new"));
    CHECK_FALSE(fs::exists(scratch.path() / "new"));
    REQUIRE(store::write_synced(scratch.path() / "there", "old"));
    CHECK(store::can_be_written(scratch.path() / "there"));
    CHECK(store::read_file(scratch.path() / "there").value() == "old");
    CHECK_FALSE(has_leftovers(scratch.path()));
    CHECK_FALSE(store::can_be_written(scratch.path()));
    CHECK_FALSE(store::can_be_written(scratch.path() / "none" / "new"));
    CHECK_FALSE(store::can_be_written(scratch.path() / "there" / "new"));
    CHECK(store::can_be_written("/dev/null"));
}

TEST_CASE("the room that a finding takes is that of its files, in whole blocks") {
    store::Finding f = finding();
    const std::uint64_t five_small_files = store::footprint(f);
    CHECK(five_small_files == 5 * 4096);
    f.attachments["repro.cpp"] = std::string(4097, ' ');
    CHECK(store::footprint(f) == 6 * 4096);
    f.attachments.clear();
    CHECK(store::footprint(f) == 4 * 4096);
}

TEST_CASE("another case under the same seed and index does not replace a finding") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    store::Finding f = finding();
    const auto first = store->add(f);
    f.c.sizes["W"] = 10;
    const auto second = store->add(f);
    f.c.sizes["W"] = 11;
    const auto third = store->add(f);
    REQUIRE(third.has_value());
    CHECK(store::load_finding(*first)->c.sizes.at("W") == 9);
    CHECK(store::load_finding(*second)->c.sizes.at("W") == 10);
    CHECK(store::load_finding(*third)->c.sizes.at("W") == 11);
    CHECK(third->filename() == first->filename().string() + "-3");
    CHECK(*store->add(f) == *third);
}

TEST_CASE("a folder of something else is refused, an empty one and one of ours are not") {
    tests::ScratchFolder scratch;
    CHECK(store::Store::open(scratch.path()).has_value());
    CHECK(store::Store::open(scratch.path()).has_value());
    const fs::path other = scratch.path() / "other";
    fs::create_directory(other);
    REQUIRE(store::write_atomically(other / "thesis.tex", "text").has_value());
    const auto refused = store::Store::open(other);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message ==
          other.string() + " is not empty and not a folder of haruspex; expected a new or empty folder");
    CHECK(*store::read_file(other / "thesis.tex") == "text");
    CHECK(names_below(other).size() == 1);
    const auto file = store::Store::open(other / "thesis.tex");
    REQUIRE_FALSE(file.has_value());
}

TEST_CASE("what a killed campaign left under temporary names is removed when it is asked for") {
    tests::ScratchFolder scratch;
    const auto store = store::Store::open(scratch.path());
    REQUIRE(store.has_value());
    const fs::path left = store::temporary_name(scratch.path() / "findings" / "g" / "1-2");
    fs::create_directories(left);
    REQUIRE(store::write_synced(left / "case.json", "{").has_value());
    REQUIRE(store::write_synced(store::temporary_name(scratch.path() / "summary.json"), "{").has_value());
    // Opening keeps leftovers: another process may be writing them.
    REQUIRE(store::Store::open(scratch.path()).has_value());
    REQUIRE(has_leftovers(scratch.path()));
    store->remove_leftovers();
    CHECK_FALSE(has_leftovers(scratch.path()));
}

TEST_CASE("a writer that is killed at any moment leaves whole findings only") {
    int rounds_with_findings = 0;
    for (int round = 0; round < 20; ++round) {
        tests::ScratchFolder scratch;
        const store::Finding original = finding();
        const pid_t writer = ::fork();
        REQUIRE(writer >= 0);
        if (writer == 0) {
            auto store = store::Store::open(scratch.path());
            store::Finding f = original;
            // With few indices, later rounds replace existing folders.
            for (f.index = 0; store; f.index = (f.index + 1) % 8) {
                if (!store->add(f)) { break; }
            }
            ::_exit(1);
        }
        ::usleep(static_cast<useconds_t>(2000 + 1700 * round));
        ::kill(writer, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(writer, &status, 0) == writer);
        REQUIRE(WIFSIGNALED(status));
        const fs::path group = scratch.path() / "findings" / original.group;
        if (!fs::exists(group)) { continue; }
        ++rounds_with_findings;
        for (const auto& entry : fs::directory_iterator(group)) {
            if (store::is_temporary(entry.path())) { continue; }
            INFO(entry.path().string());
            const auto back = store::load_finding(entry.path());
            REQUIRE(back.has_value());
            CHECK(back->c == original.c);
            CHECK(fs::exists(entry.path() / "repro.cpp"));
        }
    }
    CHECK(rounds_with_findings >= 5);
}

TEST_CASE("what a link points to is replaced, and a device is written to") {
    tests::ScratchFolder scratch;
    REQUIRE(store::write_atomically(scratch.path() / "target", "old"));
    fs::create_symlink("target", scratch.path() / "link");
    REQUIRE(store::write_atomically(scratch.path() / "link", "new"));
    CHECK(fs::is_symlink(scratch.path() / "link"));
    CHECK(*store::read_file(scratch.path() / "target") == "new");
    REQUIRE(::mkfifo((scratch.path() / "pipe").c_str(), 0600) == 0);
    const pid_t reader = ::fork();
    REQUIRE(reader >= 0);
    if (reader == 0) {
        const auto read = store::read_file(scratch.path() / "pipe");
        ::_exit(read && *read == "through" ? 0 : 1);
    }
    REQUIRE(store::write_atomically(scratch.path() / "pipe", "through"));
    int status = 0;
    REQUIRE(::waitpid(reader, &status, 0) == reader);
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(fs::is_fifo(scratch.path() / "pipe"));
}

TEST_CASE("several files are replaced, or none") {
    tests::ScratchFolder scratch;
    const fs::path a = scratch.path() / "a", b = scratch.path() / "b", lost = scratch.path() / "none/c";
    REQUIRE(store::write_atomically(a, "old"));
    REQUIRE(store::write_all({{a, "new"}, {b, "first"}}));
    CHECK(*store::read_file(a) == "new");
    CHECK(*store::read_file(b) == "first");
    const auto refused = store::write_all({{a, "newer"}, {lost, "text"}});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("none/") != std::string::npos);
    CHECK(*store::read_file(a) == "new");
    CHECK(names_below(scratch.path()).size() == 2);
}

TEST_CASE("a folder that cannot be written is said so at once") {
    tests::ScratchFolder scratch;
    // root may write anywhere, but not in /proc.
    const auto refused = store::Store::open("/proc/haruspex");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.starts_with("cannot make the folder /proc/haruspex: "));
    if (::geteuid() != 0) {
        fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto read_only = store::Store::open(scratch.path());
        REQUIRE_FALSE(read_only.has_value());
        CHECK(read_only.error().message.ends_with("Permission denied"));
    }
}

TEST_CASE("a full disk is an error that names the file, and nothing half-written stays") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    REQUIRE(store.has_value());
    // A limit on file sizes makes writes fail as on a full disk, only in this process.
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{64, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto added = store->add(finding());
    const auto summary = store->write_summary(std::string(1000, ' '));
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, SIG_DFL);
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().message.starts_with("cannot write " + scratch.path().string()));
    REQUIRE_FALSE(summary.has_value());
    CHECK(summary.error().message.ends_with("summary.json." + std::to_string(::getpid()) + ": File too large"));
    CHECK_FALSE(has_leftovers(scratch.path()));
    CHECK(store->add(finding()).has_value());
}

TEST_CASE("a file of lines has its name only when it is finished") {
    tests::ScratchFolder scratch;
    const fs::path file = scratch.path() / "cases.jsonl";
    auto lines = store::LineFile::create(file);
    REQUIRE(lines.has_value());
    REQUIRE(lines->append("one").has_value());
    CHECK_FALSE(fs::exists(file));
    REQUIRE(lines->append("two").has_value());
    REQUIRE(lines->finish().has_value());
    CHECK(*store::read_file(file) == "one\ntwo\n");
    CHECK_FALSE(has_leftovers(scratch.path()));
}

TEST_CASE("what is wrong with a stored finding is located") {
    tests::ScratchFolder scratch;
    auto store = store::Store::open(scratch.path());
    const fs::path folder = *store->add(finding());
    const std::string text = *store::read_file(folder / "verdict.json");
    const auto refusal = [&](const std::string& what, const std::string& by) {
        std::string changed = text;
        changed.replace(changed.find(what), what.size(), by);
        REQUIRE(store::write_atomically(folder / "verdict.json", changed).has_value());
        const auto result = store::load_finding(folder);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().where.file == (folder / "verdict.json").string());
        CHECK(result.error().where.line > 0);
        return result.error().message;
    };
    CHECK(refusal("\"wrong_result\"", "\"wrong\"") == "unknown class \"wrong\"; expected one such as \"wrong_result\"");
    CHECK(refusal("\"signal\": 0,", "\"signal\": 0, \"all_sizes\": \"proved\",") ==
          "unknown answer of the validator \"proved\"; expected a line such as \"validated for all sizes\"");
    CHECK(refusal("\"signal\": 0,",
                  "\"signal\": 0, \"all_sizes\": {\"outcome\": \"refuted\", \"refuted_at\": {\"W\": \"x\"}},")
              .starts_with("expected an integer from "));
    CHECK(refusal("\"0x3\"", "\"3\"") == "expected bits such as \"0x2a\", \"undef\" or \"uninit\", found \"3\"");
    CHECK(refusal("\"i32\"", "\"i33\"") == "unknown type \"i33\"; expected one such as \"i32\"");
    CHECK(refusal("\"haruspex_finding\": 1", "\"haruspex_finding\": 2") == "expected 1, found 2");
    CHECK(refusal("\"cell\": [", "\"cell\": [1.5, ") ==
          "expected an integer from -9223372036854775808 to 9223372036854775807, found a fractional number");
    fs::remove(folder / "verdict.json");
    const auto missing = store::load_finding(folder);
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().message == folder.string() + " is not a finding's folder: there is no verdict.json in it");
}

TEST_CASE("verdicts of every class read back, and text that is not UTF-8 does not stop them") {
    for (int number = 0;; ++number) {
        const auto cls = static_cast<verdict::Class>(number);
        verdict::Verdict v;
        v.cls = cls;
        v.message = "line one\nline \"two\"";
        v.phase = "compile";
        v.signal = 11;
        v.difference =
            verdict::Difference{"g", 1, {}, value::Value::f64(-0.0), value::Value::uninit(value::Type::f64), 1, 1};
        v.own_sizes = verdict::obstructed(verdict::Outcome::undecided, verdict::Cause::budget, {"steps", ""});
        if (number % 3 == 1) { v.own_sizes->refuted_at = Sizes{{"H", 1}, {"W", 9}}; }
        if (number % 2 == 1) {
            v.warnings = {{3, "f.unroll(y)", "constant_extent", "that it is constant"}, {5, "f.async()", "", ""}};
        }
        v.all_sizes = verdict::proved(true);
        v.all_sizes->premise = "4 <= W";
        v.all_sizes->floats = verdict::Floats::real;
        v.all_sizes->needs_proper_boxes = number % 2 == 0;
        v.all_sizes->needs_fitting_sums = number % 3 == 0;
        v.indices = verdict::IndexFit{number % 2 == 0, true,
                                      number % 4 == 0 ? std::optional<std::int64_t>(4096) : std::nullopt};
        v.pass = verdict::PassInterval{"simplify.4", "partition_loops"};
        if (verdict::is_hang(cls) && number % 2 == 0) { v.hang = verdict::Hang::deadlock; }
        v.is_heap_write = cls == verdict::Class::stray_write;
        if (cls == verdict::Class::compiler_internal_error) {
            v.failed_check = FailedCheck{"Prefetch.cpp", "add", std::nullopt, "words"};
        }
        if (cls == verdict::Class::compiler_hang) { v.failed_check = FailedCheck{{}, {}, "", ""}; }
        v.lowered = verdict::LoweredOutcome{verdict::LoweredState::troubled,
                                            {},
                                            verdict::TroubleKind::read_write_race,
                                            "reads f[0]",
                                            "f[0] := 1",
                                            {{"x", -3}, {"y", 4}}};
        const auto back = store::parse_verdict(store::to_json(v), "v");
        REQUIRE(back.has_value());
        CHECK(*back == v);
        if (cls == verdict::Class::harness_failure) { break; }
    }
    verdict::Verdict v;
    v.message = "bytes \xff\xfe";
    const auto back = store::parse_verdict(store::to_json(v), "v");
    REQUIRE(back.has_value());
    CHECK(back->message.starts_with("bytes "));
}
