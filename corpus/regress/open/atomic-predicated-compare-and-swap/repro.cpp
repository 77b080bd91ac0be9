// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 8);
    Var x("x");

    Func f("f");
    f(x) = Expr(uint32_t(1));
    RDom k(0, 3, "f_u0");
    f(x) = f(x) + cast<uint32_t>(k);

    f.update(0).atomic(true);
    f.update(0).parallel(k);
    f.update(0).vectorize(x, 4, TailStrategy::PredicateLoads);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
