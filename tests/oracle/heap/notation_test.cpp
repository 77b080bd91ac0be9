#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;
using heap::Heap;
using heap::Template;

// Heaps as text in the notation of thesis Fig. 5.5.

namespace {

struct Printing {
    affine::Context context;
    heap::Templates templates;
    Template r = templates.cell("R", 0, value::Type::i32, 2);    // e0
    Template a = templates.cell("A", 0, value::Type::i32, 1);    // e1
    Template sum = templates.apply(value::BinaryOp::add, r, a);  // e2

    std::string heap(const std::string& text) { return heap::to_string(Heap(context.ctx(), text), templates); }
    std::string value(const std::string& text) { return heap::to_string(heap::Value(context.ctx(), text), templates); }
};

}  // namespace

TEST_CASE("a heap prints a line for each relation and disjunct, indices in their holes") {
    Printing p;
    CHECK(p.heap("[N] -> { c[x, y] -> e0[x + 1, N - y] : 0 <= x < N }") == "c[i, j] -> R(1 + i, N - j) : 0 <= i < N\n");
    CHECK(p.heap("[N] -> { c[x] -> e2[x, 0, 2x] : x < 0; c[x] -> e2[x, 1, 2x] : x > N >= 0 }") ==
          "c[i] -> R(i, 0) + A(2i) : i < 0\n"
          "c[i] -> R(i, 1) + A(2i) : N >= 0 and i > N\n");
    CHECK(p.heap("[N] -> { a[] -> e1[N] : N > 0 }") == "a[] -> A(N) : N > 0\n");
    CHECK(p.heap("{ }").empty());
}

TEST_CASE("a heap prints by array and in the order in which templates were made") {
    Printing p;
    CHECK(p.heap("{ b[x] -> e1[x] : x > 5; a[x] -> e2[0, 0, x] : x > 5; a[x] -> e0[x, x] : x < 0 }") ==
          "a[i] -> R(i, i) : i < 0\n"
          "a[i] -> R(0, 0) + A(i) : i >= 6\n"
          "b[i] -> A(i) : i >= 6\n");
}

TEST_CASE("no condition is printed where there is none") {
    Printing p;
    CHECK(p.heap("{ a[x] -> e1[x] }") == "a[i] -> A(i)\n");
    CHECK(p.value("[N] -> { e1[N] }") == "A(N)\n");
    CHECK(p.value("[N] -> { e1[N - 1] : N > 0; e0[0, 0] : N <= 0 }") == "R(0, 0) : N <= 0\nA(-1 + N) : N > 0\n");
}

TEST_CASE("divisions and remainders stand in the holes and conditions") {
    Printing p;
    CHECK(p.heap("{ a[x] -> e0[floor(x/4), x mod 4] : x mod 3 = 0 }") ==
          "a[i] -> R(floor((i)/4), (i) mod 4) : (i) mod 3 = 0\n");
    CHECK(p.heap("{ a[x] -> e1[y] : x = 2y }") == "a[i] -> A(floor((i)/2)) : (i) mod 2 = 0\n");
}

TEST_CASE("an index that is one expression everywhere stands in its place") {
    Printing p;
    CHECK(p.heap("[N, M] -> { c[x, y] -> e0[N, y] : x = N and 0 <= y < M }") == "c[N, j] -> R(N, j) : 0 <= j < M\n");
    CHECK(p.heap("[N, M] -> { c[x, y] -> e0[x, y] : x = 2N + 1 and y = M and N > 0 }") ==
          "c[1 + 2N, M] -> R(1 + 2N, M) : N > 0\n");
    CHECK(p.heap("[N] -> { c[x, y] -> e0[x, y] : x = 5 and y = x }") == "c[5, 5] -> R(5, 5)\n");
    // A dimension may only be expressed by dimensions that come before it.
    CHECK(p.heap("[N] -> { c[x, y] -> e0[x, y] : x = y and 0 <= x < N }") ==
          "c[i, j] -> R(i, i) : j = i and 0 <= i < N\n");
    // A condition may still mention the dimension.
    CHECK(p.heap("[N] -> { a[x] -> e1[0] : 2x = N }") == "a[i] -> A(0) : 2i = N\n");
}

TEST_CASE("locations and conditions of parameters print in the same notation") {
    Printing p;
    const auto cells = [&](const std::string& text) { return heap::to_string(heap::Locations(p.context.ctx(), text)); };
    CHECK(cells("[N, k] -> { b[x, y] : x = k and 0 <= y < N; a[x] : x = 0 }") == "a[0]\nb[k, j] : 0 <= j < N\n");
    CHECK(cells("[N] -> { a[x] : x < 0; a[x] : x > N >= 0 }") == "a[i] : N >= 0 and i > N\na[i] : i < 0\n");
    CHECK(cells("[N] -> { a[x] : 2x <= N <= 2x + 1 }") == "a[floor((N)/2)]\n");
    CHECK(cells("{ }").empty());
    const auto condition = [&](const std::string& text) {
        return heap::condition_to_string(isl::set(p.context.ctx(), text));
    };
    CHECK(condition("[N] -> { : 0 < N }") == "N > 0");
    CHECK(condition("[N] -> { : }") == "true");
    CHECK(condition("[N] -> { : 1 = 0 }") == "false");
    CHECK(heap::index_to_string(isl::pw_aff(p.context.ctx(), "[N, i] -> { [(2i + N)] }")) == "N + 2i");
}

TEST_CASE("dimensions do not take the names of parameters") {
    Printing p;
    CHECK(p.heap("[i, k] -> { a[x, y] -> e0[x + i, y + k] : 0 <= x < i }") ==
          "a[j, l] -> R(i + j, k + l) : 0 <= j < i\n");
}

TEST_CASE("several indices for one cell are named") {
    Printing p;
    CHECK(p.heap("{ a[x] -> e1[y] : 0 <= y < x }") == "a[i] -> A(j) : 0 <= j < i\n");
    CHECK(p.value("[N] -> { e1[y] : 0 <= y < N }") == "A(i) : 0 <= i < N\n");
}

TEST_CASE("a random heap prints the same text however its relations came together") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const affine::Context context;
        Choices choices(random_source(seed));
        const Pool pool;
        const World world = random_world(choices);
        RandomUnion h = random_union(choices, world, random_arrays(choices), pool.shapes(), 1);
        // One relation for each array and template, since the order in which isl lists disjuncts is unspecified.
        std::set<std::pair<std::string, std::string>> seen;
        std::erase_if(h.relations, [&](const RandomRelation& r) { return !seen.emplace(r.in, r.out).second; });
        INFO(seed << ": " << h.text());
        const std::string text = heap::to_string(Heap(context.ctx(), h.text()), pool.templates);
        Heap united = heap::empty_heap(context.ctx());
        for (auto r = h.relations.rbegin(); r != h.relations.rend(); ++r) {
            united = united.unite(Heap(context.ctx(), RandomUnion{h.parameters, {*r}}.text()));
        }
        REQUIRE(heap::to_string(united, pool.templates) == text);
        for (const RandomRelation& r : h.relations) {
            const Heap part(context.ctx(), RandomUnion{h.parameters, {r}}.text());
            REQUIRE(text.find(heap::to_string(part, pool.templates)) != std::string::npos);
        }
    }
}
