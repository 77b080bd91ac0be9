#include "reports/session/peer.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "tests/reports/session/fake_peer.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

namespace haruspex::session {
namespace {

namespace fs = std::filesystem;

class Scratch : public tests::ScratchFolder {
public:
    fs::path operator/(const char* name) const { return path() / name; }
};

Peer found(const fs::path& where) {
    const auto peer = session::peer(where.string());
    if (!peer) { FAIL(to_string(peer.error())); }
    CHECK(peer->label == where.string());
    return *peer;
}

std::string refusal_of(const std::string& where) {
    const auto peer = session::peer(where);
    REQUIRE_FALSE(peer.has_value());
    return peer.error().message;
}

cases::Case some_case() { return random::campaign_case(7, 0, {}, schedule::halide::language()); }

PeerProcess started(const Scratch& scratch, const std::string& script, const pipeline::Options& options = {}) {
    test::write_script(scratch / "haruspex", script);
    auto process = PeerProcess::start(found(scratch / "haruspex"), "halide", options);
    if (!process) { FAIL(to_string(process.error())); }
    return std::move(*process);
}

std::string failure_of_start(const Scratch& scratch, const std::string& script) {
    test::write_script(scratch / "haruspex", script);
    const auto process = PeerProcess::start(found(scratch / "haruspex"), "halide");
    REQUIRE_FALSE(process.has_value());
    return to_string(process.error());
}

}  // namespace

TEST_CASE("a build is found by its executable, or by a folder with one") {
    const Scratch scratch;
    for (const char* place : {"a/haruspex", "b/bin/haruspex", "c/build/release/haruspex"}) {
        test::write_script(scratch / place, "exit 0\n");
        const std::vector<std::string> command{(scratch / place).string(), "judge"};
        CHECK(found(scratch / place).command == command);
        CHECK(found(scratch.path() / std::string(place).substr(0, 1)).command == command);
    }
    fs::create_directories(scratch / "d/haruspex");
    CHECK(refusal_of((scratch / "d").string()).find("no build of haruspex is") == 0);
    CHECK(refusal_of((scratch / "nowhere").string()).find("no build of haruspex is") == 0);
}

TEST_CASE("this build is a peer, too, and an unknown mutant is none") {
    CHECK(found("self").command.back() == "judge");
    CHECK(refusal_of("mutant:no_such").find("unknown mutant \"no_such\"") == 0);
    CHECK(refusal_of("mutant:").find("unknown mutant \"\"") == 0);
}

TEST_CASE("the root of a Debian is entered, if haruspex is installed in it") {
    const Scratch scratch;
    const fs::path root = scratch / "root";
    fs::create_directories(root / "etc");
    std::ofstream(root / "etc/debian_version") << "13.1\n";
    // What scripts/with-debian mounts the tree on is no executable.
    fs::create_directories(root / "haruspex");
    CHECK(refusal_of(root.string()).find("without haruspex") != std::string::npos);
    fs::create_directories(root / "usr/bin");
    // A link that leads somewhere in the root alone.
    fs::create_symlink("/no/such/file", root / "usr/bin/haruspex");
    if (::geteuid() != 0) {
        CHECK(refusal_of(root.string()).find("only by root") != std::string::npos);
        return;
    }
    const std::vector<std::string> command = found(root).command;
    CHECK(command.front() == "unshare");
    const std::vector<std::string> end{root.string(), "/usr/bin/haruspex", "judge"};
    REQUIRE(command.size() > end.size());
    CHECK(std::equal(end.begin(), end.end(), command.end() - 3));
}

TEST_CASE("a peer says who it is, and is told how to judge") {
    const Scratch scratch;
    pipeline::Options options;
    options.validate = true;
    options.native = false;
    const std::string script = "echo \"$*\" > " + (scratch / "arguments").string() + "\n" + test::judging("exit 0");
    const PeerProcess process = started(scratch, script, options);
    CHECK(process.greeting().haruspex == "0.0.9");
    CHECK(process.greeting().package == "halide-14");
    CHECK(process.compiler().name == "halide");
    CHECK(process.compiler().version == "1.2.3");
    CHECK(process.compiler().major == 14);
    std::ifstream stream(scratch / "arguments");
    std::string arguments;
    std::getline(stream, arguments);
    CHECK(arguments == "judge --keep-going --compiler halide --validate --no-native");
}

TEST_CASE("a peer answers with a verdict, or refuses") {
    const Scratch scratch;
    verdict::Verdict verdict;
    verdict.cls = verdict::Class::program_crash;
    verdict.signal = 11;
    const std::string said = to_json(Answer{verdict, {}});
    PeerProcess process =
        started(scratch, test::judging("echo '" + said + "'; read -r line; echo '{\"refused\":\"no\"}'"));
    CHECK(process.judge(some_case()) == Answer{verdict, {}});
    CHECK(process.judge(some_case()) == refused("no"));
}

TEST_CASE("a peer that dies, or says something else, is an error") {
    const Scratch scratch;
    PeerProcess dying = started(scratch, test::judging("exit 3"));
    const auto none = dying.judge(some_case());
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("ended with exit code 3") != std::string::npos);
    CHECK_FALSE(dying.judge(some_case()).has_value());
    for (const char* line :
         {"hello", "[]", "{\"refused\":1}", "{\"class\":\"no_such\"}", "{\"refused\":\"a\",\"why\":\"b\"}"}) {
        INFO(line);
        PeerProcess talking = started(scratch, test::judging(std::string("echo '") + line + "'"));
        CHECK_FALSE(talking.judge(some_case()).has_value());
    }
}

TEST_CASE("a peer that does not greet, or has another compiler, does not start") {
    const Scratch scratch;
    CHECK(failure_of_start(scratch, "exit 2\n").find("does not judge") != std::string::npos);
    CHECK_FALSE(failure_of_start(scratch, "echo hello\n").empty());
    std::string other = test::greeting;
    other.replace(other.find("halide"), 6, "others");
    CHECK(failure_of_start(scratch, "echo '" + other + "'\n").find("expected halide") != std::string::npos);
    std::string later = test::greeting;
    later.replace(later.find(":1,"), 3, ":2,");
    CHECK_FALSE(failure_of_start(scratch, "echo '" + later + "'\n").empty());
}

TEST_CASE("greetings and answers are read back as they were written") {
    const Greeting greeting{"0.1.0", {"halide", "14.0.0+a,b", 14}, "libhalide14-0 \"14\""};
    CHECK(parse_greeting(to_json(greeting), "peer") == greeting);
    Greeting blind = greeting;
    blind.compiler.unobserved = {.prophecies = true, .passes = {"unroll", "fold"}};
    CHECK(parse_greeting(to_json(blind), "peer") == blind);
    CHECK_FALSE(blind == greeting);
    // That of an older build.
    CHECK(parse_greeting(test::greeting, "peer").value().compiler.unobserved == compiler::Unobserved{});
    const Answer refusal = refused("no\nloop \"x\"");
    CHECK(parse_answer(to_json(refusal), "peer") == refusal);
    verdict::Verdict verdict;
    verdict.message = "two\nlines";
    verdict.own_sizes = verdict::proved(false);
    CHECK(to_json(Answer{verdict, {}}).find('\n') == std::string::npos);
    CHECK(parse_answer(to_json(Answer{verdict, {}}), "peer") == Answer{verdict, {}});
}

}  // namespace haruspex::session
