// A program that uses only Halide. Prints the result of each pipeline on a line; a mutant loaded before libHalide
// changes some of the lines.
#include <Halide.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace Halide;

namespace {

const Var x("x"), y("y"), xi("xi");

template <typename T>
std::uint64_t hash_of(const Buffer<T>& result) {
    std::uint64_t hash = 14695981039346656037U;
    result.for_each_value([&](T value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U; });
    return hash;
}

void report(const std::string& pipeline, std::uint64_t (*run)()) {
    std::cout << pipeline << " " << std::flush;
    try {
        std::cout << run() << std::endl;
    } catch (const Error& error) {  // no std::exception in Halide 19
        std::cout << error.what() << std::endl;
    } catch (const std::exception& error) { std::cout << error.what() << std::endl; }
}

// A producer computed in the loop of an accumulating consumer, with guards, lanes and copies.
std::uint64_t accumulation() {
    Func p("p"), g("g"), h("h");
    const RDom r(0, 5, "r");
    p(x, y) = x * x + y;
    g(x, y) = p(x, y - 1) + p(x, y + 1);
    g(x, y) += p(x + r, y);
    h(x, y) = g(x, y) + g(x + 1, y);
    g.compute_root().update().split(x, x, xi, 4, TailStrategy::GuardWithIf).unroll(xi);
    p.store_root().compute_at(g, y);
    h.split(x, x, xi, 8, TailStrategy::GuardWithIf).vectorize(xi);
    const Buffer<int> result = h.realize({29, 7});
    return hash_of(result);
}

// A line buffer.
std::uint64_t folding() {
    Func p("p"), h("h");
    p(x, y) = x * x + y * 7;
    h(x, y) = p(x, y - 1) + 2 * p(x, y) + p(x, y + 1);
    p.store_root().compute_at(h, y).fold_storage(y, 4);
    h.split(x, x, xi, 4, TailStrategy::ShiftInwards).vectorize(xi);
    const Buffer<int> result = h.realize({23, 9});
    return hash_of(result);
}

// Pairs, in tiles; the last tile is shifted inwards.
std::uint64_t tuples() {
    Func f("f"), h("h");
    f(x) = Tuple(x * 3 + 1, x - 40);
    f(x) = Tuple(f(x)[1] + 1, f(x)[0] * 2);
    h(x) = f(x)[0] + 5 * f(x)[1];
    f.compute_root().split(x, x, xi, 4, TailStrategy::ShiftInwards);
    const Buffer<int> result = h.realize({17});
    return hash_of(result);
}

// Three stages, a predicate, and strided lanes.
std::uint64_t updates() {
    Func f("f"), h("h");
    const RDom r(0, 6, "r");
    RDom where(0, 9, "where");
    where.where(where < 4);
    f(x) = x;
    f(x) += x * r;
    f(x) = f(x) * 3 + where;
    h(x) = f(2 * x) - f(x + 30);
    f.compute_root();
    h.vectorize(x, 8, TailStrategy::GuardWithIf);
    const Buffer<int> result = h.realize({21});
    return hash_of(result);
}

// Arithmetic on values unknown to the compiler.
std::uint64_t values() {
    Buffer<int> in(64, "in");
    for (int i = 0; i < in.width(); ++i) { in(i) = (i - 31) * 37; }
    Func h("h");
    const Expr a = in(x), b = in(x + 3), c = in(63 - x);
    const Expr narrow = cast<std::int8_t>(a), other = cast<std::int8_t>(b);
    h(x) = select(a == b + 111, a, 2 * c) + max(min(b, 100), c) + cast<int>(narrow) + (a % 7) + (a - (b + c)) +
           select(a < 37, 1, 5) + cast<int>(cast<std::int16_t>(narrow) * other) + (a / 8);
    h.vectorize(x, 4);
    const Buffer<int> result = h.realize({60});
    return hash_of(result);
}

// Affects only the mutants that crash: a third update with many lanes, in a deep nest.
std::uint64_t wide_update() {
    Func f("f"), h("h");
    const RDom r({{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}, "r");
    Expr sum = r[0];
    for (int d = 1; d < r.dimensions(); ++d) { sum += r[d]; }
    f(x, y) = x + y;
    f(x, y) += 1;
    f(x, y) *= 3;
    f(x, y) += sum;
    h(x, y) = f(x, y);
    f.compute_root().update(2).vectorize(x, 32, TailStrategy::RoundUp);
    f.update(0).unscheduled();
    f.update(1).unscheduled();
    const Buffer<int> result = h.realize({4, 3});
    return hash_of(result);
}

// Many guards.
std::uint64_t guards() {
    Func f("f");
    f(x) = x;
    for (int k = 0; k < 26; ++k) {
        RDom r(0, 9);
        r.where(r * r < x + k);
        f(x) += r * (k + 1);
    }
    const Buffer<int> result = f.realize({14});
    return hash_of(result);
}

// A function that is recomputed in each stage of another one.
std::uint64_t anew() {
    Func f("f"), h("h");
    f(x) = x;
    f(x) *= 3;
    h(x) = f(x);
    for (int k = 1; k < 3; ++k) { h(x) += f(x + k); }
    const Buffer<int> result = h.realize({20});
    return hash_of(result);
}

}  // namespace

// Runs the named pipelines, or all.
int main(int count, char** arguments) {
    const std::set<std::string> named(arguments + 1, arguments + count);
    const std::pair<const char*, std::uint64_t (*)()> pipelines[] = {{"accumulation", accumulation},
                                                                     {"folding", folding},
                                                                     {"tuples", tuples},
                                                                     {"updates", updates},
                                                                     {"values", values},
                                                                     {"wide_update", wide_update},
                                                                     {"guards", guards},
                                                                     {"anew", anew}};
    for (const auto& [name, pipeline] : pipelines) {
        if (named.empty() || named.contains(name)) { report(name, pipeline); }
    }
}
