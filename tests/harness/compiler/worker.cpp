#include "harness/compiler/worker.h"

#include <ctime>

#include "tests/support/catch.h"

using namespace haruspex;
using compiler::Worker;

TEST_CASE("a worker has its time for each index, and is ended when it is over") {
    const auto work = [](std::uint64_t index) {
        const std::clock_t begin = std::clock();
        // Each index stays within the limit; two together exceed it.
        while (index == 2 || std::clock() - begin < 7 * CLOCKS_PER_SEC / 10) {}
        return std::to_string(index);
    };
    std::list<Worker> workers;
    auto worker = Worker::start(work, workers, std::chrono::seconds(1));
    REQUIRE(worker.has_value());
    for (std::uint64_t index = 0; index < 3; ++index) { worker->give(index); }
    for (std::uint64_t index = 0; index < 2; ++index) { CHECK(worker->receive().text == std::to_string(index)); }
    const Worker::Message last = worker->receive();
    CHECK(last.kind == Worker::Kind::gone);
    CHECK(last.index == 2);
    CHECK(last.text == "no answer within 1 s of processor time");
}
