#include <map>
#include <set>

#include "generators/base/choice.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "oracle/interp/cell_table.h"
#include "oracle/interp/indices.h"
#include "oracle/interp/loop_bounds.h"
#include "tests/oracle/interp/random_sare.h"
#include "tests/support/catch.h"

namespace haruspex::interp {
namespace {

using value::Type;
using value::Value;
using Order = CellTable::Order;

std::optional<CellTable::Position> locate(CellTable& table, const std::vector<std::int64_t>& cell) {
    CellTable::Position position{};
    if (!table.locate(cell.data(), position)) { return std::nullopt; }
    return position;
}

void put(CellTable& table, const std::vector<std::int64_t>& cell, const Value& value) {
    const auto position = locate(table, cell);
    REQUIRE(position);
    table.set_value(*position, value);
}

TEST_CASE("a cell table keeps what it was given while it grows in all directions") {
    Choices choices(random_source(1));
    for (int round = 0; round < 60; ++round) {
        const auto rank = static_cast<std::size_t>(choices.integer(0, 4));
        // Wide boxes become sparse, narrow ones stay flat.
        const std::int64_t reach = choices.one_of(std::vector<std::int64_t>{3, 30, 3000});
        const Order order = choices.boolean(500) ? Order::first_fastest : Order::last_fastest;
        CellTable table(Type::i32, rank, order);
        std::map<std::vector<std::int64_t>, Value> expected;
        for (int i = 0; i < 2000; ++i) {
            std::vector<std::int64_t> cell;
            for (std::size_t d = 0; d < rank; ++d) { cell.push_back(choices.integer(-reach, reach)); }
            const auto position = locate(table, cell);
            REQUIRE(position);
            const auto known = expected.find(cell);
            REQUIRE((table.status(*position) == CellTable::Status::known) == (known != expected.end()));
            if (known != expected.end()) { REQUIRE(table.value(*position) == known->second); }
            const Value value = choices.boolean(100) ? Value::undef(Type::i32) : Value::integer(Type::i32, i);
            table.set_value(*position, value);
            expected.insert_or_assign(cell, value);
        }
        for (const auto& [cell, value] : expected) { REQUIRE(table.value(*locate(table, cell)) == value); }
    }
}

TEST_CASE("a cell table is flat while it is dense and hashed when it is sparse") {
    CellTable dense(Type::u8, 2, Order::first_fastest);
    CellTable diagonal(Type::u8, 2, Order::first_fastest);
    for (std::int64_t i = 0; i < 2000; ++i) {
        put(diagonal, {i, i}, Value::integer(Type::u8, i));
        for (std::int64_t j = 0; j < 40; ++j) { put(dense, {i, j}, Value::integer(Type::u8, i + j)); }
    }
    CHECK(dense.is_flat());
    CHECK_FALSE(diagonal.is_flat());
    CHECK(diagonal.value(*locate(diagonal, {1999, 1999})) == Value::integer(Type::u8, 1999));
    CHECK(diagonal.status(*locate(diagonal, {1999, 1998})) == CellTable::Status::unknown);
}

TEST_CASE("a cell table refuses cells that are too far apart, and stays as it was") {
    CellTable table(Type::i64, 1, Order::first_fastest);
    constexpr std::int64_t far = INT64_MAX;
    put(table, {0}, Value::integer(Type::i64, 5));
    CHECK_FALSE(locate(table, {far}));
    CHECK_FALSE(locate(table, {-far - 1}));
    CHECK(table.value(*locate(table, {0})) == Value::integer(Type::i64, 5));
    put(table, {far >> 2}, Value::integer(Type::i64, 6));
    CHECK(table.value(*locate(table, {far >> 2})) == Value::integer(Type::i64, 6));

    CellTable low(Type::i64, 2, Order::last_fastest);
    put(low, {-far - 1, -far - 1}, Value::integer(Type::i64, 7));
    put(low, {-far, -far + 5}, Value::integer(Type::i64, 8));
    CHECK(low.value(*locate(low, {-far - 1, -far - 1})) == Value::integer(Type::i64, 7));
}

TEST_CASE("a reserved cell table answers as any other, also outside the box") {
    CellTable table(Type::i32, 2, Order::first_fastest);
    table.reserve({-1, 2}, {3, 4});
    put(table, {1, 5}, Value::integer(Type::i32, 1));
    put(table, {-1, 2}, Value::integer(Type::i32, 2));
    put(table, {-2, 9}, Value::integer(Type::i32, 3));
    CHECK(table.value(*locate(table, {1, 5})) == Value::integer(Type::i32, 1));
    CHECK(table.value(*locate(table, {-1, 2})) == Value::integer(Type::i32, 2));
    CHECK(table.value(*locate(table, {-2, 9})) == Value::integer(Type::i32, 3));
    CHECK(table.status(*locate(table, {0, 3})) == CellTable::Status::unknown);
}

TEST_CASE("compiled indices and conditions mean what their trees mean") {
    Choices choices(random_source(2));
    const Sizes parameters{{"N", 5}, {"M", -3}};
    for (int round = 0; round < 3000; ++round) {
        const std::vector<std::string> names{"x", "y", "N", "M"};
        const sare::Index index = test::random_index(choices, names, 4);
        const sare::Condition condition = test::random_condition(choices, names, 4);
        Scope scope(parameters);
        scope.declare("x", 0);
        scope.declare("y", 1);
        IndexCode code;
        const IndexRef compiled_index = code.add(index, scope);
        const ConditionRef compiled_condition = code.add(condition, scope);
        for (int point = 0; point < 5; ++point) {
            const std::vector<std::int64_t> slots{choices.integer(-9, 9), choices.integer(-9, 9)};
            sare::Environment environment = parameters;
            environment["x"] = slots[0];
            environment["y"] = slots[1];
            REQUIRE(code.evaluate(compiled_index, slots.data()) == sare::evaluate(index, environment));
            REQUIRE(code.holds(compiled_condition, slots.data()) == sare::evaluate(condition, environment));
        }
        CHECK_FALSE(code.take_overflow());
    }
}

// Whether an index, or any part of it, is outside [-most - 1, most].
class Leaves {
public:
    Leaves(const sare::Environment& environment, std::int64_t most) : environment_(environment), most_(most) {}

