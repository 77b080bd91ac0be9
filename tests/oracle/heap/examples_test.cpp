#include "generators/affine/parameters.h"
#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;
using heap::Heap;
using heap::Template;
using heap::Value;
using value::BinaryOp;

// The examples of thesis 5.2, for every N.

namespace {

struct Example {
    affine::Context context;
    heap::Templates templates;
    Template a = templates.cell("A", 0, value::Type::i32, 1);
    Template b = templates.cell("B", 0, value::Type::i32, 1);

    // Replaces $A and $B by the tuples' names.
    std::string with_names(std::string text) const {
        for (const auto& [key, t] : {std::pair{"$A", a}, {"$B", b}}) {
            for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key)) {
                text.replace(at, 2, heap::Templates::tuple_name(t));
            }
        }
        return text;
    }
    Heap heap(const std::string& text) const { return Heap(context.ctx(), with_names(text)); }
    isl::set set(const std::string& text) const { return isl::set(context.ctx(), text); }
    isl::set anywhere() const { return affine::everywhere(context.ctx()); }
};

}  // namespace

TEST_CASE("Example 8: where each location has one iteration, the iterated update is the iterated union") {
    const Example e;
    const Heap h = e.heap("[N, x] -> { a[i] -> $A[j] : 0 <= x < N and i = x and j = x + 2 }");
    const isl::set iterations = e.set("[x] -> { : 0 <= x < 4 }");
    const isl::union_map bound = affine::bind(heap::domain(h.intersect_params(iterations)), "x");
    CHECK(bound.is_equal(isl::union_map(e.context.ctx(), "[N] -> { a[i] -> [x] : 0 <= x < 4 and x < N and i = x }")));
    CHECK(bound.lexmax().is_equal(isl::union_map(e.context.ctx(), "[N] -> { a[i] -> [i] : 0 <= i < 4 and i < N }")));

    const Heap update = heap::iterated_update(h, "x", iterations, e.anywhere());
    CHECK(update.is_equal(e.heap("[N] -> { a[i] -> $A[i + 2] : 0 <= i < 4 and i < N }")));
    CHECK(update.is_equal(heap::iterated_union(h, "x", iterations)));
    CHECK(heap::to_string(update, e.templates) == "a[i] -> A(2 + i) : 0 <= i <= 3 and i < N\n");
    CHECK(update.intersect_params(e.set("[N] -> { : N >= 4 }"))
              .is_equal(e.heap("[N] -> { a[0] -> $A[2]; a[1] -> $A[3]; a[2] -> $A[4]; a[3] -> $A[5] }")
                            .intersect_params(e.set("[N] -> { : N >= 4 }"))));
}

TEST_CASE("Example 9: where iterations overwrite each other, the last one counts") {
    const Example e;
    const Heap h = e.heap("[N, x] -> { a[i] -> $A[j] : j = x + 3 and i = x mod 4 }");
    const isl::set iterations = e.set("[N, x] -> { : 0 <= x < N }");
    const isl::union_map bound = affine::bind(heap::domain(h.intersect_params(iterations)), "x");
    // The thesis prints i <= min(N, 4); no iteration writes a[N] or a[4].
    CHECK(bound.lexmax().is_equal(
        isl::union_map(e.context.ctx(), "[N] -> { a[i] -> [N - 1 - ((N - 1 + 3i) mod 4)] : 0 <= i < N and i < 4 }")));

    const Heap update = heap::iterated_update(h, "x", iterations, e.anywhere());
    CHECK(update.is_equal(e.heap("[N] -> { a[i] -> $A[N + 2 - ((N - 1 + 3i) mod 4)] : 0 <= i < N and i < 4 }")));
    CHECK(heap::to_string(update, e.templates) == "a[i] -> A(-1 + N + (-N + i) mod 4) : 0 <= i <= 3 and i < N\n");
    const isl::set large = e.set("[N] -> { : N >= 4 }");
    CHECK(update.intersect_params(large).is_equal(
        e.heap("[N] -> { a[0] -> $A[N + 2 - ((N + 3) mod 4)]; a[1] -> $A[N + 2 - ((N + 2) mod 4)]; "
               "          a[2] -> $A[N + 2 - ((N + 1) mod 4)]; a[3] -> $A[N + 2 - (N mod 4)] }")
            .intersect_params(large)));
    // A union would not do here.
    CHECK(!heap::is_single_valued(heap::iterated_union(h, "x", iterations)));
}

