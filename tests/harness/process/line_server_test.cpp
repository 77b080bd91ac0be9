#include "harness/process/line_server.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/sockets.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::process;

TEST_CASE("a companion answers line by line and is the same one each time") {
    LineServer counter({"sh", "-c", "n=0; while read -r line; do n=$((n + 1)); echo \"$n $line\"; done"});
    CHECK(counter.ask("one") == "1 one");
    CHECK(counter.ask(std::string(200'000, 'x')) == "2 " + std::string(200'000, 'x'));
}

TEST_CASE("a companion may speak before it is asked") {
    LineServer polite({"sh", "-c", "echo hello; read -r line; echo \"$line too\""});
    CHECK(polite.listen() == "hello");
    CHECK(polite.ask("you") == "you too");
}

TEST_CASE("a companion that ends instead of answering says so, then and later") {
    LineServer brief({"sh", "-c", "read -r line; echo only; exit 3"});
    CHECK(brief.ask("one") == "only");
    const auto none = brief.ask("two");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message == "sh ended with exit code 3");
    CHECK_FALSE(brief.ask("three").has_value());
    CHECK_FALSE(LineServer({"/nowhere/at-all"}).ask("one").has_value());
}

TEST_CASE("a companion that does not answer in time is ended") {
    LineServer silent({"sleep", "1000"}, {}, std::chrono::seconds(1));
    const auto none = silent.ask("one");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message == "sleep was stopped after 1 seconds");
    CHECK_FALSE(silent.ask("two").has_value());
}

TEST_CASE("whoever is told that time is up finds the deadline behind it") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    using Clock = std::chrono::steady_clock;
    for (int i = 0; i < 20; ++i) {
        // Not a whole number of milliseconds.
        const auto deadline = Clock::now() + std::chrono::microseconds(1'700);
        std::string text;
        CHECK_FALSE(read_until(Until::line, ends[0], text, deadline));
        CHECK(Clock::now() >= deadline);
    }
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("a companion outlives the forked children of its process") {
    std::optional<LineServer> echo;
    echo.emplace(std::vector<std::string>{"cat"});
    REQUIRE(echo->ask("before") == "before");
    const pid_t child = ::fork();
    if (child == 0) {
        const bool is_own = echo->is_of_this_process();
        echo.reset();
        ::_exit(is_own ? 1 : 0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(echo->ask("after") == "after");
}
