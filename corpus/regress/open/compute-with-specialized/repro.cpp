// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 16), K("K", 1);
    Var x("x");

    Func f("f");
    f(x) = Expr(uint8_t(1));
    Func g("g");
    g(x) = Expr(1.0);

    Stage f_special0 = f.specialize(K == 15);
    f_special0.vectorize(x, 8, TailStrategy::GuardWithIf);
    g.compute_with(f, x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline({f, g});
    pipeline.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
