// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Param<int> W("W", 18);
    Var x("x");

    Func f("f");
    f(x) = Internal::const_true();
    f(x) = Internal::const_true();
    f(x) = Internal::const_false();

    Stage f_update0_special0 = f.update(0).specialize(W >= 16);
    Stage f_update1_special0 = f.update(1).specialize(W < 11);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<bool> f_out(18);
    f.realize(f_out, target);
    const bool actual = f_out(0), expected = false;
    std::cout << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
