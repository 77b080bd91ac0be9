#include "harness/compiler/in_order.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"

namespace haruspex::compiler {
namespace {

struct Heard {
    std::vector<std::string> texts;  // failed results in brackets
    Undelivered surplus;
};

// Computes squares, the later ones faster, with changed options.
Heard squares(std::uint64_t count, const std::function<void(WorkInOrder&)>& change) {
    Heard heard;
    WorkInOrder order;
    order.count = count;
    order.work = [count](std::uint64_t i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * (count - i)));
        return std::to_string(i * i);
    };
    change(order);
    const auto hear = order.on_done;
    order.on_done = [&](std::uint64_t i, const Done& done) {
        CHECK(i == heard.texts.size());
        heard.texts.push_back(done.failed ? "(" + done.text + ")" : done.text);
        return !hear || hear(i, done);
    };
    auto surplus = work_in_order(order);
    REQUIRE(surplus.has_value());
    heard.surplus = std::move(*surplus);
    return heard;
}

}  // namespace

TEST_CASE("what is worked on by several is heard in order") {
    for (const int jobs : {1, 2, 5, 20}) {
        for (const std::uint64_t ahead : {1, 3, 40}) {
            CAPTURE(jobs, ahead);
            const Heard heard = squares(7, [&](WorkInOrder& order) {
                order.jobs = jobs;
                order.most_ahead = ahead;
                order.queue = 2;
            });
            CHECK(heard.texts == std::vector<std::string>{"0", "1", "4", "9", "16", "25", "36"});
            CHECK(heard.surplus.done.empty());
            CHECK(heard.surplus.under_way == 0);
        }
    }
    CHECK(squares(0, [](WorkInOrder&) {}).texts.empty());
}

TEST_CASE("a worker that dies loses what it was at, and no other") {
    for (const int jobs : {1, 3}) {
        const Heard heard = squares(5, [&](WorkInOrder& order) {
            order.jobs = jobs;
            order.most_ahead = 5;
            order.queue = 2;
            order.work = [](std::uint64_t i) {
                if (i == 1) { ::raise(SIGKILL); }
                if (i == 3) { throw std::runtime_error("three"); }
                return std::to_string(i);
            };
        });
        CHECK(heard.texts ==
              std::vector<std::string>{"0", "(the worker process died of signal 9)", "2", "(three)", "4"});
    }
}

TEST_CASE("what was done when the work ends is surplus") {
    const Heard heard = squares(6, [](WorkInOrder& order) {
        order.jobs = 3;
        order.most_ahead = 3;
        // The first one finishes last.
        order.work = [](std::uint64_t i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 300 : 1));
            return std::to_string(i);
        };
        order.on_done = [](std::uint64_t, const Done&) { return false; };
    });
    CHECK(heard.texts == std::vector<std::string>{"0"});
    CHECK(heard.surplus.done.size() + heard.surplus.under_way == 2);
    for (const Done& done : heard.surplus.done) { CHECK_FALSE(done.failed); }
}

TEST_CASE("no more is begun than may be") {
    std::uint64_t most = 0;
    const Heard heard = squares(9, [&](WorkInOrder& order) {
        order.jobs = 4;
        order.most_ahead = 8;
        order.may_begin = [&](std::uint64_t unheard) {
            most = std::max(most, unheard);
            return unheard < 2;
        };
        order.on_done = [](std::uint64_t i, const Done&) { return i < 4; };
    });
    CHECK(heard.texts.size() == 5);
    CHECK(heard.surplus.done.size() + heard.surplus.under_way <= 1);
    CHECK(most == 2);
}

}  // namespace haruspex::compiler
