#include "reports/measure/process.h"

#include <stdexcept>
#include <vector>

#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::measure;

namespace {

const compiler::Limits roomy{std::uint64_t{1} << 30, std::chrono::seconds(100), std::chrono::seconds(500)};

}  // namespace

TEST_CASE("work in a child gives its answer, of any length, and what it took") {
    const Limited limited = run_limited(
        [] {
            const std::vector<char> room(std::size_t{64} << 20, 'x');
            // A compiler may leave out what nobody reads.
            const volatile std::size_t cell = 12345;
            return std::string(1'000'000, room[cell]);
        },
        roomy);
    REQUIRE(limited.answer.has_value());
    CHECK(limited.answer->size() == 1'000'000);
    CHECK(limited.spent.memory_bytes >= (std::uint64_t{32} << 20));
    CHECK(limited.spent.cpu_seconds > 0);
    CHECK(limited.spent.wall_seconds > 0);
}

TEST_CASE("what ends a child is told apart: a throw, memory, time, a signal") {
    CHECK(run_limited([]() -> std::string { throw std::runtime_error("oops"); }, roomy).answer.error() ==
          NoAnswer{false, "fault: oops"});
    compiler::Limits little = roomy;
    little.memory_bytes = std::uint64_t{16} << 20;
    const auto hog = [] {
        const std::vector<char> room(std::size_t{256} << 20, 'x');
        const volatile std::size_t cell = 12345;
        return std::string(1, room[cell]);
    };
    CHECK(run_limited(hog, little).answer.error() == NoAnswer{true, "memory limit"});
    compiler::Limits brief = roomy;
    brief.cpu = std::chrono::seconds(1);
    const auto spin = []() -> std::string {
        volatile std::uint64_t n = 0;
        while (true) { n = n + 1; }
    };
    CHECK(run_limited(spin, brief).answer.error() == NoAnswer{true, "time limit"});
    const auto crash = []() -> std::string { ::abort(); };
    CHECK(run_limited(crash, roomy).answer.error() == NoAnswer{false, "fault: died of signal 6"});
}
