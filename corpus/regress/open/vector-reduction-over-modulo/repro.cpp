// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> K("K", 8);
    ImageParam in0(Int(32), 1, "in0");
    Var x("x");
    RVar ki("ki"), ko("ko");

    Func f("f");
    f(x) = 9;
    RDom k(0, K, "f_u0");
    f(k % 4) = min(f(k % 4), in0(k));

    f.update(0).split(k, ko, ki, 3);
    f.update(0).atomic();
    f.update(0).vectorize(ki, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
