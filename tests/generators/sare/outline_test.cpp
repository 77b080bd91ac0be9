#include "generators/sare/outline.h"

#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "tests/support/catch.h"
#include "tests/support/naive_sare.h"
#include "tests/support/random_sare.h"

using namespace haruspex;

namespace {

// Outlines the items that follow the inputs.
std::string outlined(const std::string& items) {
    const auto parsed = sare::parse_sare("sare s(N, M) assuming N >= 1 {\n  input in : i32[2]\n" + items +
                                             "\n  output f on { [x, y] : 0 <= x < N and 0 <= y < N }\n}",
                                         "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    const sare::Sare result = sare::outlined(*parsed);
    const auto checked = sare::check(result);
    if (!checked) { FAIL(to_string(checked.error())); }
    const std::string text = sare::print(result);
    const std::size_t first = text.find('\n', text.find("  input in")) + 1;
    return text.substr(first, text.find("  output") - first);
}

}  // namespace

TEST_CASE("a reduction over a triangle becomes an update over a box with a filter") {
    CHECK(outlined("f(x, y) = 1 + sum over { [i, j] : 0 <= i < N and i <= j < M } of (in(i + y, j))") ==
          "  f_sum0(y) = 0i32\n"
          "  update f_sum0(y) = f_sum0(y) + in(i + y, j) over j in [0, M - 1 + 1), i in [0, N - 1 + 1) where i <= j\n"
          "  f(x, y) = 1i32 + f_sum0(y)\n");
}

TEST_CASE("a bound with a remainder of parameters is kept, one of another variable is widened") {
    CHECK(outlined("f(x, y) = sum over { [i] : N - N % 8 <= i < N } of (in(i, x))") ==
          "  f_sum0(x) = 0i32\n"
          "  update f_sum0(x) = f_sum0(x) + in(i, x) over i in [N - N%8, N - N%8 + (N - 1 - (N - N%8) + 1))\n"
          "  f(x, y) = f_sum0(x)\n");
    CHECK(outlined("f(x, y) = sum over { [i, j] : 0 <= i < N and 0 <= j < i % 4 } of (in(i, j))") ==
          "  f_sum0() = 0i32\n"
          "  update f_sum0() = f_sum0() + in(i, j) over j in [0, 3 - 1 + 1), i in [0, N - 1 + 1) where j < i%4\n"
          "  f(x, y) = f_sum0()\n");
}

TEST_CASE("a reduction's function has the captured variables in alphabetical order, those of the filter among them") {
    CHECK(outlined("f(y, x) = max over { [k] : 0 <= k < N and k <= x + y } of (in(x, k))") ==
          "  f_max0(x, y) = -2147483648i32\n"
          "  update f_max0(x, y) = max(f_max0(x, y), in(x, k)) over k in [0, N - 1 + 1) where k <= x + y\n"
          "  f(y, x) = f_max0(x, y)\n");
}

TEST_CASE("reductions are numbered through a definition, each before those within it, which stand before it") {
    CHECK(outlined(
              "f(x, y) = (sum over { [i] : 0 <= i < N } of (in(i, x) * prod over { [j] : 0 <= j < M } of (in(i, j))))"
              " + min over { [k] : 0 <= k < N } of (in(k, y))") ==
          "  f_prod1(i) = 1i32\n"
          "  update f_prod1(i) = f_prod1(i) * in(i, j) over j in [0, M - 1 + 1)\n"
          "  f_sum0(x) = 0i32\n"
          "  update f_sum0(x) = f_sum0(x) + in(i, x) * f_prod1(i) over i in [0, N - 1 + 1)\n"
          "  f_min2(y) = 2147483647i32\n"
          "  update f_min2(y) = min(f_min2(y), in(k, y)) over k in [0, N - 1 + 1)\n"
          "  f(x, y) = f_sum0(x) + f_min2(y)\n");
}

TEST_CASE("a reduction in an update captures the update's recurrence variables") {
    CHECK(outlined("  f(x, y) = in(x, y)\n"
                   "  update f(x, p) = f(x, p) + sum over { [i] : 0 <= i < M } of (in(i, p)) over p in [0, N)\n") ==
          "  f_u0_sum0(p) = 0i32\n"
          "  update f_u0_sum0(p) = f_u0_sum0(p) + in(i, p) over i in [0, M - 1 + 1)\n"
          "  f(x, y) = in(x, y)\n"
          "  update f(x, p) = f(x, p) + f_u0_sum0(p) over p in [0, N)\n");
}

TEST_CASE("a reduction stays without a box and over cells of the updated function") {
    for (const std::string items : {"  f(x, y) = sum over { [i] : x <= i < x + 3 } of (in(i, y))\n",
                                    "  f(x, y) = in(x, y)\n"
                                    "  update f(x, y) = sum over { [i] : 0 <= i < 4 } of (f(x, y))\n"}) {
        CHECK(outlined(items) == items);
    }
}

TEST_CASE("a reduction's function has a new name") {
    CHECK(outlined("  f_sum0(x) = in(x, x)\n"
                   "  f(x, y) = f_sum0(y) + sum over { [i] : 0 <= i < N } of (in(i, x))\n") ==
          "  f_sum0(x) = in(x, x)\n"
          "  f_sum0_(x) = 0i32\n"
          "  update f_sum0_(x) = f_sum0_(x) + in(i, x) over i in [0, N - 1 + 1)\n"
          "  f(x, y) = f_sum0(y) + f_sum0_(x)\n");
}

TEST_CASE("a SARE that is not staged stays as it is") {
    const auto general = sare::parse_sare(R"(sare s(N) assuming N >= 1 {
        f(x) = 0i32 if x <= 0
        f(x) = sum over { [i] : 0 <= i < N } of (f(x - 1)) if x > 0
        output f on { [x] : 0 <= x < N }
    })",
                                          "test");
    REQUIRE(general.has_value());
    CHECK(sare::outlined(*general) == *general);
}

TEST_CASE("outlining keeps a system well-formed and every value of its functions") {
    int outlined = 0, cells = 0, known = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        INFO("seed " << seed);
        Choices choices(random_source(seed));
        const sare::Algorithm algorithm = testing::random_algorithm(choices);
        const sare::Sare before = sare::stage(algorithm);
        const sare::Sare after = sare::outlined(before);
        if (after == before) { continue; }
        ++outlined;
        const auto checked = sare::check(after);
        INFO(sare::print(after) << (checked ? "" : to_string(checked.error())));
        REQUIRE(checked.has_value());
        const sare::Environment parameters{{"N", choices.integer(0, 3)}, {"M", choices.integer(-1, 3)}};
        const auto inputs = testing::small_inputs(algorithm);
        testing::NaiveSare expected(before, parameters, inputs);
        testing::NaiveSare found(after, parameters, inputs);
        for (const sare::Function& f : algorithm.functions) {
            for (int i = 0; i < 8; ++i) {
                testing::Cell cell;
                for (std::size_t d = 0; d < f.variables.size(); ++d) { cell.push_back(choices.integer(-3, 3)); }
                for (int c = 0; c < static_cast<int>(f.types.size()); ++c) {
                    const value::Value was = expected.at(f.name, c, cell);
                    const value::Value is = found.at(f.name, c, cell);
                    ++cells;
                    known += was.is_defined() ? 1 : 0;
                    REQUIRE(was.state() == is.state());
                    if (was.is_defined()) { REQUIRE(value::same_result(was, is)); }
                }
            }
        }
    }
    // Enough programs were compared.
    CHECK(outlined > 300);
    CHECK(2 * known > cells);
}
