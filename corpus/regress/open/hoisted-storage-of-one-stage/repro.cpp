// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Var x("x"), y("y");

    Func f0_intm("f0_intm");
    f0_intm() = 1;
    Func f0("f0");
    f0(x, y) = 1;
    f0(x, y) = f0_intm();

    f0_intm.compute_at(f0, x);
    f0_intm.hoist_storage(f0, y);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f0.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
