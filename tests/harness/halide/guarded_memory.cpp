#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <set>

#include "harness/halide/guarded_buffer.h"
#include "harness/halide/guarded_heap.h"
#include "tests/support/catch.h"

namespace haruspex::halide {
namespace {

const Shape plane{{-2, 5}, {4, 3}};

// Whether an action dies of a segmentation fault.
bool faults(const std::function<void()>& action) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        std::signal(SIGSEGV, SIG_DFL);
        action();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

}  // namespace

TEST_CASE("cells keep what they were filled with, whatever the element and the side") {
    for (const int bytes : {1, 2, 4, 8}) {
        for (const Flush flush : {Flush::at_end, Flush::at_start}) {
            GuardedBuffer buffer(plane, bytes, Rows::padded, flush, 0xa5);
            const std::vector<std::uint64_t> bits{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
            buffer.fill(bits);
            CHECK(buffer.read() == bits);
            CHECK(reinterpret_cast<std::uintptr_t>(buffer.host()) % static_cast<unsigned>(bytes) == 0);
            CHECK(buffer.strides() == std::vector<std::int64_t>{1, 7});
        }
    }
}

TEST_CASE("dense rows have no gaps") {
    const GuardedBuffer buffer(plane, 4, Rows::dense, Flush::at_end, 0xa5);
    CHECK(buffer.strides() == std::vector<std::int64_t>{1, 4});
}

TEST_CASE("a shape is walked with dimension 0 fastest") {
    std::vector<std::vector<std::int64_t>> seen;
    Shape{{1, 5}, {2, 2}}.for_each([&](const auto& at) { seen.push_back(at); });
    CHECK(seen == std::vector<std::vector<std::int64_t>>{{1, 5}, {2, 5}, {1, 6}, {2, 6}});
    int scalars = 0;
    Shape{}.for_each([&](const auto&) { ++scalars; });
    CHECK(scalars == 1);
    Shape{{0}, {-3}}.for_each([](const auto&) { FAIL("an empty shape has no cells"); });
}

TEST_CASE("the byte behind a buffer that is flush at its end is out of reach, and before one flush at its start") {
    GuardedBuffer at_end(plane, 4, Rows::padded, Flush::at_end, 0);
    std::uint8_t* end = at_end.host() + (2 * 7 + 4) * 4;
    CHECK_FALSE(faults([&] { end[-1] = 1; }));
    CHECK(faults([&] { *end = 1; }));
    GuardedBuffer at_start(plane, 4, Rows::padded, Flush::at_start, 0);
    CHECK_FALSE(faults([&] { *at_start.host() = 1; }));
    CHECK(faults([&] { at_start.host()[-1] = 1; }));
}

TEST_CASE("a change is found in every byte that is no cell, and described") {
    GuardedBuffer buffer(plane, 2, Rows::padded, Flush::at_end, 0x5a);
    buffer.fill(std::vector<std::uint64_t>(12, 7));
    buffer.seal();
    CHECK_FALSE(buffer.find_change(false).has_value());
    buffer.host()[2 * 2] = 9;  // a cell, (0, 5)
    CHECK_FALSE(buffer.find_change(true).has_value());
    CHECK(buffer.find_change(false) == "at (0, 5)");
    buffer.host()[2 * 2] = 7;
    buffer.host()[2 * (7 + 5)] = 1;
    CHECK(buffer.find_change(true) == "in a gap, at (3, 6)");
    buffer.host()[2 * (7 + 5)] = 0x5a;
    buffer.host()[-3] = 0;
    CHECK(buffer.find_change(true) == "3 bytes before the first cell");
    buffer.host()[-3] = 0x5a;
    GuardedBuffer other(plane, 2, Rows::padded, Flush::at_start, 0x5a);
    other.seal();
    other.host()[2 * (2 * 7 + 4)] = 0;
    CHECK(other.find_change(true) == "0 bytes behind the last cell");
}

TEST_CASE("scalars and empty boxes have memory too") {
    GuardedBuffer scalar(Shape{}, 4, Rows::padded, Flush::at_end, 0xa5);
    scalar.fill({0x12345678});
    CHECK(scalar.read() == std::vector<std::uint64_t>{0x12345678});
    const GuardedBuffer empty(Shape{{0, 3}, {5, 0}}, 4, Rows::padded, Flush::at_end, 0xa5);
    CHECK(empty.read().empty());
}

TEST_CASE("a monstrous box is refused as exhausted memory") {
    const std::int64_t large = std::int64_t{1} << 40;
    CHECK_THROWS_AS(GuardedBuffer(Shape{{0}, {large}}, 4, Rows::padded, Flush::at_end, 0), std::bad_alloc);
    CHECK_THROWS_AS(GuardedBuffer(Shape{{0, 0, 0}, {large, large, large}}, 4, Rows::padded, Flush::at_end, 0),
                    std::bad_alloc);
}

TEST_CASE("blocks of the guarded heap are aligned, poisoned and independent") {
    GuardedHeap heap(0x5a);
    std::set<void*> blocks;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{128}, std::size_t{100000}}) {
        auto* block = static_cast<std::uint8_t*>(heap.allocate(bytes));
        REQUIRE(block != nullptr);
        CHECK(reinterpret_cast<std::uintptr_t>(block) % 128 == 0);
        for (std::size_t i = 0; i < bytes; ++i) { REQUIRE(block[i] == 0x5a); }
        blocks.insert(block);
    }
    CHECK(blocks.size() == 4);
    for (void* block : blocks) { heap.release(block); }
    heap.release(nullptr);
    CHECK(heap.stray_write().empty());
    CHECK_FALSE(heap.is_exhausted());
}

TEST_CASE("a write beside a block of the guarded heap is seen when it is freed") {
    for (const int offset : {-1, -100, 37, 37 + 127}) {
        GuardedHeap heap(0);
        auto* block = static_cast<std::uint8_t*>(heap.allocate(37));
        block[36] = 1;
        block[offset] = 1;
        heap.release(block);
        INFO(offset);
        CHECK(heap.stray_write() == (offset < 0 ? "an internal allocation was written before its start"
                                                : "an internal allocation of 37 bytes was written " +
                                                      std::to_string(offset - 37) + " bytes behind its end"));
    }
}

TEST_CASE("an impossible block exhausts the guarded heap") {
    GuardedHeap heap(0);
    CHECK(heap.allocate(std::numeric_limits<std::size_t>::max() - 5) == nullptr);
    CHECK(heap.is_exhausted());
}

}  // namespace haruspex::halide
