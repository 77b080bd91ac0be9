// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while g(4) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Param<int> W("W", 12);
    Var x("x"), xi("xi"), xo("xo"), y("y"), z("z");

    Func f("f");
    f(y, z) = y - z == 0;
    Func g("g");
    g(x) = cast<int32_t>(f(x, x));

    g.split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    f.compute_at(g, xo);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(12);
    g.realize(g_out, target);
    const int32_t actual = g_out(4), expected = int32_t(1);
    std::cout << "g(4) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
