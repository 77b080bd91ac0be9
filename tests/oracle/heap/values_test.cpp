#include <map>

#include "generators/affine/parameters.h"
#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;
using heap::Template;
using value::BinaryOp;
using value::UnaryOp;

namespace {

constexpr std::uint64_t rounds = 200;

// Random values over the pool's templates.
struct Draw {
    explicit Draw(std::uint64_t seed) : choices(random_source(seed)) {}

    RandomUnion values(int choice_per_mille) {
        return random_union(choices, world, {}, pool.shapes(), 1, choice_per_mille);
    }
    heap::Value isl_value(const RandomUnion& u) const { return heap::Value(context.ctx(), u.text()); }

    affine::Context context;
    Choices choices;
    Pool pool;
    World world = random_world(choices);
};

std::set<Tuple> contents(const Concrete& value) { return value.empty() ? std::set<Tuple>{} : value.at(no_tuple); }

Concrete value_of(std::set<Tuple> expressions) {
    Concrete value;
    if (!expressions.empty()) { value.emplace(no_tuple, std::move(expressions)); }
    return value;
}

Tuple expression(Template t, Row holes) { return {heap::Templates::tuple_name(t), std::move(holes)}; }
Template template_of(const Tuple& expression) { return heap::Templates::of_tuple(expression.first); }

// The documented choice of `choose`: the template made first, and then the smallest indices.
Tuple chosen(const std::set<Tuple>& expressions) {
    return *std::ranges::min_element(expressions, {},
                                     [](const Tuple& e) { return std::pair{template_of(e), e.second}; });
}

Row concatenated(std::initializer_list<Row> rows) {
    Row all;
    for (const Row& row : rows) { all.insert(all.end(), row.begin(), row.end()); }
    return all;
}

// A model with so few values that different expressions often agree.
value::Value small_model(const std::string& tensor, const Row& indices) {
    std::int64_t sum = static_cast<std::int64_t>(tensor[0]);
    for (const std::int64_t index : indices) { sum = 3 * sum + index; }
    return value::Value::integer(Pool::type, ((sum / 2) % 2 + 2) % 2);
}

std::set<std::string> evaluations(const heap::Templates& templates, const std::set<Tuple>& expressions) {
    std::set<std::string> values;
    for (const Tuple& e : expressions) { values.insert(value::to_string(evaluate(templates, e, small_model))); }
    return values;
}

// The function's values, in the environments where it is defined.
std::map<Row, std::int64_t> values_of(const isl::pw_aff& function, const World& world) {
    const isl::set graph = isl::multi_pw_aff(function).as_set();
    std::map<Row, std::int64_t> values;
    for (const auto& [row, value] : enumerate(graph.to_union_set(), world)) {
        REQUIRE(contents(value).size() == 1);
        values.emplace(row, contents(value).begin()->second.front());
    }
    return values;
}

}  // namespace

TEST_CASE("a location and a value are where their indices are defined") {
    for (std::uint64_t seed = 101000; seed < 101000 + rounds; ++seed) {
        Draw draw(seed);
        const std::vector<std::string> names = names_of(draw.world);
        std::string params;
        for (const std::string& name : names) { params += (params.empty() ? "" : ", ") + name; }
        std::vector<Sum> sums, guards;
        std::vector<isl::pw_aff> indices;
        draw.choices.sequence(2, 2, 0, [&](std::size_t) {
            sums.push_back(random_sum(draw.choices, names.size()));
            guards.push_back(random_sum(draw.choices, names.size()));
            indices.emplace_back(draw.context.ctx(), "[" + params + "] -> { [(" + sums.back().text(names) +
                                                         ")] : " + guards.back().text(names) + " >= 0 }");
        });
        const auto expected = [&](const std::string& name) {
            return family(draw.world, [&](const Row& row) {
                if (guards[0].at(row) < 0 || guards[1].at(row) < 0) { return Concrete{}; }
                return value_of({{name, {sums[0].at(row), sums[1].at(row)}}});
            });
        };
        INFO(seed << ": " << indices[0] << " " << indices[1]);
        REQUIRE(enumerate(heap::location(draw.context.ctx(), "a", indices), draw.world) == expected("a"));
        REQUIRE(enumerate(heap::value(draw.context.ctx(), draw.pool.b, indices), draw.world) ==
                expected(heap::Templates::tuple_name(draw.pool.b)));
    }
}

