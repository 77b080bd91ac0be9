// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 15);
    Var x("x");

    Func f("f");
    f(x) = 1;
    Func g("g");
    g(x) = select(x + 2 * x < 1, cast<float>(f(x)), Expr(1.0f));

    g.vectorize(x, 4);
    f.compute_at(g, x);
    f.store_root();
    f.fold_storage(x, 8);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<float> g_out(15);
    g.realize(g_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