    bool as_a_whole(const sare::Index& index) const {
        const std::int64_t value = sare::evaluate(index, environment_);
        return value > most_ || value < -most_ - 1;
    }
    bool operator()(const sare::Index& index) const {
        return as_a_whole(index) ||
               std::visit(Overload{[&](const sare::IndexBinary& n) { return (*this)(*n.a) || (*this)(*n.b); },
                                   [&](const sare::IndexScale& n) { return (*this)(*n.a); },
                                   [&](const sare::IndexDiv& n) { return (*this)(*n.a); },
                                   [&](const sare::IndexMod& n) { return (*this)(*n.a); },
                                   [&](const sare::IndexSelect& n) {
                                       return (*this)(*n.condition) || (*this)(*n.if_true) || (*this)(*n.if_false);
                                   },
                                   [](const auto&) { return false; }},
                          index.node);
    }
    bool operator()(const sare::Condition& condition) const {
        return std::visit(
            Overload{[&](const sare::Comparison& n) { return (*this)(n.a) || (*this)(n.b); },
                     [&](const sare::And& n) { return (*this)(*n.a) || (*this)(*n.b); },
                     [&](const sare::Or& n) { return (*this)(*n.a) || (*this)(*n.b); },
                     [&](const sare::Not& n) { return (*this)(*n.a); }, [](const sare::Truth&) { return false; }},
            condition.node);
    }

private:
    const sare::Environment& environment_;
    std::int64_t most_;
};

TEST_CASE("an index that leaves the bits is noticed, and none of which all parts fit") {
    Choices choices(random_source(3));
    constexpr int bits = 5;
    constexpr std::int64_t most = 15;
    const Sizes parameters{{"N", 5}, {"M", -3}};
    int noticed = 0, fitting = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::vector<std::string> names{"x", "y", "N", "M"};
        const sare::Index index = test::random_index(choices, names, 4);
        const sare::Comparison comparison{sare::Relation::lt, index, test::random_index(choices, names, 2)};
        const sare::Condition nested = test::random_condition(choices, names, 4);
        Scope scope(parameters);
        scope.declare("x", 0);
        scope.declare("y", 1);
        IndexCode code(bits);
        const IndexRef compiled_index = code.add(index, scope);
        const ConditionRef compiled_comparison = code.add(sare::Condition{comparison}, scope);
        const ConditionRef compiled_nested = code.add(nested, scope);
        for (int point = 0; point < 5; ++point) {
            const std::vector<std::int64_t> slots{choices.integer(-9, 9), choices.integer(-9, 9)};
            sare::Environment environment = parameters;
            environment["x"] = slots[0];
            environment["y"] = slots[1];
            const Leaves leaves(environment, most);
            const std::int64_t value = code.evaluate(compiled_index, slots.data());
            const bool index_left = code.take_overflow();
            if (leaves.as_a_whole(index)) { REQUIRE(index_left); }
            if (!leaves(index)) { REQUIRE_FALSE(index_left); }
            if (!index_left) { REQUIRE(value == sare::evaluate(index, environment)); }
            code.holds(compiled_comparison, slots.data());
            const bool comparison_left = code.take_overflow();
            if (leaves.as_a_whole(comparison.a) || leaves.as_a_whole(comparison.b)) { REQUIRE(comparison_left); }
            if (!leaves(sare::Condition{comparison})) { REQUIRE_FALSE(comparison_left); }
            code.holds(compiled_nested, slots.data());
            const bool nested_left = code.take_overflow();
            if (!leaves(nested)) { REQUIRE_FALSE(nested_left); }
            noticed += static_cast<int>(index_left);
            fitting += static_cast<int>(!leaves(index));
        }
    }
    CHECK(noticed > 500);
    CHECK(fitting > 500);
}

std::int64_t value_of(const Linear& row, const std::vector<std::int64_t>& slots) {
    std::int64_t sum = row.constant;
    for (const Term& term : row.terms) { sum += term.factor * slots[term.column]; }
    return sum;
}

void enumerate(const std::vector<LoopBounds>& bounds, std::size_t depth, std::vector<std::int64_t>& slots,
               std::set<std::vector<std::int64_t>>& visited) {
    if (depth == bounds.size()) {
        visited.insert(slots);
        return;
    }
    std::int64_t low = INT64_MAX;
    std::int64_t high = INT64_MIN;
    for (const Interval& interval : bounds[depth]) {
        std::int64_t least = INT64_MIN;
        std::int64_t most = INT64_MAX;
        for (const Bound& b : interval.lower) {
            least = std::max(least, ceil_quotient(value_of(b.row, slots), b.divisor));
        }
        for (const Bound& b : interval.upper) {
            most = std::min(most, floor_quotient(value_of(b.row, slots), b.divisor));
        }
        if (least > most) { continue; }
        low = std::min(low, least);
        high = std::max(high, most);
    }
    for (std::int64_t v = low; v <= high; ++v) {
        slots[depth + 1] = v;
        enumerate(bounds, depth + 1, slots, visited);
    }
}

TEST_CASE("loop bounds leave out no point of a bounded set") {
    Choices choices(random_source(3));
    const Sizes parameters{{"N", 4}};
    int bounded = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::vector<std::string> names{"x", "N", "i", "j", "k"};
        const sare::Condition shape = test::random_condition(choices, names, 4);
        // A cube around it, sometimes skewed, bounds the domain.
        sare::Condition domain = shape;
        for (const char* v : {"i", "j", "k"}) {
            const sare::Index centre = choices.boolean(300) ? sare::variable("x") : sare::constant(0);
            domain = domain && sare::compare(sare::Relation::le, centre - sare::constant(3), sare::variable(v)) &&
                     sare::compare(sare::Relation::le, sare::variable(v), centre + sare::constant(3));
        }
        Scope scope(parameters);
        for (std::uint32_t slot = 0; const char* name : {"x", "i", "j", "k"}) { scope.declare(name, slot++); }
        const auto bounds = loop_bounds(domain, {"i", "j", "k"}, {1, 2, 3}, scope);
        if (!bounds) {
            // Three comparisons of indices with several cases each.
            CHECK(bounds.error().message == "the domain of a reduction falls into more than 256 parts");
            continue;
        }
        ++bounded;
        std::vector<std::int64_t> slots{choices.integer(-3, 3), 0, 0, 0};
        std::set<std::vector<std::int64_t>> visited;
        enumerate(*bounds, 0, slots, visited);
        sare::Environment environment{{"N", 4}, {"x", slots[0]}};
        for (std::int64_t i = -6; i <= 6; ++i) {
            for (std::int64_t j = -6; j <= 6; ++j) {
                for (std::int64_t k = -6; k <= 6; ++k) {
                    environment["i"] = i;
                    environment["j"] = j;
                    environment["k"] = k;
                    if (sare::evaluate(domain, environment)) { REQUIRE(visited.contains({slots[0], i, j, k})); }
                }
            }
        }
    }
    CHECK(bounded > 1800);
}

