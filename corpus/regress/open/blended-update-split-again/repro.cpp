// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
// Exits with 1 while f1(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var x("x"), xi("xi"), xo("xo"), xoi("xoi"), xoo("xoo");

    Func f1("f1");
    f1(x) = 1;
    f1(x) = 1 + f1(x);

    f1.update(0).split(x, xo, xi, 2, TailStrategy::ShiftInwardsAndBlend);
    f1.update(0).split(xo, xoo, xoi, 2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(2);
    f1.realize(f1_out, target);
    const int32_t actual = f1_out(0), expected = int32_t(2);
    std::cout << "f1(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
