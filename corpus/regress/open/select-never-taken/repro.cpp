// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 6);
    ImageParam in0(UInt(32), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = in0(x);
    f(x) = f(x) + 1;
    Func g("g");
    g(x) = select(x <= 8, Expr(uint32_t(1)), f(x));

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<uint32_t> g_out(6);
    g.infer_input_bounds(g_out, target);
    g.realize(g_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
