// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f0(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var u("u"), y("y"), yi("yi"), yo("yo");
    RVar ki("ki"), ko("ko");

    Func f0("f0");
    f0(y) = 1;
    RDom k(0, 1, "f0_u0");
    f0(y) = select(k == k, f0(y) + 1, f0(y) + 1);

    f0.update(0).tile(k, y, ko, yo, ki, yi, 2, 2);
    Func f0_intm1 = f0.update(0).rfactor({{ko, u}});

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f0_out(2);
    f0.realize(f0_out, target);
    const int32_t actual = f0_out(0), expected = int32_t(2);
    std::cout << "f0(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
