// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while g(0, 1) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var x("x"), y("y");

    Func f("f");
    f(x, y) = x;
    Func g("g");
    g(x, y) = f(x, 0);

    f.compute_at(g, x);
    f.store_root();

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(2, 2);
    g.realize(g_out, target);
    const int32_t actual = g_out(0, 1), expected = int32_t(0);
    std::cout << "g(0, 1) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
