#include "oracle/heap/memory.h"

#include <stdexcept>

#include "generators/affine/parameters.h"
#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;

namespace {

constexpr std::uint64_t rounds = 250;

bool is_nonempty(const isl::set& environments) { return !environments.is_empty(); }

// Random indices of an array's cell, from a parameter and numbers.
std::vector<isl::pw_aff> random_indices(Choices& choices, const World& world, std::size_t rank, isl::ctx ctx) {
    const std::vector<std::string> names = names_of(world);
    std::vector<isl::pw_aff> indices;
    for (std::size_t d = 0; d < rank; ++d) {
        const isl::pw_aff number = affine::constant(ctx, choices.integer(-1, 2));
        indices.push_back(choices.boolean(500) ? number.add(affine::parameter(ctx, names.front())) : number);
    }
    return indices;
}

}  // namespace

TEST_CASE(
    "Definition 5.2.2: a memory holds what its deltas leave, the last one first, and says where there is nothing") {
    std::size_t found = 0, missing = 0;
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        Choices choices(random_source(seed));
        affine::Context context;
        Pool pool;
        const World world = random_world(choices);
        const std::vector<Shape> arrays = random_arrays(choices);
        heap::Heap all = heap::empty_heap(context.ctx());
        heap::Memory memory(context.ctx());
        for (int layer = 0; layer < 3; ++layer) {
            const RandomUnion h = random_union(choices, world, arrays, pool.shapes(), 0, 300);
            all = heap::update(all, heap::Heap(context.ctx(), h.text()));
            memory.leave(heap::known(heap::Heap(context.ctx(), h.text())));
        }
        const isl::set here = affine::parameter(context.ctx(), names_of(world).front())
                                  .ge_set(affine::constant(context.ctx(), choices.integer(-2, 2)));
        for (const auto& [array, rank] : arrays) {
            const heap::Location cell =
                heap::location(context.ctx(), array, random_indices(choices, world, rank, context.ctx()));
            INFO(seed << ": " << cell << " in " << all);
            const auto held = memory.at(array, cell, here, here, [&](const isl::set& environments) {
                return is_nonempty(environments.intersect(here));
            });
            const heap::Value expected = heap::apply(all, cell).intersect_params(here);
            REQUIRE(held.value.intersect_params(here).is_equal(expected));
            REQUIRE(held.missing.intersect(here).is_equal(here.subtract(heap::environments(expected))));
            REQUIRE(memory.only({array}).is_equal(heap::only(all, array)));
            REQUIRE(memory.domain(array).is_equal(heap::domain(heap::only(all, array))));
            found += expected.is_empty() ? 0 : 1;
            missing += held.missing.is_empty() ? 0 : 1;
        }
    }
    CHECK(found > rounds / 2);
    CHECK(missing > rounds / 2);
}

TEST_CASE("what is below a layer that tells all, and of arrays that nobody asks about, is not computed") {
    affine::Context context;
    const isl::ctx ctx = context.ctx();
    int computed = 0;
    const heap::Delta hidden({"a", "b"}, [&](const std::string& array) {
        ++computed;
        return heap::Heap(ctx, "{ " + array + "[i] -> E0[] }");
    });
    heap::Memory memory(ctx);
    memory.leave(hidden);
    memory.leave(heap::known(heap::Heap(ctx, "[N] -> { a[i] -> E1[i] : i <= N }")));
    const auto at = [&](const std::string& array, const std::string& index) {
        const isl::pw_aff i = index == "N" ? affine::parameter(ctx, index) : affine::constant(ctx, 0);
        return memory.at(array, heap::location(ctx, array, {i}), affine::everywhere(ctx), affine::everywhere(ctx),
                         is_nonempty);
    };
    CHECK(at("a", "N").value.is_equal(heap::Value(ctx, "[N] -> { E1[N] }")));
    CHECK(computed == 0);
    CHECK(at("a", "0").value.is_equal(heap::Value(ctx, "[N] -> { E1[0] : N >= 0; E0[] : N < 0 }")));
    CHECK(computed == 1);
    CHECK(at("a", "0").missing.is_empty());
    CHECK(computed == 1);
    CHECK(at("c", "0").missing.is_equal(affine::everywhere(ctx)));
}

TEST_CASE("what could not be computed is computed when it is asked for again") {
    affine::Context context;
    bool has_budget = false;
    const heap::Delta delta({"a"}, [&](const std::string&) {
        if (!has_budget) { throw std::runtime_error("no budget"); }
        return heap::Heap(context.ctx(), "{ a[i] -> E0[] }");
    });
    CHECK_THROWS(delta.at("a"));
    has_budget = true;
    CHECK(delta.at("a").is_equal(heap::Heap(context.ctx(), "{ a[i] -> E0[] }")));
}
