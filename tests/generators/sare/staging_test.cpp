#include "generators/sare/staging.h"

#include "generators/sare/build.h"

#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

sare::Sare parse(const std::string& text) {
    const auto parsed = sare::parse_sare(text, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return *parsed;
}

// The tensor's equations as text, one a line.
std::string equations(const sare::Sare& system, const std::string& tensor) {
    std::string text;
    const std::string expanded = sare::print_expanded(system);
    for (std::size_t start = 0; start < expanded.size();) {
        const std::size_t end = expanded.find('\n', start);
        const std::string line = expanded.substr(start, end - start);
        if (line.starts_with("  " + tensor + "(")) { text += line.substr(2) + "\n"; }
        start = end + 1;
    }
    return text;
}

}  // namespace

TEST_CASE("matrix product (thesis 2.4.4)") {
    const sare::Sare product = parse(R"(sare product(N, K) {
        input A : i32[2]
        input B : i32[2]
        D(i, j) = 0i32
        update D(i, j) = D(i, j) + A(i, k) * B(k, j) over k in [0, K)
        output D on { [i, j] : 0 <= i < N and 0 <= j < N }
    })");
    CHECK(equations(product, "D.0") == "D.0(i, j) = 0i32\n");
    CHECK(equations(product, "D.1") ==
          "D.1(i, j, k) : i32 = D.1(i, j, k - 1) + A(i, k) * B(k, j) if 0 <= k < K\n"
          "D.1(i, j, k) = D.0(i, j) if k < 0 or k >= K\n");
    CHECK(equations(product, "D") == "D(i, j) = D.1(i, j, K - 1)\n");
}

TEST_CASE("two recurrence variables (thesis 2.4.4): the previous step is taken within the rectangle") {
    // In the thesis the last variable runs innermost, in Halide the first: its (x, y) is our (y, x).
    const sare::Sare sum = parse(R"(sare sum2(X, Y) {
        input in : i32[2]
        D() = 0i32
        update D() = D() + in(x, y) over y in [0, Y), x in [0, X)
        output D on { [] : true }
    })");
    CHECK(equations(sum, "D.1") ==
          "D.1(y, x) : i32 = D.1(select(y <= 0, Y - 1, y - 1), select(y <= 0, x - 1, x)) + in(x, y) if 0 <= y < Y and "
          "0 <= x < X\n"
          "D.1(y, x) = D.0() if y < 0 or y >= Y or x < 0 or x >= X\n");
    CHECK(equations(sum, "D") == "D() = D.1(Y - 1, X - 1)\n");
}

TEST_CASE("D(i, 2k) += D(i, k) (thesis 2.4.4): what is not written is copied") {
    const sare::Sare recurrence = parse(R"(sare recurrence(K) {
        input in : i32[2]
        D(i, j) = in(i, j)
        update D(i, 2*k) = D(i, 2*k) + D(i, k) over k in [0, K)
        output D on { [i, j] : 0 <= i < K and 0 <= j < K }
    })");
    CHECK(equations(recurrence, "D.1") ==
          "D.1(i, j, k) : i32 = D.1(i, 2*k, k - 1) + D.1(i, k, k - 1) if 0 <= k < K and j = 2*k\n"
          "D.1(i, j, k) = D.1(i, j, k - 1) if 0 <= k < K and not j = 2*k\n"
          "D.1(i, j, k) = D.0(i, j) if k < 0 or k >= K\n");
}

TEST_CASE("a filter that does not hold leaves the previous value (thesis 2.4.4)") {
    const sare::Sare filtered = parse(R"(sare filtered(K) {
        input in : i32[1]
        D(x) = in(x)
        update D(x) = D(x) + in(k) over k in [2, 2 + K) where k < x
        output D on { [x] : 0 <= x < K }
    })");
    CHECK(equations(filtered, "D.1") ==
          "D.1(x, k) : i32 = D.1(x, k - 1) + in(k) if 2 <= k < 2 + K and k < x\n"
          "D.1(x, k) = D.1(x, k - 1) if 2 <= k < 2 + K and not k < x\n"
          "D.1(x, k) = D.0(x) if k < 2 or k >= 2 + K\n");
    CHECK(equations(filtered, "D") == "D(x) = D.1(x, 2 + K - 1)\n");
}

TEST_CASE("each update starts from the last step of the one before, and one without recurrence variables is one step") {
    const sare::Sare chain = parse(R"(sare chain(K) {
        D(x) = {0i32, 1.0f32}
        update D(x) = {D(x)[0] + 1, D(x)[1]} over k in [0, K)
        update D(3) = {D(3)[0], D(5)[1]}
        update D(x) = {D(x)[0], D(x)[1]} over l in [0, 4)
        output D on { [x] : 0 <= x < K }
    })");
    CHECK(equations(chain, "D.2") ==
          "D.2(x) = { D.1(3, K - 1)[0], D.1(5, K - 1)[1] } if x = 3\n"
          "D.2(x) = { D.1(x, K - 1)[0], D.1(x, K - 1)[1] } if not x = 3\n");
    CHECK(equations(chain, "D.3") ==
          "D.3(x, l) : {i32, f32} = { D.3(x, l - 1)[0], D.3(x, l - 1)[1] } if 0 <= l < 4\n"
          "D.3(x, l) = { D.2(x)[0], D.2(x)[1] } if l < 0 or l >= 4\n");
    CHECK(equations(chain, "D") == "D(x) = { D.3(x, 3)[0], D.3(x, 3)[1] }\n");
}

