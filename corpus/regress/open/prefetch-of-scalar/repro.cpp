// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    ImageParam in0(Int(32), 0, "in0");
    Var x("x");

    Func f0("f0");
    f0(x) = in0();

    f0.prefetch(in0, x, x, 0);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f0.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
