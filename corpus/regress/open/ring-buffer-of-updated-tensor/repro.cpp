// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
// Exits with 1 while f1(1) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Var y("y");

    Func f0("f0");
    f0() = 1;
    f0() = f0();
    Func f1("f1");
    f1(y) = f0();

    f0.compute_at(f1, y);
    f0.hoist_storage_root();
    f0.ring_buffer(2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(1);
    f1_out.set_min(1);
    f1.realize(f1_out, target);
    const int32_t actual = f1_out(1), expected = int32_t(1);
    std::cout << "f1(1) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
