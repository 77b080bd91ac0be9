// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> H("H", 1);
    ImageParam in0(UInt(16), 1, "in0");
    Var x("x"), y("y");

    Func f("f");
    f(x, y) = cast<double>(in0(x)) / Expr(4.0);

    f.vectorize(x, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
