// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 9);
    ImageParam in0(Bool(), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = cast<double>(in0(0)) * cast<double>(in0(x));
    Func g("g");
    g(x) = cast<uint32_t>(f(x));

    f.compute_root();
    f.vectorize(x, 4, TailStrategy::Predicate);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    g.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
