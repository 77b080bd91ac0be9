#include "oracle/heap/heap.h"

#include "generators/affine/parameters.h"
#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;

namespace {

constexpr std::uint64_t rounds = 250;

// Random heaps over the same arrays and templates, and a context to compare them in.
struct Draw {
    explicit Draw(std::uint64_t seed) : choices(random_source(seed)) {}

    RandomUnion heap(int choice_per_mille = 300) {
        return random_union(choices, world, arrays, pool.shapes(), 0, choice_per_mille);
    }
    RandomUnion values(int choice_per_mille = 0) {
        return random_union(choices, world, {}, pool.shapes(), 1, choice_per_mille);
    }
    RandomUnion locations(int choice_per_mille = 500) {
        return random_union(choices, world, {}, arrays, 0, choice_per_mille);
    }
    heap::Heap isl_heap(const RandomUnion& u) const { return heap::Heap(context.ctx(), u.text()); }
    heap::Value isl_set(const RandomUnion& u) const { return heap::Value(context.ctx(), u.text()); }
    Family family_of(const RandomUnion& u) const {
        return family(world, [&](const Row& row) { return u.at(row); });
    }

    affine::Context context;
    Choices choices;
    Pool pool;
    World world = random_world(choices);
    std::vector<Shape> arrays = random_arrays(choices);
};

// "[N, x] -> { : low <= x < high }" with affine bounds; sometimes only every other iteration, or none.
struct Iterations {
    explicit Iterations(Choices& choices, const World& outer)
        : low(random_sum(choices, outer.size())),
          high(random_sum(choices, outer.size())),
          stride(choices.boolean(200) ? 2 : 1) {
        high.constant += 2;
    }

    std::string text(const World& outer) const {
        std::vector<std::string> names = names_of(outer);
        const std::string l = low.text(names), h = high.text(names);
        names.emplace_back("x");
        std::string params = "[";
        for (const std::string& name : names) { params += (params == "[" ? "" : ", ") + name; }
        return params + "] -> { : " + l + " <= x < " + h + " and x mod " + std::to_string(stride) + " = 0 }";
    }

    // Calls visit(environment with x) in the order of the loop.
    void run(const Row& outer, const std::function<void(const Row&)>& visit) const {
        for (std::int64_t x = low.at(outer); x < high.at(outer); ++x) {
            if (x % stride != 0) { continue; }
            Row row = outer;
            row.push_back(x);
            visit(row);
        }
    }

    Sum low, high;
    std::int64_t stride;
};

// An assumption on the outer parameters: none, or that a sum is not negative.
struct Assumption {
    explicit Assumption(Choices& choices, const World& outer) {
        if (choices.boolean(500)) { sum = random_sum(choices, outer.size()); }
    }

    bool holds(const Row& outer) const { return sum.at(outer) >= 0; }
    isl::set set(isl::ctx ctx, const World& outer) const {
        const std::vector<std::string> names = names_of(outer);
        std::string params;
        for (const std::string& name : names) { params += (params.empty() ? "" : ", ") + name; }
        return isl::set(ctx, "[" + params + "] -> { : " + sum.text(names) + " >= 0 }");
    }

    Sum sum;
};

Family restricted(Family family, const Assumption& assumption) {
    std::erase_if(family, [&](const auto& entry) { return !assumption.holds(entry.first); });
    return family;
}

}  // namespace

TEST_CASE("random heaps are what their text says") {
    for (std::uint64_t seed = 1000; seed < 1000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap(), l = draw.locations();
        INFO(seed << ": " << h.text() << " " << l.text());
        REQUIRE(enumerate(draw.isl_heap(h), draw.world) == draw.family_of(h));
        REQUIRE(enumerate(draw.isl_set(l), draw.world) == draw.family_of(l));
    }
}

