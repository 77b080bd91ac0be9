// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    ImageParam f0(UInt(8), 1, "f0");
    Var x("x"), xi("xi"), xo("xo");

    Func f1("f1");
    f1(x) = f0(x) + f0(x / 2);

    f1.split(x, xo, xi, 2);
    f1.prefetch(f0, xo, xo, 0);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f1.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
