#include "generators/base/choice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace haruspex {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

// Makes one draw of every kind.
std::vector<std::int64_t> draw_everything(Choices& choices) {
    std::vector<std::int64_t> drawn;
    drawn.push_back(choices.integer(-3, 12));
    drawn.push_back(choices.integer(lowest, highest));
    drawn.push_back(choices.integer(5, 5));
    drawn.push_back(choices.integer(0, 100, 50));
    drawn.push_back(choices.boolean(300) ? 1 : 0);
    drawn.push_back(static_cast<std::int64_t>(choices.weighted({1, 0, 5, 2})));
    const std::array<int, 4> values{10, 20, 30, 40};
    drawn.push_back(choices.one_of(values));
    choices.sequence(1, 6, 700, [&](std::size_t) { drawn.push_back(choices.integer(0, 9)); });
    std::vector<int> order{1, 2, 3, 4, 5};
    choices.shuffle(order);
    drawn.insert(drawn.end(), order.begin(), order.end());
    return drawn;
}

std::vector<std::int64_t> values_of(const std::vector<Choice>& record) {
    std::vector<std::int64_t> values;
    for (const Choice& c : record) { values.push_back(c.value); }
    return values;
}

TEST_CASE("a seed gives the same draws everywhere") {
    Choices choices(random_source(7));
    std::vector<std::int64_t> small;
    for (int i = 0; i < 12; ++i) { small.push_back(choices.integer(0, 999)); }
    CHECK(small == std::vector<std::int64_t>{994, 674, 638, 664, 664, 721, 716, 196, 408, 619, 303, 896});
    CHECK(choices.integer(lowest, highest) == 8097486056669415889);
    CHECK(derive_seed(7, 0) == 13309476754707697221U);
    CHECK(derive_seed(7, 1) == 7681392708378949626U);
}

TEST_CASE("neighbouring cases have different seeds and unrelated draws") {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t campaign = 0; campaign < 50; ++campaign) {
        for (std::uint64_t index = 0; index < 200; ++index) { seeds.insert(derive_seed(campaign, index)); }
    }
    CHECK(seeds.size() == 50U * 200U);

    int equal = 0;
    for (std::uint64_t index = 0; index < 1000; ++index) {
        Choices a(random_source(derive_seed(1, index)));
        Choices b(random_source(derive_seed(1, index + 1)));
        equal += a.integer(0, 9) == b.integer(0, 9) ? 1 : 0;
    }
    // A tenth are equal by chance; 150 is more than five standard deviations away.
    CHECK(equal > 50);
    CHECK(equal < 150);
}

TEST_CASE("a record replays to the same draws and the same record") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Choices original(random_source(seed));
        const auto drawn = draw_everything(original);
        Choices again(replay_source(original.record()));
        REQUIRE(draw_everything(again) == drawn);
        REQUIRE(again.record() == original.record());
    }
}

TEST_CASE("a record remembers range, target and value of every draw") {
    Choices choices(random_source(3));
    const std::int64_t first = choices.integer(-8, -2);
    const std::int64_t second = choices.integer(0, 10, 4);
    REQUIRE(choices.record().size() == 2);
    CHECK(choices.record()[0] == Choice{-8, -2, -2, first});
    CHECK(choices.record()[1] == Choice{0, 10, 4, second});
}

TEST_CASE("replay answers a value outside the asked range, and the end of the record, by the target") {
    Choices choices(replay_source({{0, 100, 0, 99}, {0, 9, 0, 7}}));
    CHECK(choices.integer(-5, 5, 2) == 2);
    CHECK(choices.integer(0, 9) == 7);
    CHECK(choices.integer(3, 9) == 3);
    CHECK(choices.integer(-9, -3) == -3);
    CHECK(choices.integer(-9, 3) == 0);
    CHECK_FALSE(choices.boolean(999));
}

TEST_CASE("bytes are read little-endian, as few as the range needs") {
    const std::vector<std::uint8_t> bytes{0x05, 0x34, 0x12, 0x02, 0x01, 0xff, 0xff};
    Choices choices(byte_source(bytes));
    CHECK(choices.integer(0, 255) == 5);
    CHECK(choices.integer(0, 65535) == 0x1234);
    CHECK(choices.integer(7, 7) == 7);  // takes no bytes
    CHECK(choices.integer(10, 12) == 12);
    CHECK(choices.integer(-1, 0) == 0);
    CHECK(choices.integer(lowest, highest, 17) == 17);  // two bytes left, eight needed
}

TEST_CASE("a byte is reduced modulo the range") {
    const std::vector<std::uint8_t> bytes{250};
    Choices choices(byte_source(bytes));
    CHECK(choices.integer(100, 109) == 100);
}

TEST_CASE("bytes that have run out answer every draw by its target") {
    Choices choices(byte_source({}));
    for (int i = 0; i < 100; ++i) {
        CHECK(choices.integer(-7, 90, 3) == 3);
        CHECK_FALSE(choices.boolean(990));
        CHECK(choices.weighted({0, 4, 4}) == 1);
    }
    std::vector<int> order{3, 1, 2};
    choices.shuffle(order);
    CHECK(order == std::vector<int>{3, 1, 2});
    int elements = 0;
    choices.sequence(2, 9, 900, [&](std::size_t) { ++elements; });
    CHECK(elements == 2);
}