TEST_CASE("5.2, application: a heap at a location is what is written there, and nothing elsewhere") {
    for (std::uint64_t seed = 2000; seed < 2000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap(), l = draw.locations();
        INFO(seed << ": " << h.text() << " at " << l.text());
        const Family expected = family(draw.world, [&](const Row& row) {
            const Concrete memory = h.at(row), cells = l.at(row);
            Concrete value;
            if (cells.empty()) { return value; }
            for (const Tuple& cell : cells.at(no_tuple)) {
                if (const auto found = memory.find(cell); found != memory.end()) {
                    value[no_tuple].insert(found->second.begin(), found->second.end());
                }
            }
            return value;
        });
        REQUIRE(enumerate(heap::apply(draw.isl_heap(h), draw.isl_set(l)), draw.world) == expected);
    }
}

TEST_CASE("5.2, domain: the cells that are written") {
    for (std::uint64_t seed = 3000; seed < 3000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap();
        INFO(seed << ": " << h.text());
        const Family expected = family(draw.world, [&](const Row& row) {
            Concrete cells;
            for (const auto& entry : h.at(row)) { cells[no_tuple].insert(entry.first); }
            return cells;
        });
        REQUIRE(enumerate(heap::domain(draw.isl_heap(h)), draw.world) == expected);
    }
}

TEST_CASE("Definition 5.2.2 and Lemma 5.2.7: an update is the update of memories, functional where both are") {
    std::size_t functional = 0;
    for (std::uint64_t seed = 4000; seed < 4000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h1 = draw.heap(), h2 = draw.heap();
        INFO(seed << ": " << h1.text() << " |> " << h2.text());
        const Family actual = enumerate(heap::update(draw.isl_heap(h1), draw.isl_heap(h2)), draw.world);
        REQUIRE(actual == family(draw.world, [&](const Row& row) { return updated(h1.at(row), h2.at(row)); }));
        for_each_row(draw.world, [&](const Row& row) {
            const auto found = actual.find(row);
            if (found == actual.end() || !is_functional(h1.at(row)) || !is_functional(h2.at(row))) { return; }
            ++functional;
            REQUIRE(is_functional(found->second));
        });
    }
    CHECK(functional > rounds);
}

TEST_CASE("Definition 5.2.2: updates are associative, and the empty heap is neutral") {
    for (std::uint64_t seed = 5000; seed < 5000 + 100; ++seed) {
        Draw draw(seed);
        const RandomUnion u1 = draw.heap(), u2 = draw.heap(), u3 = draw.heap();
        const heap::Heap h1 = draw.isl_heap(u1), h2 = draw.isl_heap(u2), h3 = draw.isl_heap(u3);
        const heap::Heap none = heap::empty_heap(draw.context.ctx());
        INFO(seed << ": " << u1.text() << " |> " << u2.text() << " |> " << u3.text());
        REQUIRE(heap::update(heap::update(h1, h2), h3).is_equal(heap::update(h1, heap::update(h2, h3))));
        REQUIRE(heap::update(none, h1).is_equal(h1));
        REQUIRE(heap::update(h1, none).is_equal(h1));
    }
}

TEST_CASE("Theorem 5.2.8: i -> j is in R1[x := R2] when a k has i -> k in R2 and i -> j in R1 at x = k") {
    std::size_t none = 0;
    for (std::uint64_t seed = 6000; seed < 6000 + rounds; ++seed) {
        Draw draw(seed);
        const World outer = without_iteration(draw.world);
        const RandomUnion r1 = draw.heap();
        // The relation may have several values, or none, for a cell.
        const RandomUnion r2 = random_union(draw.choices, outer, draw.arrays, {{"", 1}}, 1);
        INFO(seed << ": " << r1.text() << " with x := " << r2.text());
        const Family expected = family(outer, [&](const Row& row) {
            Concrete result;
            for (const auto& [cell, values] : r2.at(row)) {
                for (const Tuple& value : values) {
                    Row inner = row;
                    inner.push_back(value.second.front());
                    const Concrete memory = r1.at(inner);
                    if (const auto found = memory.find(cell); found != memory.end()) {
                        result[cell].insert(found->second.begin(), found->second.end());
                    }
                }
            }
            return result;
        });
        none += expected.empty() ? 1 : 0;
        REQUIRE(enumerate(heap::substitute(draw.isl_heap(r1), "x", draw.isl_heap(r2)), outer) == expected);
    }
    CHECK(none < 2 * rounds / 3);
}

