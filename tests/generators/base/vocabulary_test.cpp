#include <string>
#include <unordered_set>
#include <utility>
#include <variant>

#include "generators/base/box.h"
#include "generators/base/ensure.h"
#include "generators/base/ids.h"
#include "generators/base/overload.h"
#include "generators/base/result.h"
#include "tests/support/catch.h"

namespace haruspex {
namespace {

struct Sum;
using Tree = std::variant<int, Box<Sum>>;
struct Sum {
    Tree left;
    Tree right;
    bool operator==(const Sum&) const = default;
};

Tree sum(Tree left, Tree right) { return Box<Sum>(Sum{std::move(left), std::move(right)}); }

int evaluate(const Tree& tree) {
    return std::visit(Overload{[](int leaf) { return leaf; },
                               [](const Box<Sum>& s) { return evaluate(s->left) + evaluate(s->right); }},
                      tree);
}

TEST_CASE("a copy of a boxed value shares nothing with the original") {
    const Tree original = sum(1, sum(2, 3));
    Tree copy = original;
    CHECK(copy == original);
    std::get<Box<Sum>>(std::get<Box<Sum>>(copy)->right)->left = 20;
    CHECK(evaluate(copy) == 24);
    CHECK(evaluate(original) == 6);
    CHECK_FALSE(copy == original);
}

TEST_CASE("a boxed value can be replaced by a part of itself") {
    Box<Sum> tree = Sum{1, sum(2, 3)};
    tree = std::get<Box<Sum>>(tree->right);
    CHECK(evaluate(tree) == 5);
    Box<Sum>& self = tree;
    tree = self;
    CHECK(evaluate(tree) == 5);
}

TEST_CASE("a boxed value moves without a copy") {
    Box<std::string> a = std::string("entrails");
    const std::string* const address = &*a;
    const Box<std::string> b = std::move(a);
    CHECK(&*b == address);
    CHECK(*b == "entrails");
}

TEST_CASE("ids compare, order and hash by their index") {
    using TensorId = Id<struct TensorTag>;
    CHECK(TensorId{3} == TensorId{3});
    CHECK(TensorId{3} < TensorId{4});
    const std::unordered_set<TensorId> ids{TensorId{1}, TensorId{2}, TensorId{1}};
    CHECK(ids.size() == 2);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<TensorId, Id<struct StageTag>>);
}

TEST_CASE("a broken invariant throws with its place and message") {
    CHECK_NOTHROW([] { ENSURE(1 + 1 == 2, "arithmetic"); }());
    try {
        ENSURE(1 + 1 == 3, "one and one is " + std::to_string(1 + 1));
        FAIL("ENSURE did not throw");
    } catch (const InternalError& error) {
        const std::string what = error.what();
        CHECK(what.find("vocabulary_test.cpp:") != std::string::npos);
        CHECK(what.ends_with(": one and one is 2"));
    }
}

TEST_CASE("an error prints its place, its message, and the source line with a caret") {
    CHECK(to_string(Error{"no such tensor", {}, {}}) == "no such tensor");
    CHECK(to_string(Error{"cannot be read", {"case.json", 0, 0}, {}}) == "case.json: cannot be read");
    CHECK(to_string(Error{"expected ')'", {"", 3, 7}, {}}) == "3:7: expected ')'");
    CHECK(to_string(Error{"expected ')'", {"blur.sare", 3, 7}, "bh(x, y = in(x)"}) ==
          "blur.sare:3:7: expected ')'\n"
          "  bh(x, y = in(x)\n"
          "        ^");
    CHECK(to_string(Error{"expected a name", {"f", 1, 1}, "(x)"}) == "f:1:1: expected a name\n  (x)\n  ^");
}

TEST_CASE("fail makes the error of a result") {
    const Result<int> plain = fail("too large");
    REQUIRE_FALSE(plain.has_value());
    CHECK(plain.error() == Error{"too large", {}, {}});
    const Result<int> located = fail(Error{"too large", {"f", 2, 3}, "x"});
    REQUIRE_FALSE(located.has_value());
    CHECK(located.error().where == Location{"f", 2, 3});
}

TEST_CASE("a tab in the excerpt keeps the caret below its column") {
    CHECK(to_string(Error{"expected a digit", {"f", 1, 3}, "\tx?"}) == "f:1:3: expected a digit\n  \tx?\n  \t ^");
}

}  // namespace
}  // namespace haruspex
