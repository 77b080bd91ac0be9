// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(0) is wrong, with 0 otherwise.
#include <Halide.h>

#include <cmath>
#include <iomanip>
#include <iostream>

using namespace Halide;

int main() {
    Param<int> W("W", 24), L("L", 3);
    Var u("u"), x("x");
    RVar li("li"), lo("lo");

    Func f("f");
    f(x) = strict_float(Expr(1.0f));
    RDom r(-1, L, -2, 7, "f_u0");
    f(x) = strict_float(f(x) * (Expr(1.0f) + cast<float>(r.y)));

    f.update(0).split(r.x, lo, li, 3);
    Func f_intm = f.update(0).rfactor({{lo, u}});

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<float> f_out(24);
    f.realize(f_out, target);
    const float actual = f_out(0), expected = -0.0f;
    std::cout << std::setprecision(17) << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual != 0 || std::signbit(actual) != std::signbit(expected);
}