TEST_CASE("a location of rank 0 and a value without holes are everywhere") {
    Draw draw(1);
    const isl::ctx ctx = draw.context.ctx();
    CHECK(enumerate(heap::location(ctx, "a", {}), draw.world) ==
          family(draw.world, [](const Row&) { return value_of({{"a", {}}}); }));
    CHECK(enumerate(heap::value(ctx, draw.pool.s, {}), draw.world) ==
          family(draw.world, [&](const Row&) { return value_of({expression(draw.pool.s, {})}); }));
    CHECK(heap::no_locations(ctx).is_empty());
    CHECK(heap::empty_heap(ctx).is_empty());
}

TEST_CASE("the function nu on values: the expression that was made first, and all where there is one") {
    for (std::uint64_t seed = 102000; seed < 102000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion v = draw.values(400);
        INFO(seed << ": " << v.text());
        REQUIRE(enumerate(heap::choose(draw.isl_value(v)), draw.world) == family(draw.world, [&](const Row& row) {
                    const std::set<Tuple> all = contents(v.at(row));
                    return all.empty() ? Concrete{} : value_of({chosen(all)});
                }));
    }
}

TEST_CASE("the function nu on heaps: for each cell the expression that was made first") {
    for (std::uint64_t seed = 103000; seed < 103000 + rounds; ++seed) {
        Draw draw(seed);
        const std::vector<Shape> arrays = random_arrays(draw.choices);
        const RandomUnion h = random_union(draw.choices, draw.world, arrays, draw.pool.shapes(), 1, 400);
        INFO(seed << ": " << h.text());
        const heap::Heap symbolic(draw.context.ctx(), h.text());
        REQUIRE(heap::is_single_valued(heap::choose(symbolic)));
        REQUIRE(enumerate(heap::choose(symbolic), draw.world) == family(draw.world, [&](const Row& row) {
                    Concrete memory = h.at(row);
                    for (auto& entry : memory) { entry.second = {chosen(entry.second)}; }
                    return memory;
                }));
    }
}

TEST_CASE("Theorem 5.2.1: where a value evaluates to one value in a model, nu of it evaluates to the same") {
    std::size_t by_several = 0;
    for (std::uint64_t seed = 104000; seed < 104000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion v = draw.values(500);
        const Family one = enumerate(heap::choose(draw.isl_value(v)), draw.world);
        for_each_row(draw.world, [&](const Row& row) {
            const std::set<Tuple> all = contents(v.at(row));
            const std::set<std::string> values = evaluations(draw.pool.templates, all);
            if (values.size() != 1) { return; }
            by_several += all.size() > 1 ? 1 : 0;
            INFO(seed << ": " << v.text());
            REQUIRE(one.contains(row));
            REQUIRE(evaluations(draw.pool.templates, contents(one.at(row))) == values);
        });
    }
    CHECK(by_several > rounds);
}

TEST_CASE("pieces are disjoint, by template, and together the value") {
    for (std::uint64_t seed = 105000; seed < 105000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion v = draw.values(0);
        const heap::Value single = heap::choose(draw.isl_value(v));
        INFO(seed << ": " << v.text());
        const std::vector<heap::Piece> pieces = heap::pieces(single);
        REQUIRE(std::ranges::is_sorted(pieces, std::ranges::less_equal{}, &heap::Piece::expr));
        std::map<Row, std::set<Tuple>> found;
        for (const heap::Piece& piece : pieces) {
            REQUIRE(piece.holes.size() == draw.pool.templates.holes(piece.expr));
            const heap::Value part =
                heap::value(draw.context.ctx(), piece.expr, piece.holes).intersect_params(piece.environments);
            std::vector<std::map<Row, std::int64_t>> indices;
            for (const isl::pw_aff& hole : piece.holes) { indices.push_back(values_of(hole, draw.world)); }
            for (const Row& row : enumerate_parameters(piece.environments, draw.world)) {
                Row holes;
                for (const auto& index : indices) {
                    REQUIRE(index.contains(row));
                    holes.push_back(index.at(row));
                }
                REQUIRE(found[row].insert(expression(piece.expr, holes)).second);
            }
            REQUIRE(part.is_subset(single));
        }
        REQUIRE(family(draw.world, [&](const Row& row) {
                    REQUIRE(found[row].size() <= 1);
                    return value_of(found[row]);
                }) == enumerate(single, draw.world));
    }
}

