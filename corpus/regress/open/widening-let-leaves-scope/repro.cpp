// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 7);
    ImageParam in0(Int(32), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = Tuple(Expr(uint64_t(1u)), Expr(1));
    f(x) = Tuple(cast<uint64_t>(f(x)[1]) + cast<uint64_t>(in0(x)), Expr(11));

    f.update(0).vectorize(x, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