TEST_CASE("the previous step is the predecessor in Halide's order") {
    const std::vector<sare::RecurrenceVariable> over{{"a", sare::constant(1), sare::constant(3)},
                                                     {"b", sare::constant(-1), sare::variable("N")},
                                                     {"c", sare::constant(0), sare::constant(2)}};
    const std::vector<sare::Index> previous = sare::previous_step(over);
    const sare::Condition inside = sare::recurrence_domain(over);
    std::vector<std::int64_t> last;
    for (std::int64_t c = 0; c < 2; ++c) {
        for (std::int64_t b = -1; b < 1; ++b) {
            for (std::int64_t a = 1; a < 4; ++a) {
                const sare::Environment step{{"a", a}, {"b", b}, {"c", c}, {"N", 2}};
                CHECK(sare::evaluate(inside, step));
                std::vector<std::int64_t> before;
                for (const sare::Index& index : previous) { before.push_back(sare::evaluate(index, step)); }
                if (last.empty()) {
                    CHECK(!sare::evaluate(inside, {{"a", before[0]}, {"b", before[1]}, {"c", before[2]}, {"N", 2}}));
                } else {
                    CHECK(before == last);
                }
                last = {a, b, c};
            }
        }
    }
    std::vector<std::int64_t> maxima;
    for (const sare::Index& index : sare::last_step(over)) { maxima.push_back(sare::evaluate(index, {{"N", 2}})); }
    CHECK(maxima == last);
    CHECK(!sare::evaluate(inside, {{"a", 4}, {"b", 0}, {"c", 0}, {"N", 2}}));
}

TEST_CASE("a staging record that does not match its tensors is refused") {
    const sare::Sare good = parse(R"(sare s(K) {
        input in : i32[1]
        D(x) = in(x)
        update D(x) = D(x) + in(k) over k in [0, K)
        update D(2*k) = D(2*k) + 1 over k in [0, K) where k < 5
        output D on { [x] : 0 <= x < K }
    })");
    REQUIRE(sare::check(good).has_value());
    const auto refused = [](const sare::Sare& system, const std::string& message) {
        const auto checked = sare::check(system);
        REQUIRE(!checked.has_value());
        CHECK(checked.error().message == message);
        const auto unstaged = sare::unstage(system);
        CHECK(!unstaged.has_value());
    };

    sare::Sare other_extent = good;
    other_extent.stagings[0].updates[0].over[0].extent = sare::constant(3);
    refused(other_extent,
            "tensor \"D\": \"D.1\" is not the image of a function of an algorithm: its equations do not match the "
            "staging of \"D\"");

    sare::Sare other_filter = good;
    other_filter.stagings[0].updates[1].where = sare::truth(true);
    refused(other_filter,
            "tensor \"D\": \"D.2\" is not the image of a function of an algorithm: its equations do not match the "
            "staging of \"D\"");

    sare::Sare other_final = good;
    other_final.tensors.back().equations[0].values[0] = sare::Expr{sare::Access{"D.0", {sare::variable("x")}}};
    refused(other_final,
            "tensor \"D\": \"D\" is not the image of a function of an algorithm: its equations do not match the "
            "staging of \"D\"");

    sare::Sare other_pure = good;
    other_pure.tensors[0].equations[0].domain =
        sare::compare(sare::Relation::lt, sare::variable("x"), sare::constant(0));
    refused(other_pure,
            "tensor \"D\": \"D.0\" is not the image of a function of an algorithm: its equations do not match the "
            "staging of \"D\"");

    sare::Sare missing = good;
    missing.tensors.erase(missing.tensors.begin() + 1);
    refused(missing, "the stages of \"D\" are incomplete; expected tensor \"D.1\"");

    sare::Sare unrecorded = good;
    unrecorded.stagings.push_back({"E", {}});
    refused(unrecorded, "the stages of \"E\" are incomplete; expected tensor \"E.0\"");

    sare::Sare rank = good;
    rank.stagings[0].updates[0].target.clear();
    refused(rank,
            "tensor \"D\": \"D\" is not the image of a function of an algorithm: an update's target has 0 indices; "
            "expected 1");
}

TEST_CASE("what is not the image of an algorithm is named") {
    const auto refused = [](const std::string& items, const std::string& message) {
        const auto unstaged =
            sare::unstage(parse("sare s(N) { input in : i32[1] " + items + " output a on { [x] : 0 <= x < 3 } }"));
        REQUIRE(!unstaged.has_value());
        CHECK(unstaged.error().message == message);
    };
    refused("a(x) = in(x) if x < 3 a(x) = in(0) if x >= 3",
            "\"a\" is not the image of a function of an algorithm: a pure definition is one equation without a domain");
    refused("a(x) : i32 = a(x - 1)",
            "tensor \"a\": a pure definition reads its own tensor as \"a\"; expected inputs and other tensors");
    refused("a(x) : i32 = b(x) b(x) = in(x)",
            "tensor \"a\": \"b\" is defined after \"a\"; expected an input or an earlier tensor");
    refused("D.0(x) = in(x) a(x) = D.0(x)", "tensor \"D.0\": expected a function's name, found \"D.0\"");
}
