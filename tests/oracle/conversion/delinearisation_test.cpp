#include "oracle/conversion/delinearisation.h"

#include <limits>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "harness/sched/normal_form.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

using sched::Polynomial;
using sched::Polynomials;

class Algebra {
public:
    Polynomial n(std::int64_t value) const { return Polynomials::constant(value); }
    Polynomial atom(const std::string& name) const { return polynomials.atom(name); }
    Polynomial sum(const Polynomial& a, const Polynomial& b, std::int64_t factor = 1) const {
        return *Polynomials::add(a, b, factor);
    }
    Polynomial product(const Polynomial& a, const Polynomial& b) const { return *polynomials.multiply(a, b); }
    Polynomial linear(const std::vector<Polynomial>& coordinates, const std::vector<Polynomial>& strides) const {
        Polynomial index = coordinates[0];
        for (std::size_t d = 0; d < strides.size(); ++d) {
            index = sum(index, product(coordinates[d + 1], strides[d]));
        }
        return index;
    }
    // c + Σ k*v over some of the variables.
    Polynomial random_form(Choices& choices, const std::vector<std::string>& variables) const {
        Polynomial form = n(choices.integer(-4, 4));
        for (const std::string& v : variables) {
            if (choices.integer(0, 1) == 1) { form = sum(form, atom(v), choices.integer(-3, 3)); }
        }
        return form;
    }

    sched::Atoms atoms;
    Polynomials polynomials{atoms};
};

}  // namespace

TEST_CASE("coordinates add up to the index, and are those that it was made of") {
    Algebra a;
    const std::vector<std::string> loops{"x", "y", "z"};
    int same = 0;
    constexpr int cases = 500;
    for (int k = 0; k < cases; ++k) {
        Choices choices(random_source(derive_seed(5, static_cast<std::uint64_t>(k))));
        const Polynomial width = a.sum(a.atom("W"), a.n(choices.integer(-2, 5)));
        const Polynomial height = a.sum(a.atom("H"), a.n(choices.integer(-2, 5)));
        const std::vector<Polynomial> strides{width, a.product(width, height)};
        const std::vector<Polynomial> coordinates_of_it{a.random_form(choices, loops), a.random_form(choices, loops),
                                                        a.random_form(choices, loops)};
        const Polynomial index = a.linear(coordinates_of_it, strides);
        const auto found = coordinates(index, strides, a.polynomials);
        REQUIRE(found);
        CHECK(a.linear(*found, strides) == index);
        same += *found == coordinates_of_it ? 1 : 0;
    }
    CHECK(same == cases);
}

TEST_CASE("of the ways to divide, that with the shortest coordinates is taken") {
    Algebra a;
    const Polynomial low = a.atom("low"), high = a.atom("high"), x = a.atom("x"), y = a.atom("y");
    // (y - low) * (high - low + 1) + x - low
    const Polynomial extent = a.sum(a.sum(high, low, -1), a.n(1));
    const Polynomial index = a.linear({a.sum(x, low, -1), a.sum(y, low, -1)}, {extent});
    const auto found = coordinates(index, {extent}, a.polynomials);
    REQUIRE(found);
    CHECK((*found)[0] == a.sum(x, low, -1));
    CHECK((*found)[1] == a.sum(y, low, -1));
}

TEST_CASE("a constant number of rows and a few cells are taken apart, on either side of the row") {
    Algebra a;
    const Polynomial width = a.atom("W"), x = a.atom("x"), y = a.atom("y"), z = a.atom("z");
    const std::vector<Polynomial> strides{width, a.product(a.n(14), width)};
    const auto of = [&](std::int64_t rows) {
        const auto found = coordinates(a.linear({x, a.sum(y, a.n(rows)), z}, strides), strides, a.polynomials);
        REQUIRE(found);
        CHECK((*found)[0] == x);
        return std::pair(a.sum((*found)[1], y, -1), a.sum((*found)[2], z, -1));
    };
    CHECK(of(29) == std::pair(a.n(1), a.n(2)));
    CHECK(of(27) == std::pair(a.n(-1), a.n(2)));
    CHECK(of(-1) == std::pair(a.n(-1), a.n(0)));
    CHECK(of(-15) == std::pair(a.n(-1), a.n(-1)));
    CHECK(of(6) == std::pair(a.n(6), a.n(0)));
    CHECK(coordinates(a.sum(a.product(a.n(7), y), a.n(15)), {a.n(7)}, a.polynomials) ==
          std::vector{a.n(1), a.sum(y, a.n(2))});
}

TEST_CASE("a multiple of a stride is divided by it, and what is none stays") {
    Algebra a;
    const Polynomial x = a.atom("x"), w = a.atom("W");
    const Polynomial stride = a.sum({}, w, 2);
    const auto found = coordinates(a.sum(a.product(x, stride), x), {stride}, a.polynomials);
    REQUIRE(found);
    CHECK(*found == std::vector{x, x});
    const auto none = coordinates(a.product(x, w), {stride}, a.polynomials);
    REQUIRE(none);
    CHECK(*none == std::vector{a.product(x, w), Polynomial{}});
    CHECK_FALSE(coordinates(x, {Polynomial{}}, a.polynomials));
}

TEST_CASE("coordinates that are surely beyond a constant extent are moved into it") {
    Algebra a;
    const sched::Atom lane = a.atom("lane").begin()->first.front(), u = a.atom("u").begin()->first.front();
    const Ranges ranges{{lane, {0, 15}}, {u, {-3, -1}}};
    const auto moved = [&](const Polynomial& x, const Polynomial& y, const Polynomial& extent) {
        std::vector<Polynomial> found{x, y};
        move_inside(found, {extent, a.atom("H")}, ranges);
        CHECK(a.linear(found, {extent}) == a.linear({x, y}, {extent}));
        return found;
    };
    const Polynomial y = a.atom("y"), at = a.atom("lane"), row = a.n(64);
    CHECK(moved(a.sum(at, a.n(-16)), y, row) == std::vector{a.sum(at, a.n(48)), a.sum(y, a.n(-1))});
    CHECK(moved(a.sum(at, a.n(128)), y, row) == std::vector{at, a.sum(y, a.n(2))});
    CHECK(moved(a.sum(a.atom("u"), at, 2), y, a.n(32)) == std::vector{a.sum(a.atom("u"), at, 2), y});
    CHECK(moved(a.atom("u"), y, a.n(3)) == std::vector{a.sum(a.atom("u"), a.n(3)), a.sum(y, a.n(-1))});
    // In the row, or not beyond it for all values, or of unknown range.
    for (const Polynomial& stays : {a.sum(at, a.n(48)), a.sum(at, a.n(-8)), a.sum(at, a.n(49)), a.sum(at, y),
                                    a.sum(a.product(at, at), a.n(-300))}) {
        CHECK(moved(stays, y, row) == std::vector{stays, y});
    }
    const Polynomial below = a.sum(at, a.n(-16));
    for (const Polynomial& extent : {a.atom("W"), a.n(-64)}) {
        CHECK(moved(below, y, extent) == std::vector{below, y});
    }
    const Polynomial large = a.n(std::numeric_limits<std::int64_t>::max());
    CHECK(moved(large, y, row) == std::vector{large, y});
}

}  // namespace haruspex::conversion
