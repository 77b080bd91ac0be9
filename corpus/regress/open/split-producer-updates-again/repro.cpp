// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f1(1) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var x("x"), y("y"), yi("yi"), yo("yo");

    Func f0("f0");
    f0(y) = 1;
    f0(y) = f0(y) + 1;
    Func f1("f1");
    f1(x) = f0(0);

    f0.compute_at(f1, x);
    f0.store_root();
    f0.split(y, yo, yi, 2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(2);
    f1.realize(f1_out, target);
    const int32_t actual = f1_out(1), expected = int32_t(2);
    std::cout << "f1(1) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
