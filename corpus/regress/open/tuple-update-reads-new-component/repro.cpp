// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(0)[1] is wrong, with 0 otherwise.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() {
    Param<int> W("W", 4);
    Var x("x");

    Func f("f");
    f(x) = Tuple(Expr(int16_t(1)), Expr(int8_t(1)));
    f(x) = Tuple(cast<int16_t>(x), Expr(int8_t(1)) & cast<int8_t>(f(x)[0]));

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int16_t> f_out0(4);
    Buffer<int8_t> f_out1(4);
    f.realize({f_out0, f_out1}, target);
    const int8_t actual = f_out1(0), expected = int8_t(1);
    std::cout << "f(0)[1] is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
