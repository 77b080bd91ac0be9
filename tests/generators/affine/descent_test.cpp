#include "generators/affine/descent.h"

#include <string>

#include "generators/affine/context.h"
#include "tests/support/catch.h"

namespace haruspex::affine {
namespace {

class Steps {
public:
    Steps& add(std::size_t from, std::size_t to, const std::string& step) {
        steps_.push_back({from, to, isl::map(context_.ctx(), step)});
        return *this;
    }
    std::optional<std::size_t> endless() const { return find_endless(steps_); }
    std::optional<std::size_t> cyclic() const { return find_cyclic(steps_); }

private:
    Context context_;
    std::vector<Descent> steps_;
};

TEST_CASE("steps in one direction end where they are bounded there") {
    CHECK_FALSE(Steps().endless());
    CHECK_FALSE(Steps().add(0, 0, "{ [x] -> [x - 1] : x > 0 }").endless());
    CHECK_FALSE(Steps().add(0, 0, "[N] -> { [x] -> [x + 1] : x < N }").endless());
    CHECK_FALSE(Steps().add(0, 0, "{ [x] -> [y] : x > 0 and 2y <= x < 2y + 2 }").endless());
    CHECK(Steps().add(0, 0, "{ [x] -> [x - 1] }").endless() == 0u);
    CHECK(Steps().add(0, 0, "{ [x] -> [y] : x >= 0 and 2y <= x < 2y + 2 }").endless() == 0u);
    CHECK(Steps().add(0, 0, "{ [x] -> [x] }").endless() == 0u);
    CHECK(Steps().add(0, 0, "{ [x] -> [1 - x] }").endless() == 0u);
    CHECK(Steps().add(3, 3, "{ [x] -> [x - 1] : x > 0; [x] -> [x + 1] : x < 5 }").endless() == 3u);
}

TEST_CASE("steps in one direction never come back") {
    CHECK_FALSE(Steps().cyclic());
    CHECK_FALSE(Steps().add(0, 0, "{ [x] -> [x - 1] }").cyclic());
    CHECK_FALSE(Steps().add(0, 0, "{ [x] -> [x + 1] : x > 5 }").cyclic());
    CHECK_FALSE(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 0, "{ [x] -> [x - 1] }").cyclic());
    CHECK(Steps().add(0, 0, "{ [x] -> [y] : 2y <= x < 2y + 2 }").cyclic() == 0u);
    CHECK(Steps().add(0, 0, "{ [x] -> [1 - x] }").cyclic() == 0u);
    CHECK(Steps().add(2, 2, "{ [x] -> [x] : x = 17 }").cyclic() == 2u);
    CHECK(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 0, "{ [x] -> [x] }").cyclic());
    CHECK(Steps().add(0, 0, "{ [x, y] -> [x - 1, y + 1]; [x, y] -> [x + 1, y - 1] }").cyclic());
}

TEST_CASE("of several dimensions the later ones count where the earlier ones stay") {
    CHECK_FALSE(Steps().add(0, 0, "{ [x, y] -> [x - 1, z] : x > 0; [x, y] -> [x, y + 1] : y < 7 }").endless());
    CHECK(Steps().add(0, 0, "{ [x, y] -> [x - 1, z] : x > 0; [x, y] -> [x, y + 1] }").endless() == 0u);
    CHECK(Steps().add(0, 0, "{ [x, y] -> [x - 1, y + 1] : y > 0; [x, y] -> [x + 1, y - 1] : x > 0 }").endless());
}

TEST_CASE("kinds that need each other end together, and others are walked through once") {
    CHECK_FALSE(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 2, "{ [x] -> [y] }").endless());
    CHECK_FALSE(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 0, "{ [x] -> [x - 1] : x > 0 }").endless());
    CHECK(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 0, "{ [x] -> [x] }").endless());
    CHECK(Steps().add(0, 1, "{ [x] -> [x] }").add(1, 1, "{ [x] -> [x] }").endless() == 1u);
    CHECK_FALSE(Steps().add(0, 1, "{ [x] -> [x, 5] }").add(1, 0, "{ [x, y] -> [x - 1] : x > 0 }").endless());
}

}  // namespace
}  // namespace haruspex::affine