TEST_CASE("every byte string gives draws inside their ranges") {
    Choices bytes_of(random_source(11));
    for (int run = 0; run < 300; ++run) {
        std::vector<std::uint8_t> bytes;
        bytes_of.sequence(0, 60, 970,
                          [&](std::size_t) { bytes.push_back(static_cast<std::uint8_t>(bytes_of.integer(0, 255))); });
        Choices choices(byte_source(bytes));
        draw_everything(choices);
        for (const Choice& c : choices.record()) {
            REQUIRE(c.low <= c.value);
            REQUIRE(c.value <= c.high);
        }
    }
}

TEST_CASE("draws are uniform over their range") {
    Choices choices(random_source(42));
    const int draws = 70000;
    std::map<std::int64_t, int> seen;
    for (int i = 0; i < draws; ++i) { ++seen[choices.integer(-3, 3)]; }
    REQUIRE(seen.size() == 7);
    for (const auto& [value, count] : seen) {
        // Expected 10000 with a standard deviation of 93.
        CHECK(count > 9500);
        CHECK(count < 10500);
    }
}

TEST_CASE("the whole range of 64 bits is drawn from") {
    Choices choices(random_source(5));
    int negative = 0;
    std::set<std::int64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t v = choices.integer(lowest, highest);
        negative += v < 0 ? 1 : 0;
        seen.insert(v);
    }
    CHECK(seen.size() == 1000);
    CHECK(negative > 400);
    CHECK(negative < 600);
}

TEST_CASE("booleans are as frequent as asked, and certain ones draw nothing") {
    Choices choices(random_source(1));
    int yes = 0;
    for (int i = 0; i < 20000; ++i) { yes += choices.boolean(250) ? 1 : 0; }
    CHECK(yes > 4700);
    CHECK(yes < 5300);

    const std::size_t before = choices.record().size();
    CHECK(choices.boolean(1000));
    CHECK_FALSE(choices.boolean(0));
    CHECK(choices.record().size() == before);
}

TEST_CASE("weighted alternatives come in proportion, never one of weight zero") {
    Choices choices(random_source(9));
    std::array<int, 4> seen{};
    for (int i = 0; i < 40000; ++i) { ++seen.at(choices.weighted({1, 0, 2, 1})); }
    CHECK(seen[1] == 0);
    CHECK(seen[0] > 9500);
    CHECK(seen[0] < 10500);
    CHECK(seen[2] > 19400);
    CHECK(seen[2] < 20600);

    const std::size_t before = choices.record().size();
    CHECK(choices.weighted({0, 0, 3}) == 2);
    CHECK(choices.record().size() == before);
}

TEST_CASE("shuffling reaches every order equally often") {
    Choices choices(random_source(13));
    std::map<std::string, int> seen;
    for (int i = 0; i < 12000; ++i) {
        std::string order = "abc";
        choices.shuffle(order);
        ++seen[order];
    }
    REQUIRE(seen.size() == 6);
    for (const auto& [order, count] : seen) {
        CHECK(count > 1800);
        CHECK(count < 2200);
    }
}

TEST_CASE("a sequence keeps its bounds on the number of elements") {
    Choices choices(random_source(17));
    std::set<std::size_t> lengths;
    for (int i = 0; i < 2000; ++i) {
        std::size_t length = 0;
        choices.sequence(2, 5, 600, [&](std::size_t index) {
            REQUIRE(index == length);
            ++length;
        });
        lengths.insert(length);
    }
    CHECK(lengths == std::set<std::size_t>{2, 3, 4, 5});
}

TEST_CASE("deleting the draws of one element of a sequence deletes that element and no other") {
    const auto draw_list = [](Choices& choices) {
        std::vector<std::int64_t> list;
        choices.sequence(0, 20, 800, [&](std::size_t) { list.push_back(choices.integer(0, 1000)); });
        return list;
    };
    int deletions = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Choices original(random_source(seed));
        const auto list = draw_list(original);
        for (std::size_t i = 0; i < list.size(); ++i) {
            // Each element consists of the draw "one more?" and its own draw.
            auto record = original.record();
            const auto first = record.begin() + static_cast<std::ptrdiff_t>(2 * i);
            record.erase(first, first + 2);
            auto expected = list;
            expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
            Choices shorter(replay_source(record));
            REQUIRE(draw_list(shorter) == expected);
            ++deletions;
        }
    }
    CHECK(deletions > 100);
}

TEST_CASE("a draw that makes no sense is our own fault") {
    Choices choices(random_source(1));
    CHECK_THROWS_AS(choices.integer(3, 2, 2), InternalError);
    CHECK_THROWS_AS(choices.integer(0, 5, 6), InternalError);
    CHECK_THROWS_AS(choices.boolean(1001), InternalError);
    CHECK_THROWS_AS(choices.weighted({0, 0}), InternalError);
    CHECK_THROWS_AS(choices.weighted({2, -1}), InternalError);
    CHECK_THROWS_AS(choices.one_of(std::vector<int>{}), InternalError);
    CHECK(values_of(choices.record()).empty());
}

}  // namespace
}  // namespace haruspex