TEST_CASE("5.2, symbolic lifting: an operator on all combinations, where their environments meet") {
    for (std::uint64_t seed = 106000; seed < 106000 + rounds / 2; ++seed) {
        Draw draw(seed);
        const int choice = seed % 2 == 0 ? 0 : 400;
        const RandomUnion u = draw.values(choice), v = draw.values(choice), w = draw.values(choice);
        heap::Templates& templates = draw.pool.templates;
        const auto negated = [&](Template a) { return templates.apply(UnaryOp::negate, a); };
        const auto sum = [&](Template a, Template b) { return templates.apply(BinaryOp::add, a, b); };
        const auto if_equal = [&](Template a, Template b, Template c) {
            return templates.select(templates.apply(BinaryOp::eq, a, draw.pool.zero), b, c);
        };
        INFO(seed << ": " << u.text() << " " << v.text() << " " << w.text());
        const heap::Value x = draw.isl_value(u), y = draw.isl_value(v), z = draw.isl_value(w);
        const Family one = enumerate(heap::lift(x, negated), draw.world);
        const Family two = enumerate(heap::lift(x, y, sum), draw.world);
        const Family three = enumerate(heap::lift(x, y, z, if_equal), draw.world);
        for_each_row(draw.world, [&](const Row& row) {
            const auto in = [&](const Family& f) { return f.contains(row) ? contents(f.at(row)) : std::set<Tuple>{}; };
            std::set<Tuple> expected_one, expected_two, expected_three;
            std::set<std::string> values_two;
            for (const Tuple& a : contents(u.at(row))) {
                expected_one.insert(expression(negated(template_of(a)), a.second));
                for (const Tuple& b : contents(v.at(row))) {
                    expected_two.insert(
                        expression(sum(template_of(a), template_of(b)), concatenated({a.second, b.second})));
                    values_two.insert(value::to_string(value::apply(BinaryOp::add, evaluate(templates, a, small_model),
                                                                    evaluate(templates, b, small_model))));
                    for (const Tuple& c : contents(w.at(row))) {
                        expected_three.insert(expression(if_equal(template_of(a), template_of(b), template_of(c)),
                                                         concatenated({a.second, b.second, c.second})));
                    }
                }
            }
            REQUIRE(in(one) == expected_one);
            REQUIRE(in(two) == expected_two);
            REQUIRE(in(three) == expected_three);
            // Evaluating the lifted value in a model gives the same as applying the operator to the operands' values.
            REQUIRE(evaluations(templates, in(two)) == values_two);
        });
    }
}

TEST_CASE("5.2, symbolic lifting: of single-valued values it is single-valued") {
    for (std::uint64_t seed = 107000; seed < 107000 + 100; ++seed) {
        Draw draw(seed);
        const heap::Value x = heap::choose(draw.isl_value(draw.values(300)));
        const heap::Value y = heap::choose(draw.isl_value(draw.values(300)));
        const heap::Value sum =
            heap::lift(x, y, [&](Template a, Template b) { return draw.pool.templates.apply(BinaryOp::add, a, b); });
        INFO(seed << ": " << x << " + " << y);
        for (const auto& entry : enumerate(sum, draw.world)) { REQUIRE(contents(entry.second).size() == 1); }
    }
}
