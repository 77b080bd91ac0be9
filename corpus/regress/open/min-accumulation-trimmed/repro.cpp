// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Param<int> W("W", 4);
    Var x("x");

    Func f("f");
    f(x) = 1;
    RDom k(-2, 7, "f_u0");
    f(x) = min(f(x), k);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out(4);
    f.realize(f_out, target);
    const int32_t actual = f_out(0), expected = int32_t(-2);
    std::cout << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