TEST_CASE("loop bounds are tight on polyhedra") {
    // 0 <= j <= i, i + j <= N: a triangle where i ends at N and j at min(i, N - i).
    const Sizes parameters{{"N", 10}};
    const sare::Index i = sare::variable("i");
    const sare::Index j = sare::variable("j");
    const sare::Condition domain = sare::compare(sare::Relation::le, sare::constant(0), j) &&
                                   sare::compare(sare::Relation::le, j, i) &&
                                   sare::compare(sare::Relation::le, i + j, sare::variable("N"));
    Scope scope(parameters);
    scope.declare("i", 1);
    scope.declare("j", 2);
    const auto bounds = loop_bounds(domain, {"i", "j"}, {1, 2}, scope);
    REQUIRE(bounds);
    std::vector<std::int64_t> slots(3);
    std::set<std::vector<std::int64_t>> visited;
    enumerate(*bounds, 0, slots, visited);
    CHECK(visited.size() == 36);
}

TEST_CASE("a variable without bounds is an error that names it") {
    const Sizes parameters{{"N", 10}};
    Scope scope(parameters);
    scope.declare("k", 0);
    const auto bounds =
        loop_bounds(sare::compare(sare::Relation::ge, sare::variable("k"), sare::variable("N")), {"k"}, {0}, scope);
    REQUIRE_FALSE(bounds);
    CHECK(bounds.error().message == "found no bounds for the variable 'k' of a reduction");
}

}  // namespace
}  // namespace haruspex::interp
