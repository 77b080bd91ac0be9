// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 4), L("L", 3);
    Var u("u"), x("x");

    Func f("f");
    f(x) = Expr(int16_t(1));
    RDom r(0, L, 0, 3, "f_u0");
    f(x) = select(r.x == r.x, f(x) + 1, f(x) + 1);

    Func f_intm = f.update(0).rfactor({{r.x, u}});

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
