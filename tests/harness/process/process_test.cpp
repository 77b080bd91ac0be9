#include "harness/process/process.h"

#include <csignal>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/scratch.h"

namespace haruspex::process {
namespace {

Ended ended(Command command, const std::string& input = {}) {
    const auto result = run(command, input);
    if (!result) { FAIL(to_string(result.error())); }
    return *result;
}

Command shell(const std::string& line) { return {.words = {"sh", "-c", line}, .errors = Errors::dropped}; }

}  // namespace

TEST_CASE("a program reads its input, and its output and exit code are returned") {
    const std::string input(300'000, 'x');
    const Ended echoed = ended({.words = {"cat"}}, input);
    CHECK(echoed.output == input);
    CHECK(echoed.succeeded());
    const Ended failed = ended(shell("echo out; echo err >&2; exit 3"));
    CHECK(failed.output == "out\n");
    CHECK(failed.code == 3);
    CHECK_FALSE(failed.succeeded());
    CHECK(how(failed) == "ended with exit code 3");
    Command both = shell("echo out; echo err >&2");
    both.errors = Errors::with_output;
    CHECK(ended(both).output == "out\nerr\n");
}

TEST_CASE("a program runs in its folder") {
    const tests::ScratchFolder scratch;
    std::ofstream(scratch.path() / "here") << "yes";
    Command command = shell("cat here");
    command.folder = scratch.path();
    CHECK(ended(command).output == "yes");
    command.folder = scratch.path() / "missing";
    CHECK_FALSE(run(command).has_value());
}

TEST_CASE("a program that cannot be started is an error, with the reason") {
    const auto result = run({.words = {"/nowhere/at-all"}});
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().message == "cannot run /nowhere/at-all: No such file or directory");
}

TEST_CASE("a program is held to its limits, with what it started") {
    const tests::ScratchFolder scratch;
    Command slow = shell("(sleep 100; touch late) & sleep 100");
    slow.folder = scratch.path();
    slow.limits.seconds = 1;
    const Ended stopped = ended(slow);
    CHECK(stopped.was_too_slow);
    CHECK_FALSE(stopped.succeeded());
    CHECK(how(stopped, slow.limits) == "was stopped after 1 seconds");
    Command busy = shell("while :; do :; done");
    busy.limits.cpu_seconds = 1;
    const Ended spent = ended(busy);
    CHECK(spent.signal);
    CHECK(how(spent, busy.limits) == "was stopped after 1 seconds");
    Command quick = shell("exit 0");
    quick.limits.seconds = 100;
    CHECK(ended(quick).succeeded());
}

TEST_CASE("a signal that ends a program is told") {
    const Ended died = ended(shell("kill -SEGV $$"));
    CHECK(died.signal == SIGSEGV);
    CHECK(how(died) == "died of signal 11 (Segmentation fault)");
}

TEST_CASE("only the output of a program that succeeds counts") {
    CHECK(output_of(shell("echo yes")).value() == "yes\n");
    const auto failed = output_of(shell("echo no; false"));
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().message == "sh ended with exit code 1");
}

}  // namespace haruspex::process
