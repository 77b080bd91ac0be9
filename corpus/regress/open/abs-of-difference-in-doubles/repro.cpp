// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
// Exits with 1 while f(1) is wrong, with 0 otherwise.
#include <Halide.h>

#include <cmath>
#include <iomanip>
#include <iostream>

using namespace Halide;

int main() {
    Var x("x");

    Func f("f");
    f(x) = strict_float(abs(cast<double>(x) - Expr(1.0)));

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<double> f_out(2);
    f.realize(f_out, target);
    const double actual = f_out(1), expected = 0.0;
    std::cout << std::setprecision(17) << "f(1) is " << +actual << ", expected " << +expected << "\n";
    return actual != 0 || std::signbit(actual) != std::signbit(expected);
}