TEST_CASE("Definition 5.2.4 and Lemma 5.2.9: an iterated update is the loop of updates") {
    std::size_t cheap = 0, by_lexmax = 0, functional = 0;
    for (std::uint64_t seed = 7000; seed < 7000 + 2 * rounds; ++seed) {
        Draw draw(seed);
        const World outer = without_iteration(draw.world);
        const RandomUnion h = draw.heap(seed % 2 == 0 ? 0 : 300);
        const Iterations loop(draw.choices, outer);
        INFO(seed << ": " << h.text() << " over " << loop.text(outer));
        const isl::set iterations(draw.context.ctx(), loop.text(outer));
        bool each_functional = true;
        const Family expected = family(outer, [&](const Row& row) {
            Concrete memory;
            loop.run(row, [&](const Row& inner) {
                const Concrete left = h.at(inner);
                each_functional = each_functional && is_functional(left);
                memory = updated(std::move(memory), left);
            });
            return memory;
        });
        const Family all = family(outer, [&](const Row& row) {
            Concrete memory;
            loop.run(row, [&](const Row& inner) { memory = united(std::move(memory), h.at(inner)); });
            return memory;
        });
        const heap::Heap symbolic = draw.isl_heap(h), any = heap::iterated_union(symbolic, "x", iterations);
        REQUIRE(enumerate(any, outer) == all);
        const Assumption assumption(draw.choices, outer);
        const isl::set context = assumption.set(draw.context.ctx(), outer);
        (heap::is_single_valued(any.intersect_params(context)) ? cheap : by_lexmax) += 1;
        const Family actual =
            restricted(enumerate(heap::iterated_update(symbolic, "x", iterations, context), outer), assumption);
        REQUIRE(actual == restricted(expected, assumption));
        if (!each_functional) { continue; }
        ++functional;
        for (const auto& entry : actual) { REQUIRE(is_functional(entry.second)); }
    }
    // Both methods are used often.
    CHECK(cheap > rounds / 2);
    CHECK(by_lexmax > rounds / 2);
    CHECK(functional > rounds / 2);
}

TEST_CASE("Definition 5.2.4: the cheap path and lexmax agree where both apply") {
    std::size_t both = 0;
    for (std::uint64_t seed = 8000; seed < 8000 + rounds; ++seed) {
        Draw draw(seed);
        const World outer = without_iteration(draw.world);
        const RandomUnion h = draw.heap(0);
        const Iterations loop(draw.choices, outer);
        const isl::set iterations(draw.context.ctx(), loop.text(outer));
        const heap::Heap running = draw.isl_heap(h).intersect_params(iterations);
        const heap::Heap all = heap::iterated_union(running, "x", iterations);
        if (all.is_empty() || !heap::is_single_valued(all)) { continue; }
        ++both;
        INFO(seed << ": " << h.text() << " over " << loop.text(outer));
        const heap::Heap last = heap::substitute(running, "x", affine::bind(heap::domain(running), "x").lexmax());
        const isl::set anywhere = affine::everywhere(draw.context.ctx());
        REQUIRE(heap::iterated_update(draw.isl_heap(h), "x", iterations, anywhere).is_equal(last));
    }
    CHECK(both > rounds / 8);
}

