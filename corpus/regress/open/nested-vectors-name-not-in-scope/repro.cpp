// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 100);
    Var x("x");

    Func f("f");
    f(x) = Expr(1.0f);

    f.vectorize(x, 4);
    f.vectorize(x, 8, TailStrategy::ShiftInwards);
    f.vectorize(x, 2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