TEST_CASE("Equation 5.1: a value of two expressions, of which nu chooses one") {
    Example e;
    const Template a_b = e.templates.apply(BinaryOp::add, e.a, e.b), b_a = e.templates.apply(BinaryOp::add, e.b, e.a);
    CHECK(a_b != b_a);
    const isl::pw_aff zero(e.context.ctx(), "{ [(0)] }");
    const Value ab = heap::value(e.context.ctx(), a_b, {zero, zero});
    const Value ba = heap::value(e.context.ctx(), b_a, {zero, zero});
    const Value both = ba.unite(ab);
    CHECK(heap::choose(both).is_equal(ab));
    CHECK(heap::choose(ba).is_equal(ba));
    CHECK(heap::to_string(both, e.templates) == "A(0) + B(0)\nB(0) + A(0)\n");
}

TEST_CASE("5.2, symbolic heaps: even indices to one context, odd ones to another") {
    const Example e;
    const Heap h = e.heap("{ a[x] -> $A[x - 1] : x mod 2 = 0; a[x] -> $B[x] : x mod 2 = 1 }");
    CHECK(heap::is_single_valued(h));
    CHECK(heap::to_string(h, e.templates) ==
          "a[i] -> A(-1 + i) : (i) mod 2 = 0\n"
          "a[i] -> B(i) : (1 + i) mod 2 = 0\n");
    const isl::pw_aff x(e.context.ctx(), "[x] -> { [(2x)] }");
    CHECK(heap::to_string(heap::apply(h, heap::location(e.context.ctx(), "a", {x})), e.templates) == "A(-1 + 2x)\n");
    CHECK(heap::apply(h, heap::location(e.context.ctx(), "b", {x})).is_empty());
}

TEST_CASE("5.3: the prophetic heap of a matrix product, loop by loop") {
    Example e;
    const Template r = e.templates.cell("R", 0, value::Type::i32, 3);
    const std::string name = heap::Templates::tuple_name(r);
    // for i in 0..N, for j in 0..M: c[i, j] = 0 @ R(i, j, -1); for k in 0..P: c[i, j] += … @ R(i, j, k)
    const Heap zero = e.heap("[i, j] -> { c[i, j] -> " + name + "[i, j, -1] }");
    const Heap step = e.heap("[i, j, k] -> { c[i, j] -> " + name + "[i, j, k] }");
    const Heap sum = heap::iterated_update(step, "k", e.set("[P, k] -> { : 0 <= k < P }"), e.anywhere());
    CHECK(heap::to_string(sum, e.templates) == "c[i, j] -> R(i, j, -1 + P) : P > 0\n");
    const Heap cell = heap::update(zero, sum);
    const Heap row = heap::iterated_update(cell, "j", e.set("[M, j] -> { : 0 <= j < M }"), e.anywhere());
    const Heap all = heap::iterated_update(row, "i", e.set("[N, i] -> { : 0 <= i < N }"), e.anywhere());
    // R(i, j, max(P, 0) - 1), as in Fig. 5.5
    CHECK(heap::to_string(all, e.templates) ==
          "c[i, j] -> R(i, j, -1 + P) : P > 0 and 0 <= i < N and 0 <= j < M\n"
          "c[i, j] -> R(i, j, -1) : P <= 0 and 0 <= i < N and 0 <= j < M\n");
}
