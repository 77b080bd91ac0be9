// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 15);
    Var x("x"), xi("xi"), xo("xo"), xoi("xoi"), xoo("xoo");

    Func f("f");
    f(x) = Tuple(Expr(1), Expr(int64_t(1)));

    f.split(x, xo, xi, 5, TailStrategy::RoundUp);
    f.split(xo, xoo, xoi, 2, TailStrategy::PredicateStores);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out0(15);
    Buffer<int64_t> f_out1(15);
    f.realize({f_out0, f_out1}, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
