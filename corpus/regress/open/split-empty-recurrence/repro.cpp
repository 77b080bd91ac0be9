// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 24), L("L", 1);
    ImageParam in0(Int(32), 1, "in0");
    Var x("x");
    RVar ki("ki"), ko("ko");

    Func f("f");
    f(x) = 0;
    RDom k(1, L - 1, "f_u0");
    f(L - 1 - k) = in0(k - 1);

    f.update(0).split(k, ko, ki, 4, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out(24);
    f.infer_input_bounds(f_out, target);
    f.realize(f_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
