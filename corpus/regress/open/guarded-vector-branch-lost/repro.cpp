// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while g(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var y("y");

    Func f("f");
    f(y) = 1;
    f(y) = f(y) + f(y);
    Func g("g");
    g(y) = f(y % 3);

    f.update(0).vectorize(y, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(1);
    g.realize(g_out, target);
    const int32_t actual = g_out(0), expected = int32_t(2);
    std::cout << "g(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