TEST_CASE("an iterated union of locations is what some iteration has") {
    for (std::uint64_t seed = 9000; seed < 9000 + rounds; ++seed) {
        Draw draw(seed);
        const World outer = without_iteration(draw.world);
        const RandomUnion l = draw.locations();
        const Iterations loop(draw.choices, outer);
        INFO(seed << ": " << l.text() << " over " << loop.text(outer));
        const Family expected = family(outer, [&](const Row& row) {
            Concrete cells;
            loop.run(row, [&](const Row& inner) { cells = united(std::move(cells), l.at(inner)); });
            return cells;
        });
        const isl::set iterations(draw.context.ctx(), loop.text(outer));
        REQUIRE(enumerate(heap::iterated_union(draw.isl_set(l), "x", iterations), outer) == expected);
    }
}

TEST_CASE("without and only part a heap and locations by array") {
    for (std::uint64_t seed = 10000; seed < 10000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap(), l = draw.locations();
        INFO(seed << ": " << h.text() << " " << l.text());
        const auto part = [&](bool of_a) {
            return family(draw.world, [&](const Row& row) {
                Concrete memory = h.at(row);
                std::erase_if(memory, [&](const auto& entry) { return (entry.first.first == "a") != of_a; });
                return memory;
            });
        };
        REQUIRE(enumerate(heap::only(draw.isl_heap(h), "a"), draw.world) == part(true));
        REQUIRE(enumerate(heap::only(draw.isl_heap(h), std::set<std::string>{"a"}), draw.world) == part(true));
        REQUIRE(enumerate(heap::only(draw.isl_heap(h), std::set<std::string>{"b", "c"}), draw.world) == part(false));
        REQUIRE(heap::only(draw.isl_heap(h), std::set<std::string>{}).is_empty());
        REQUIRE(enumerate(heap::without(draw.isl_heap(h), "a"), draw.world) == part(false));
        REQUIRE(enumerate(heap::without(draw.isl_set(l), "a"), draw.world) == family(draw.world, [&](const Row& row) {
                    Concrete cells = l.at(row);
                    std::erase_if(cells[no_tuple], [](const Tuple& cell) { return cell.first == "a"; });
                    if (cells[no_tuple].empty()) { cells.clear(); }
                    return cells;
                }));
    }
}

TEST_CASE("the arrays of a heap, and the environments of locations") {
    for (std::uint64_t seed = 11000; seed < 11000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap(), l = draw.locations();
        INFO(seed << ": " << h.text() << " " << l.text());
        // An array may be listed although none of its cells is written in the world's environments.
        const auto arrays = heap::arrays(draw.isl_heap(h));
        for_each_row(draw.world, [&](const Row& row) {
            for (const auto& entry : h.at(row)) {
                REQUIRE(arrays.contains(entry.first.first));
                REQUIRE(arrays.at(entry.first.first) == entry.first.second.size());
            }
        });
        for (const auto& entry : arrays) {
            REQUIRE(std::ranges::any_of(h.relations, [&](const RandomRelation& r) { return r.in == entry.first; }));
        }
        std::vector<Row> expected;
        for_each_row(draw.world, [&](const Row& row) {
            if (!l.at(row).empty()) { expected.push_back(row); }
        });
        REQUIRE(enumerate_parameters(heap::environments(draw.isl_set(l)), draw.world) == expected);
    }
}

TEST_CASE("a heap is single-valued when it is in each environment") {
    std::size_t single = 0;
    for (std::uint64_t seed = 12000; seed < 12000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion h = draw.heap(100);
        INFO(seed << ": " << h.text());
        // The property is tested in the enumerated environments only, so restrict the heap to them.
        const heap::Heap symbolic = draw.isl_heap(h).intersect_params(environments(draw.context.ctx(), draw.world));
        const Family concrete = draw.family_of(h);
        const bool expected =
            std::ranges::all_of(concrete, [](const auto& entry) { return is_functional(entry.second); });
        single += expected ? 1 : 0;
        REQUIRE(heap::is_single_valued(symbolic) == expected);
    }
    CHECK(single > rounds / 4);
    CHECK(single < rounds - rounds / 8);
}
