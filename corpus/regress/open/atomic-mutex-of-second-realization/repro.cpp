// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 8);
    Var x("x");

    Func f("f");
    f(x) = Expr(1.0f);
    RDom k(0, 2, "f_u0");
    f(x) = select(k == k, f(x) * f(x), f(x) * f(x));
    Func g("g");
    g(x) = f(0);
    g(x) = f(3);

    f.update(0).atomic();
    f.update(0).parallel(x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    g.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
