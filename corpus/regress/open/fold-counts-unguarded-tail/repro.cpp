// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Var x("x"), xi("xi"), xo("xo"), y("y");

    Func f("f");
    f(x) = 1;
    Func g("g");
    g(x, y) = f(x);

    g.split(x, xo, xi, 2, TailStrategy::PredicateStores);
    f.compute_at(g, xo);
    f.store_at(g, y);
    f.fold_storage(x, 2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(1, 1);
    g.realize(g_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
