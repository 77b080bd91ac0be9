// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Var x("x"), y("y");

    Func f0("f0");
    f0(x) = 1;
    Func f1("f1");
    f1(x, y) = f0(x);

    f1.bound_extent(y, 1);
    f0.compute_at(f1, y);
    f0.hoist_storage_root();
    f0.ring_buffer(2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f1.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
