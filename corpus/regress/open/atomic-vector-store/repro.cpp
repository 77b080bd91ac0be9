// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide19 -lHalide19 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 4), H("H", 2);
    Var x("x"), y("y");

    Func f("f");
    f(x, y) = Expr(int16_t(1));
    f(x, y) = Expr(int16_t(16));

    f.update(0).atomic();
    f.update(0).vectorize(x, 2, TailStrategy::GuardWithIf);
    f.update(0).parallel(y);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
