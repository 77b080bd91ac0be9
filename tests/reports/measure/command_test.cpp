#include "reports/measure/command.h"

#include <optional>

#include "reports/measure/process.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::measure;

TEST_CASE("a companion answers line by line and is the same one each time") {
    LineServer counter({"sh", "-c", "n=0; while read -r line; do n=$((n + 1)); echo \"$n $line\"; done"});
    CHECK(counter.ask("one") == "1 one");
    CHECK(counter.ask(std::string(200'000, 'x')) == "2 " + std::string(200'000, 'x'));
}

TEST_CASE("a companion that ends instead of answering says so, then and later") {
    LineServer brief({"sh", "-c", "read -r line; echo only; exit 3"});
    CHECK(brief.ask("one") == "only");
    const auto none = brief.ask("two");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("sh ended with status") != std::string::npos);
    CHECK_FALSE(brief.ask("three").has_value());
    CHECK_FALSE(LineServer({"/nowhere/at-all"}).ask("one").has_value());
}

TEST_CASE("a companion outlives the forked children of its process") {
    std::optional<LineServer> echo;
    echo.emplace(std::vector<std::string>{"cat"});
    REQUIRE(echo->ask("before") == "before");
    const auto end_it = [&] {
        const bool is_own = echo->is_of_this_process();
        echo.reset();
        return std::string(is_own ? "its own" : "its parent's");
    };
    CHECK(run_limited(end_it, {}).answer == "its parent's");
    CHECK(echo->ask("after") == "after");
}
